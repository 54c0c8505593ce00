import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { wazuhAgentsIndex } from '@logstack/contracts'
import { tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { shippedRules, startTestedPart, type TestedPart } from '../../start-part.testing.ts'
import { readSharedFiles } from './shared-files.ts'
import { SimulatedAgent } from './simulated-agent.testing.ts'

const key = '0123456789abcdef'.repeat(4)
const temporary = tempDir('logstack-shared')
const folder = join(temporary.path, 'wazuh/shared')
let part: TestedPart

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  for (const name of ['decoders', 'detections', 'mappings'])
    symlinkSync(join(shippedRules, name), join(temporary.path, name))
  writeFileSync(join(folder, 'agent.conf'), `<agent_config>${' '.repeat(3_000)}</agent_config>\n`)
  part = await startTestedPart({}, temporary.path)
  const entry = { name: 'web1', ip: 'any', key, added: '2026-01-01T00:00:00Z', added_by: 'import' }
  part.search.indices.set(wazuhAgentsIndex.name, new Map([['001', entry]]))
})
afterAll(async () => {
  await part.stop()
  temporary.remove()
})

it('hands the shared files to an agent that has others, once, and to none that has them', async () => {
  const { md5, messages } = readSharedFiles(folder) ?? { md5: '', messages: [] }
  const keepAlive = (sum: string): string => `#!-Linux |web1 - Wazuh v4.14.7\n${sum} merged.mg\n`
  const agent = await SimulatedAgent.connect(part.ports.https, { id: '001', key })
  agent.send('#!-agent startup {"version":"v4.14.7"}', keepAlive(md5), keepAlive('x'), keepAlive('x'))
  const acknowledged = Array(4).fill('#!-agent ack ')
  await part.until(() => agent.received.length >= acknowledged.length + messages.length)
  const handedOver = messages.map(String)
  expect(agent.received).toEqual([...acknowledged.slice(0, 3), ...handedOver, '#!-agent ack '])
  agent.close()
})
