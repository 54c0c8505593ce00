import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { AppError, agentsErrors } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { sendSlowly, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createAgentServer } from './server.ts'
import type { Services } from './services.ts'

vi.mock('./limits.ts', async (load) => {
  const { limits } = await load<typeof import('./limits.ts')>()
  return { limits: { ...limits, requestTimeoutMs: 1_000 } }
})

const unknown = (): never => {
  throw new AppError(agentsErrors.agent_unauthenticated, 'nobody knows this one')
}
// What routes ask before they read a body; none gets further, as the bodies never end.
const services = {
  logger: createLogger('agent-server', 'silent'),
  stopping: new AbortController().signal,
  now: () => 0,
  agents: { authenticate: (_id: string, header?: string) => (header === 'ApiKey good' ? {} : unknown()) },
  tokens: {
    authenticate: async (header?: string) => (header === 'ApiKey good' ? { policy_id: 'default' } : unknown()),
  },
  policies: { get: () => ({}) },
}

let app: ReturnType<typeof createAgentServer>
let port: number
beforeAll(async () => {
  const { cert, key } = await testCertificates()
  app = createAgentServer(services as unknown as Services, { cert, key })
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app?.close())

async function status(): Promise<number | undefined> {
  const { ca } = await testCertificates()
  return new Promise((resolve, reject) => {
    const outgoing = request(`https://127.0.0.1:${port}/api/status`, { ca }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode))
    })
    outgoing.on('error', reject).end()
  })
}

const known = '\r\nauthorization: ApiKey good'

it.each([
  [`POST /api/fleet/agents/enroll HTTP/1.1${known}`, 408],
  [`POST /api/fleet/agents/a/checkin HTTP/1.1${known}`, 408],
  // Whoever nobody knows is refused before the body: thousands of them would fill the memory.
  ['POST /api/fleet/agents/enroll HTTP/1.1', 401],
  ['POST /api/fleet/agents/a/checkin HTTP/1.1', 401],
  ['POST /api/fleet/agents/a/acks HTTP/1.1', 401],
  ['PUT /api/fleet/agent_policies/default HTTP/1.1', 401],
  ['POST /no/such/path HTTP/1.1', 404],
])('a body that takes too long is answered while others are served: %s, %i', async (head, wanted) => {
  const { ca } = await testCertificates()
  const over = { yet: false }
  const slow = Array.from({ length: 20 }, () => sendSlowly({ port, ca, head, everyMs: 200 }))
  const answers = Promise.all(slow).finally(() => {
    over.yet = true
  })
  let served = 0
  while (!over.yet) {
    expect(await status()).toBe(200)
    served += 1
  }
  const heard = (await answers).map(({ text }) => text).filter((text) => text !== '')
  expect(heard).not.toEqual([])
  expect(heard.filter((text) => !text.startsWith(`HTTP/1.1 ${wanted} `))).toEqual([])
  expect(served).toBeGreaterThan(0)
})
