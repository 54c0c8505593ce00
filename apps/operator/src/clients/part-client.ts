import { Agent, request as httpsRequest } from 'node:https'
import { AppError, operatorErrors, systemSentence } from '@logstack/errors'
import { jsonOrNothing } from '../places/read-json-file.ts'

export interface PartRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  /** An object is sent as JSON; bytes as they are, with their content type. */
  readonly body?: unknown
  readonly bytes?: { readonly contentType: string; readonly content: Buffer }
  readonly anonymous?: boolean
  readonly timeoutMs?: number
  /** Statuses that are answers, not errors; 2xx always are. */
  readonly accept?: readonly number[]
}

export interface PartAnswer<T> {
  readonly status: number
  readonly body: T
}

const defaultTimeoutMs = 30_000

/** The HTTPS API of the dashboard or of agent-server, with the administrator's name and password. Errors are `part_refused` and `part_unreachable`. */
export class PartClient {
  readonly #agent: Agent
  readonly #of: { name: string; url: string; credentials: { username: string; password: string } }

  constructor(of: { name: string; url: string; ca: string; credentials: { username: string; password: string } }) {
    this.#of = of
    this.#agent = new Agent({ ca: of.ca, keepAlive: true, maxSockets: 4 })
  }

  async request<T = unknown>(request: PartRequest): Promise<PartAnswer<T>> {
    const { name } = this.#of
    const { status, text, isJson } = await this.#send(request)
    const body = (isJson ? (jsonOrNothing(text) ?? text) : text) as T
    if (status < 300 || request.accept?.includes(status)) return { status, body }
    const said = (body as { message?: string } | null)?.message ?? text.slice(0, 300)
    throw new AppError(
      operatorErrors.part_refused,
      `${name} answered ${status} to ${request.method} ${request.path}: ${said}`,
      { detail: { status }, fix: `read its log with: ./logstack logs ${name}` },
    )
  }

  close(): void {
    this.#agent.destroy()
  }

  #send(request: PartRequest): Promise<{ status: number; text: string; isJson: boolean }> {
    const { name, url, credentials } = this.#of
    const content =
      request.bytes?.content ?? (request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body)))
    const basic = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
    const headers = {
      accept: 'application/json',
      'kbn-xsrf': 'logstack-operator',
      ...(request.anonymous ? {} : { authorization: `Basic ${basic}` }),
      ...(content
        ? { 'content-type': request.bytes?.contentType ?? 'application/json', 'content-length': content.length }
        : {}),
    }
    const signal = AbortSignal.timeout(request.timeoutMs ?? defaultTimeoutMs)
    return new Promise((resolve, reject) => {
      const fail = (cause: Error): void => {
        const why = signal.aborted ? 'no answer in time' : (systemSentence(cause) ?? cause.message)
        const message = `cannot reach ${name} at ${url}: ${why}`
        reject(new AppError(operatorErrors.part_unreachable, message, { cause, fix: './logstack status' }))
      }
      const options = { agent: this.#agent, method: request.method, headers, signal }
      const outgoing = httpsRequest(new URL(request.path, url), options, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', fail)
        incoming.on('end', () => {
          const isJson = String(incoming.headers['content-type'] ?? '').includes('json')
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8'), isJson })
        })
      })
      outgoing.on('error', fail)
      outgoing.end(content)
    })
  }
}
