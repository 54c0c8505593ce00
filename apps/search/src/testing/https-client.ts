import { Agent, request } from 'node:https'

/** An answer as it came over the wire. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
  /** The body parsed as JSON. */
  json(): unknown
}

/** What a test sends; `auth` is `user:password`, empty for none. An object as body goes as JSON. */
export interface WireRequest {
  readonly method?: string
  readonly body?: string | Buffer | object
  readonly headers?: Readonly<Record<string, string>>
  readonly auth?: string
}

/** Sends requests exactly as given, over one keep-alive pool. */
export interface WireClient {
  send(path: string, request?: WireRequest): Promise<WireAnswer>
  close(): void
}

/** Makes a client for a server of 127.0.0.1. */
export function wireClient(to: { readonly port: number; readonly ca: string; readonly auth: string }): WireClient {
  const agent = new Agent({ ca: to.ca, keepAlive: true })
  return {
    close: () => agent.destroy(),
    send(path, { method = 'GET', body, headers = {}, auth = to.auth } = {}) {
      const isObject = typeof body === 'object' && !Buffer.isBuffer(body)
      const payload = body === undefined ? undefined : Buffer.from(isObject ? JSON.stringify(body) : body)
      const all = {
        ...(auth === '' ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
        ...(isObject ? { 'content-type': 'application/json' } : {}),
        ...headers,
        ...(payload ? { 'content-length': payload.length } : {}),
      }
      return new Promise((resolve, reject) => {
        const outgoing = request(
          { agent, host: '127.0.0.1', port: to.port, path, method, headers: all },
          (incoming) => {
            const chunks: Buffer[] = []
            incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
            incoming.on('end', () => {
              const bytes = Buffer.concat(chunks)
              const text = bytes.toString('utf8')
              const json = (): unknown => JSON.parse(text)
              resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, bytes, text, json })
            })
          },
        )
        outgoing.on('error', reject)
        outgoing.end(payload)
      })
    },
  }
}
