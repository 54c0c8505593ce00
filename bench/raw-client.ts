import { Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent, request } from 'node:https'

/** How a server is reached; `login` is user:password. */
export interface Access {
  readonly url: string
  readonly ca?: string
  readonly login?: string
}

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a request and answers when all of its answer is there, unparsed: what a measurement times. */
export type Send = (method: string, path: string, body?: string | Buffer, type?: string) => Promise<RawAnswer>

/** Requests to a server over kept connections. */
export function rawClient({ url, ca, login }: Access): Send {
  const { protocol, hostname, port } = new URL(url)
  const isTls = protocol === 'https:'
  const ask = isTls ? request : plainRequest
  const agent = isTls ? new Agent({ ca, keepAlive: true }) : new PlainAgent({ keepAlive: true })
  const authorization = login === undefined ? {} : { authorization: `Basic ${btoa(login)}` }
  return (method, path, body, type = 'application/json') =>
    new Promise((resolve, reject) => {
      const sized = body === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(body) }
      const headers = { ...authorization, ...sized }
      const outgoing = ask({ agent, host: hostname, port, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
        incoming.on('end', () =>
          resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
        )
      })
      outgoing.on('error', reject).end(body)
    })
}
