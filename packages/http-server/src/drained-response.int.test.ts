import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { Worker } from 'node:worker_threads'
import { createLogger } from '@logstack/logging'
import { createAuthority, issueServerCertificate } from '@logstack/pki'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createServer } from './index.ts'

const requests = 200
const requestBytes = 60_000
/** Under which Node may take the next request before the last answer left: it does so in a moment after timers and immediates. */
const busyMs = 2

let app: ReturnType<typeof createServer>

beforeAll(async () => {
  const tls = await issueServerCertificate(await createAuthority(), { commonName: 'test', hosts: ['127.0.0.1'] })
  app = createServer({ tls, logger: createLogger('test', 'silent'), bodyBytesMax: 100_000 })
  app.post<{ Params: { bytes: string; kind: string } }>('/:kind/:bytes', (asked, reply) => {
    setImmediate(() => {
      const text = 'x'.repeat(Number(asked.params.bytes))
      reply.send(asked.params.kind === 'text' ? text : Buffer.from(text))
      const until = performance.now() + busyMs
      while (performance.now() < until);
    })
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

/** Asks one after the other over one connection, from a thread of its own; gives how many answers were whole. */
function askFromElsewhere(require: NodeJS.Require): void {
  const { parentPort, workerData } = require('node:worker_threads') as typeof import('node:worker_threads')
  const { Agent, request } = require('node:https') as typeof import('node:https')
  const { port, path, count, sent, wanted } = workerData
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
  const ask = (): Promise<boolean> =>
    new Promise((resolve) => {
      const headers = { 'content-type': 'text/plain', 'content-length': sent }
      const outgoing = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (incoming) => {
        let got = 0
        incoming.on('data', (chunk: Buffer) => {
          got += chunk.length
        })
        incoming.on('end', () => resolve(got === wanted && incoming.headers['content-length'] === String(wanted)))
      })
      outgoing.on('error', () => resolve(false))
      outgoing.end(Buffer.alloc(sent, 'y'))
    })
  const all = async (): Promise<void> => {
    let whole = 0
    for (let at = 0; at < count; at += 1) whole += (await ask()) ? 1 : 0
    parentPort?.postMessage(whole)
    agent.destroy()
  }
  void all()
}

it.each([
  ['buffer', 90_000],
  ['text', 90_000],
  ['buffer', 16_200],
  ['text', 8_192],
  ['text', 100],
])('a connection takes the next request after each answer: %s of %i bytes', async (kind, wanted) => {
  const { port } = app.server.address() as AddressInfo
  const workerData = { port, path: `/${kind}/${wanted}`, count: requests, sent: requestBytes, wanted }
  const client = new Worker(`(${askFromElsewhere.toString()})(require)`, { eval: true, workerData })
  const [whole] = await once(client, 'message')
  expect(whole).toBe(requests)
})
