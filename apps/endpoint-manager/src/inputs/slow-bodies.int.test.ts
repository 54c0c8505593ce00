import { request } from 'node:https'
import { sendSlowly, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startTestedPart, type TestedPart } from '../start-part.testing.ts'

vi.mock('../limits.ts', async (load) => {
  const { limits } = await load<typeof import('../limits.ts')>()
  return { limits: { ...limits, requestTimeoutMs: 1_000 } }
})

let part: TestedPart
beforeAll(async () => {
  part = await startTestedPart()
})
afterAll(() => part?.stop())

async function post(body: string): Promise<number | undefined> {
  const { ca } = await testCertificates()
  const headers = { authorization: `Basic ${Buffer.from('sender:secret').toString('base64')}` }
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${part.ports.https}/api/events/quick`
    const outgoing = request(url, { method: 'POST', ca, headers }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode))
    })
    outgoing.on('error', reject).end(body)
  })
}

const authorization = (credentials: string): string =>
  `\r\nauthorization: Basic ${Buffer.from(credentials).toString('base64')}`

it.each([
  [`POST /api/events/slow HTTP/1.1${authorization('sender:secret')}`, 408],
  [`POST /v1/logs HTTP/1.1${authorization('sender:secret')}`, 408],
  // Whoever may not send is refused before the body: thousands of them would fill the memory.
  ['POST /api/events/slow HTTP/1.1', 401],
  [`POST /api/events/slow HTTP/1.1${authorization('sender:wrong')}`, 401],
  [`POST /v1/logs HTTP/1.1${authorization('reader:secret')}`, 403],
  ['POST /api/agents/someone/events HTTP/1.1', 403],
  ['POST /no/such/path HTTP/1.1', 404],
])('a body that takes too long is answered while others are served: %s, %i', async (head, status) => {
  const { ca } = await testCertificates()
  const slow = Array.from({ length: 20 }, () => sendSlowly({ port: part.ports.https, ca, head, everyMs: 200 }))
  const over = { yet: false }
  const answers = Promise.all(slow).finally(() => {
    over.yet = true
  })
  let served = 0
  while (!over.yet) {
    const name = `beside ${head} ${served}`
    expect(await post(JSON.stringify({ message: name }))).toBe(200)
    served += 1
  }
  const heard = (await answers).map(({ text }) => text).filter((text) => text !== '')
  expect(heard).not.toEqual([])
  expect(heard.filter((text) => !text.startsWith(`HTTP/1.1 ${status} `))).toEqual([])
  expect(served).toBeGreaterThan(0)
})
