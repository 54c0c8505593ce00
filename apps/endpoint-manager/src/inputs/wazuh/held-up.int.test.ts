import { wazuhAgentsIndex } from '@logstack/contracts'
import { expect, it } from 'vitest'
import { startTestedPart } from '../../start-part.testing.ts'
import { SimulatedAgent } from './simulated-agent.testing.ts'

const key = '0123456789abcdef'.repeat(4)
/** More than the queue has room for. */
const roomExceeding = 9_000

it('an agent hears a word while search does not answer, so that it does not give the connection up', async () => {
  const part = await startTestedPart()
  const known = { name: 'web1', ip: 'any', key, added: '2026-01-01T00:00:00Z', added_by: 'import' }
  part.search.indices.set(wazuhAgentsIndex.name, new Map([['001', known]]))
  const agent = await SimulatedAgent.connect(part.ports.https, { id: '001', key })
  agent.send('#!-agent startup {"version":"v4.14.7"}')
  await part.until(() => agent.received.length === 1)
  part.search.unavailable = true
  agent.send(...Array.from({ length: roomExceeding }, (_, n) => `1:/srv/app/held-up.log:held up ${n}`))
  await part.until(() => agent.received.length === 2)
  expect(agent.received).toEqual(['#!-agent ack ', '#!-agent ack '])
  part.search.unavailable = false
  await part.until(() => part.documents('logs-file.log-default').length === roomExceeding)
  agent.close()
  await part.stop()
})
