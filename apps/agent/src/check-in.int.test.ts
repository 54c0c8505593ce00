import { join } from 'node:path'
import { type AgentAction, agentApiPaths } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Actions } from './actions/actions.ts'
import { CheckIn } from './check-in.ts'
import { dataPaths } from './data-directory.ts'
import { HostIsolation } from './isolation/host-isolation.ts'
import { ServerClient, type ServerRequest } from './server-client.ts'
import { UnitStates } from './unit-states.ts'

const louder: AgentAction = {
  id: 'louder',
  agent_id: 'a',
  created_at: '2026-01-01T00:00:00Z',
  type: 'SETTINGS',
  data: { log_level: 'error' },
}

/** A server whose first answer hands out an action; it holds every check-in after that. */
class Server extends ServerClient {
  readonly acknowledged: unknown[] = []
  readonly #actions: AgentAction[]

  constructor(actions: AgentAction[]) {
    super({ url: 'https://127.0.0.1:9', ca: '' })
    this.#actions = actions
  }

  override async request<T>({ path, body, schema, signal }: ServerRequest<T>): Promise<T> {
    if (path === agentApiPaths.acks.replace(':id', 'a')) {
      this.acknowledged.push(body)
      return schema.parse({ action: 'acks', errors: false, items: [{ status: 200, message: 'OK' }] })
    }
    const actions = this.#actions.splice(0)
    if (actions.length > 0) return schema.parse({ action: 'checkin', ack_token: 't', actions })
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }))
  }
}

let temporary: TempDir
beforeEach(() => {
  temporary = tempDir('logstack-check-in')
})
afterEach(() => temporary.remove())

it('tells what became of an action that the same answer still hands out, and does not do it again', async () => {
  const logger = createLogger('agent', 'silent')
  const client = new Server([louder])
  const actions = new Actions(join(temporary.path, 'actions.json'), join(temporary.path, 'agent.mjs'))
  const isolation = new HostIsolation(dataPaths(temporary.path), () => [])
  const stopping = new AbortController()
  await actions.perform(louder, { logger, client, policy: undefined, program: '', isolation, signal: stopping.signal })
  expect(logger.level).toBe('error')
  logger.level = 'silent'
  const checkIn = new CheckIn({
    agentId: 'a',
    client,
    logger,
    states: new UnitStates(() => undefined),
    currentPolicy: () => undefined,
    applyPolicy: async () => undefined,
    actions,
    isolation,
    program: '',
    restart: () => undefined,
    answered: () => undefined,
    unenrolled: () => undefined,
    metadata: {} as never,
  })
  const running = checkIn.run(stopping.signal)
  await vi.waitFor(() => expect(client.acknowledged).toHaveLength(1), { timeout: 60_000 })
  stopping.abort()
  await running
  expect(logger.level).toBe('silent')
  expect(actions.untold).toEqual([])
  client.close()
})
