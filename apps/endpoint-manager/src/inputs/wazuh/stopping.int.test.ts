import { setTimeout as sleep } from 'node:timers/promises'
import { wazuhAgentsIndex } from '@logstack/contracts'
import { expect, it } from 'vitest'
import { startTestedPart } from '../../start-part.testing.ts'
import { SimulatedAgent } from './simulated-agent.testing.ts'

const key = '0123456789abcdef'.repeat(4)
const sent = Array.from({ length: 40_000 }, (_, n) => `line ${n}`)
const searchComesBackMs = 2_500

// More than the queue has room for, so that most of it is in the kernel's buffers and the agent's own.
it('stores what an agent had begun to send when it is told to end, though search answers late', async () => {
  const part = await startTestedPart()
  const known = { name: 'web1', ip: 'any', key, added: '2026-01-01T00:00:00Z', added_by: 'import' }
  part.search.indices.set(wazuhAgentsIndex.name, new Map([['001', known]]))
  const agent = await SimulatedAgent.connect(part.ports.https, { id: '001', key })
  agent.send('#!-agent startup {"version":"v4.14.7"}')
  await part.until(() => agent.received.length === 1)
  part.search.unavailable = true
  agent.send(...sent.map((line) => `1:/srv/app/many.log:${line}`))
  const stopped = part.stop()
  await sleep(searchComesBackMs)
  part.search.unavailable = false
  await stopped
  expect(agent.received).toContain('#!-force_reconnect')
  const stored = part.documents('logs-file.log-default').map(({ message }) => message)
  expect(stored.length).toBe(sent.length)
  expect(new Set(stored)).toEqual(new Set(sent))
})
