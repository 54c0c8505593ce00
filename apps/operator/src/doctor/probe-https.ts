import { request } from 'node:https'
import { messageOf } from '@logstack/errors'
import { jsonOrNothing } from '../places/read-json-file.ts'

/** What a part answered, or why it did not. `code` is the system's: `ECONNREFUSED`, `ECONNRESET`. */
export type HttpAnswer =
  | { readonly state: 'answered'; readonly status: number; readonly body: unknown; readonly text: string }
  | { readonly state: 'silent'; readonly message: string }
  | { readonly state: 'unreachable'; readonly code: string; readonly message: string }

/** What a probe sends, and how long it waits. */
export interface ProbeOptions {
  readonly limitMs: number
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
  readonly credentials?: { readonly username: string; readonly password: string }
}

const bytesMax = 8 * 1024 * 1024

/**
 * One request whatever the certificate says: doctor must reach a part whose certificate is the fault. Never throws. Only for loopback
 * addresses of this host, and those of its own containers: a certificate that is not checked says nothing about who answers elsewhere.
 */
export function probeHttps(url: string, options: ProbeOptions): Promise<HttpAnswer> {
  const { credentials, body } = options
  const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    accept: 'application/json',
    'kbn-xsrf': 'logstack-operator',
    ...(content ? { 'content-type': 'application/json', 'content-length': content.length } : {}),
    ...(credentials
      ? { authorization: `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')}` }
      : {}),
  }
  const signal = AbortSignal.timeout(options.limitMs)
  return new Promise((resolve) => {
    const fail = (thrown: unknown): void => {
      const code = (thrown as NodeJS.ErrnoException).code ?? 'unknown'
      resolve(
        signal.aborted
          ? { state: 'silent', message: `no answer within ${options.limitMs / 1000} s` }
          : { state: 'unreachable', code, message: messageOf(thrown) },
      )
    }
    const outgoing = request(
      url,
      { method: options.method ?? 'GET', rejectUnauthorized: false, headers, signal, agent: false },
      (incoming) => {
        const chunks: Buffer[] = []
        let bytes = 0
        incoming.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > bytesMax) incoming.destroy(new Error(`the answer is larger than ${bytesMax} bytes`))
          else chunks.push(chunk)
        })
        incoming.on('error', fail)
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          resolve({ state: 'answered', status: incoming.statusCode ?? 0, body: jsonOrNothing(text), text })
        })
      },
    )
    outgoing.on('error', fail)
    outgoing.end(content)
  })
}
