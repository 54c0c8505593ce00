import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RulesDecider } from '../rules-in-effect.ts'
import { type RulePlaces, RulesReader } from './rules-folder.ts'

const sigma = (title: string): string => `title: ${title}
id: 6f7cd9a1-1b5f-4d4b-8f0a-6f6d1d7a0001
status: stable
level: high
logsource: { product: linux, category: process_creation }
detection: { selection: { Image|endswith: /nc }, condition: selection }
`
const mapping = `{ name: linux, logsources: [{ product: linux }], indices: ['logs-*'], fields: { Image: process.executable } }\n`

let folder: ReturnType<typeof tempDir>
let places: RulePlaces
let reader: RulesReader
let seconds = 0

/** Writes a file with a time of change of its own, however fast the test is. */
function write(name: string, text: string): void {
  const file = join(folder.path, name)
  writeFileSync(file, text)
  utimesSync(file, ++seconds, seconds)
}

beforeEach(() => {
  folder = tempDir('logstack rules')
  const { path } = folder
  places = {
    rules: path,
    sigma: join(path, 'none'),
    mappings: join(path, 'none'),
    channels: join(path, 'channels.conf'),
  }
  reader = new RulesReader(places)
  write('one.yml', sigma('a rule'))
})

afterEach(() => folder.remove())

test('what is read again unchanged is the very same object, and is not put together anew', async () => {
  const decider = new RulesDecider()
  const [first, nobody] = [await reader.read(), new Set<string>()]
  const again = await reader.read()
  expect(again).toBe(first)
  const decided = decider.decide(first, nobody)
  expect(decider.decide(again, nobody)).toBe(decided)
  expect(decider.decide(again, new Set(['6f7cd9a1-1b5f-4d4b-8f0a-6f6d1d7a0001']))).not.toBe(decided)
})

test.each<[string, () => void]>([
  ['a changed rule', () => write('one.yml', sigma('another rule'))],
  ['a new rule', () => write('two.yml', sigma('a second rule'))],
  ['a rule that is gone', () => rmSync(join(folder.path, 'one.yml'))],
  ['other channels', () => write('channels.conf', 'defaults: { alert: debug }\n')],
])('%s is taken up', async (_what, change) => {
  const before = await reader.read()
  change()
  const after = await reader.read()
  expect(after).not.toBe(before)
  expect(await reader.read()).toBe(after)
})

test('a rule and a mapping from the dashboard and from the host are taken up when they change', async () => {
  const withMappings = new RulesReader({ ...places, mappings: join(folder.path) })
  const before = await withMappings.read([{ name: 'own.yml', text: sigma('own') }])
  expect(await withMappings.read([{ name: 'own.yml', text: sigma('own') }])).toBe(before)
  const changed = await withMappings.read([{ name: 'own.yml', text: sigma('own, changed') }])
  expect(changed).not.toBe(before)
  write('linux.yml', mapping)
  expect(await withMappings.read([{ name: 'own.yml', text: sigma('own, changed') }])).not.toBe(changed)
})

test('a rule with a long list is read again when the list changes, and only then', async () => {
  const addresses = Array.from({ length: 100_000 }, (_, n) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`)
  write('bad.txt', addresses.join('\n'))
  write(
    'bad.yml',
    'type: blacklist\nindex: logs-*\ncompare_key: source.ip\nblacklist: ["!file bad.txt"]\nalert: debug\n',
  )
  const first = await reader.read()
  expect(first.broken).toEqual([])
  expect(first.rules.map(({ typeOptions }) => typeOptions)).toMatchObject([{ blacklist: { length: 100_000 } }])
  expect(await reader.read()).toBe(first)
  write('bad.txt', '192.0.2.1\n192.0.2.2\n')
  const second = await reader.read()
  expect(second.rules.map(({ typeOptions }) => typeOptions)).toMatchObject([{ blacklist: { length: 2 } }])
  expect(second.rules[0]?.revision).not.toBe(first.rules[0]?.revision)
  rmSync(join(folder.path, 'bad.txt'))
  expect((await reader.read()).broken).toHaveLength(1)
  write('bad.txt', '192.0.2.1')
  expect((await reader.read()).rules).toHaveLength(1)
})
