import { createServer, type RequestOptions, request as send } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificates } from '@logstack/testkit'

/** A proxy that shows a server under another name and port, and below a path. */
export interface PathProxy {
  /** `https://localhost:port/path` */
  readonly url: string
  /** While true, searches wait here and are never answered. */
  holdsSearches: boolean
  /** How many of them wait, and how many their sender gave up. */
  readonly held: { waiting: number; dropped: number }
  close(): Promise<void>
}

/** Starts one on a free port; `path` begins with a slash. */
export async function startPathProxy(target: string, path: string): Promise<PathProxy> {
  const { cert, key, ca } = await testCertificates()
  const held = { waiting: 0, dropped: 0 }
  const state = { holdsSearches: false }
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const wanted = incoming.url ?? '/'
    if (!wanted.startsWith(`${path}/`)) return outgoing.writeHead(404).end()
    if (state.holdsSearches && wanted.includes('_search%3F')) {
      held.waiting += 1
      outgoing.on('close', () => {
        held.waiting -= 1
        held.dropped += 1
      })
      return undefined
    }
    const options: RequestOptions = { method: incoming.method ?? 'GET', headers: incoming.headers, ca }
    const onward = send(new URL(wanted.slice(path.length), target), options, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    return incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    url: `https://localhost:${port}${path}`,
    held,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}
