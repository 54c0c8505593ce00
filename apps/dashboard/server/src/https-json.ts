import { Agent, request as httpsRequest } from 'node:https'
import { AppError, dashboardErrors } from '@logstack/errors'

/** A status and a parsed body. */
export interface JsonAnswer {
  readonly status: number
  readonly body: unknown
}

/** A small client of the agent server: JSON, one time limit. */
export class HttpsJson {
  readonly #url: string
  readonly #agent: Agent
  readonly #timeoutMs: number

  constructor(options: { url: string; ca: string; timeoutMs: number }) {
    this.#url = options.url.replace(/\/$/, '')
    this.#agent = new Agent({ ca: options.ca, keepAlive: true, maxSockets: 4 })
    this.#timeoutMs = options.timeoutMs
  }

  /** The status and the parsed body; throws `agent_server_unreachable`. */
  get(path: string, headers: Record<string, string> = {}): Promise<JsonAnswer> {
    return this.#send('GET', path, headers, undefined)
  }

  /** Like `get`, with a JSON body. */
  post(path: string, headers: Record<string, string>, json: unknown): Promise<JsonAnswer> {
    return this.#send('POST', path, { ...headers, 'content-type': 'application/json' }, JSON.stringify(json))
  }

  put(path: string, headers: Record<string, string>, json: unknown): Promise<JsonAnswer> {
    return this.#send('PUT', path, { ...headers, 'content-type': 'application/json' }, JSON.stringify(json))
  }

  delete(path: string, headers: Record<string, string>): Promise<JsonAnswer> {
    return this.#send('DELETE', path, headers, undefined)
  }

  #send(method: string, path: string, headers: Record<string, string>, body: string | undefined): Promise<JsonAnswer> {
    return new Promise((resolve, reject) => {
      const fail = (cause: unknown): void =>
        reject(new AppError(dashboardErrors.agent_server_unreachable, 'the agent server did not answer', { cause }))
      const outgoing = httpsRequest(
        `${this.#url}${path}`,
        {
          agent: this.#agent,
          method,
          headers: { accept: 'application/json', ...headers },
          signal: AbortSignal.timeout(this.#timeoutMs),
        },
        (incoming) => {
          const chunks: Buffer[] = []
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
          incoming.on('error', fail)
          incoming.on('end', () => {
            try {
              const text = Buffer.concat(chunks).toString('utf8')
              resolve({ status: incoming.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) })
            } catch (thrown) {
              fail(thrown)
            }
          })
        },
      )
      outgoing.on('error', fail)
      outgoing.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
