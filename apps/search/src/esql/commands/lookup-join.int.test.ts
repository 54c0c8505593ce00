import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenServices, openServices } from '../../testing/search-services.ts'
import { ask, write } from '../run-esql.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-'))
let services: OpenServices

const logs = {
  properties: { n: { type: 'integer' }, host: { type: 'keyword' }, m: { type: 'text' }, owner: { type: 'keyword' } },
} as const
const hosts = {
  properties: {
    host: { type: 'keyword' },
    m: { type: 'text' },
    owner: { type: 'keyword' },
    site: { type: 'integer' },
    tags: { type: 'keyword' },
    ip: { type: 'ip' },
  },
} as const

beforeAll(async () => {
  services = await openServices(directory)
  const settings = { mode: 'lookup' }
  await services.catalogue.createIndex({ name: 'logs', mappings: logs, settings })
  await services.catalogue.createIndex({ name: 'plain', mappings: hosts, aliases: { some: {}, plains: {} } })
  await services.catalogue.createIndex({ name: 'plain-2', mappings: hosts, aliases: { plains: {} } })
  await services.catalogue.createIndex({ name: 'hosts', mappings: hosts, settings })
  await services.catalogue.createIndex({
    name: 'typed',
    mappings: { properties: { n: { type: 'keyword' } } },
    settings,
  })
  await services.catalogue.createIndex({ name: 'empty', mappings: hosts, settings })
  await write(services, 'logs', [
    { n: 1, host: 'a', m: 'one quick', owner: 'old' },
    { n: 2 },
    { n: 3, host: ['a', 'b'], m: 'two' },
    { n: 4, host: 'c', m: 'four quick' },
    { n: 5, host: 'b' },
  ])
  await write(services, 'hosts', [
    { host: 'a', owner: 'ann', site: 1, tags: ['p', 'q'], ip: '10.0.0.1' },
    { host: ['b', 'a'], owner: 'bob', site: 2 },
    { owner: 'none' },
  ])
})

afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

const queries = [
  [
    'FROM logs | LOOKUP JOIN hosts ON host | SORT n, site | KEEP n, owner, site, tags, ip',
    [
      [1, 'ann', 1, ['p', 'q'], '10.0.0.1'],
      [2, null, null, null, null],
      [3, null, null, null, null],
      [4, null, null, null, null],
      [5, null, null, null, null],
    ],
  ],
  ['ROW host = "b", owner = 1 | LOOKUP JOIN hosts ON host | KEEP host, owner', [['b', null]]],
  ['ROW host = "b" | LOOKUP JOIN empty ON host | KEEP host, owner', [['b', null]]],
  ['FROM logs | WHERE match(host, "a") | LOOKUP JOIN hosts ON host | STATS c = COUNT(owner)', [[1]]],
  ['FROM logs | LOOKUP JOIN hosts ON host | WHERE owner == "ann" | KEEP n', [[1]]],
  ['FROM logs | WHERE n == 5 | LOOKUP JOIN hosts ON host, owner | KEEP n, site', [[5, null]]],
  ['ROW host = "a", owner = "ann" | LOOKUP JOIN hosts ON host, owner | KEEP site', [[1]]],
  ['FROM logs | LOOKUP JOIN logs ON n | SORT n | LIMIT 1 | KEEP n, host', [[1, 'a']]],
  ['ROW host = "c" | LOOKUP JOIN hosts ON host | LOOKUP JOIN logs ON host | KEEP host, n, owner', [['c', 4, null]]],
] as const

const refused = [
  ['LOOKUP JOIN nope ON host', 'Unknown index [nope]'],
  ['LOOKUP JOIN host* ON host', 'invalid index pattern [host*], * is not allowed in LOOKUP JOIN'],
  [
    'LOOKUP JOIN plain ON host',
    'line 1:25: Lookup Join requires a single lookup mode index; [plain] resolves to [plain] in [standard] mode',
  ],
  ['LOOKUP JOIN some ON host', '[some] resolves to [plain] in [standard] mode'],
  ['LOOKUP JOIN plains ON host', 'Lookup Join requires a single lookup mode index; [plains] resolves to [2] indices'],
  ['LOOKUP JOIN c:hosts ON host', 'invalid index pattern [c:hosts], remote clusters are not supported in LOOKUP JOIN'],
  ['LOOKUP JOIN hosts ON host == host', 'JOIN ON clause only supports fields at the moment, found [host == host]'],
  ['LOOKUP JOIN hosts ON nope', 'Unknown column [nope] in left side of join'],
  ['LOOKUP JOIN hosts ON n', 'Unknown column [n] in right side of join'],
  ['LOOKUP JOIN hosts ON m', 'JOIN with right field [m] of type [TEXT] is not supported'],
  [
    'LOOKUP JOIN typed ON n',
    'JOIN left field [n] of type [INTEGER] is incompatible with right field [n] of type [KEYWORD]',
  ],
  ['LOOKUP JOIN hosts ON host | WHERE owner : "ann"', 'which is not a field from an index mapping'],
] as const

describe('LOOKUP JOIN', () => {
  it.each(queries)('%s', async (text, expected) => {
    expect((await ask(services, text)).rows).toEqual(expected)
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(ask(services, `FROM logs | ${text}`)).rejects.toThrow(reason)
  })
})
