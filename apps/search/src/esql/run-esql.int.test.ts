import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OpenServices, openServices } from '../testing/search-services.ts'
import { ask, write } from './run-esql.fixture.ts'

const directory = mkdtempSync(join(tmpdir(), 'logstack-esql-'))
let services: OpenServices

const mapping = {
  properties: {
    '@timestamp': { type: 'date' },
    host: { properties: { name: { type: 'keyword' }, ip: { type: 'ip' } } },
    message: { type: 'text', fields: { keyword: { type: 'keyword' } } },
    bytes: { type: 'long' },
    status: { type: 'integer' },
    took: { type: 'double' },
    ok: { type: 'boolean' },
    tags: { type: 'keyword' },
  },
} as const

beforeAll(async () => {
  services = await openServices(directory)
  await services.catalogue.createIndex({ name: 'web-1', mappings: mapping })
  await services.catalogue.createIndex({ name: 'web-2', mappings: mapping })
  await write(services, 'web-1', [
    {
      '@timestamp': '2026-01-01T00:00:00Z',
      host: { name: 'a', ip: '10.0.0.1' },
      message: 'connection refused by peer',
      bytes: 100,
      status: 500,
      took: 0.5,
      ok: false,
      tags: ['x', 'y'],
    },
    {
      '@timestamp': '2026-01-01T01:00:00Z',
      host: { name: 'b', ip: '10.0.0.2' },
      message: 'connection accepted',
      bytes: 200,
      status: 200,
      took: 1.5,
      ok: true,
      tags: 'x',
    },
  ])
  await write(services, 'web-2', [
    {
      '@timestamp': '2026-01-02T00:00:00Z',
      host: { name: 'a' },
      message: 'session closed',
      bytes: 300,
      status: 200,
      ok: true,
    },
    { '@timestamp': '2026-01-03T00:30:00Z', host: { name: 'c' }, bytes: 9007199254740994 },
  ])
})

afterAll(async () => {
  await services.close()
  rmSync(directory, { recursive: true, force: true })
})

async function rows(text: string): Promise<readonly (readonly unknown[])[]> {
  return (await ask(services, text)).rows
}

const answered = [
  ['ROW a = 1, b = "x", c = [1, 2], d = null', [[1, 'x', [1, 2], null]]],
  ['ROW a = 1 | EVAL b = a + 1, c = b * 2.5, d = a / 0, e = -a', [[1, 2, 5, null, -1]]],
  ['FROM web-* | STATS n = COUNT(*)', [[4]]],
  ['FROM web-* | WHERE status == 200 | KEEP host.name | SORT host.name', [['a'], ['b']]],
  ['FROM web-* | WHERE NOT status == 200 | KEEP host.name', [['a']]],
  ['FROM web-* | WHERE took IS NULL | KEEP host.name | SORT host.name DESC', [['c'], ['a']]],
  ['FROM web-* | WHERE @timestamp >= "2026-01-02" | STATS MAX(bytes)', [[9007199254740994n]]],
  [
    'FROM web-* | STATS s = SUM(bytes) WHERE status == 200, n = COUNT(tags) BY host.name | SORT host.name',
    [
      [300, 2, 'a'],
      [200, 1, 'b'],
      [null, 0, 'c'],
    ],
  ],
  [
    'FROM web-* | STATS n = COUNT(*) BY tags | SORT tags',
    [
      [2, 'x'],
      [1, 'y'],
      [2, null],
    ],
  ],
  ['FROM web-* | WHERE tags == "x" | KEEP host.name', [['b']]],
  ['FROM web-* | WHERE message : "connection" | SORT bytes | KEEP bytes', [[100], [200]]],
  [
    'FROM web-* | WHERE message.keyword LIKE "*closed" OR message.keyword RLIKE "connection a.*" | SORT bytes | KEEP bytes',
    [[200], [300]],
  ],
  [
    'FROM web-* METADATA _index | KEEP _index, host.ip | SORT _index, host.ip | LIMIT 2',
    [
      ['web-1', '10.0.0.1'],
      ['web-1', '10.0.0.2'],
    ],
  ],
  [
    'FROM web-1 | KEEP t*, @timestamp | SORT @timestamp | MV_EXPAND tags',
    [
      ['x', 0.5, '2026-01-01T00:00:00.000Z'],
      ['y', 0.5, '2026-01-01T00:00:00.000Z'],
      ['x', 1.5, '2026-01-01T01:00:00.000Z'],
    ],
  ],
  ['FROM web-* | WHERE host.ip == "10.0.0.2" | KEEP ok', [[true]]],
  [
    'FROM web-* | EVAL t = @timestamp + 1 day, u = @timestamp - 1 month | SORT @timestamp | LIMIT 1 | KEEP t, u',
    [['2026-01-02T00:00:00.000Z', '2025-12-01T00:00:00.000Z']],
  ],
  [
    'FROM web-* | STATS x = SUM(bytes) / COUNT(*) BY h = host.name, status | WHERE status IS NOT NULL | SORT x | KEEP x, h',
    [
      [100, 'a'],
      [200, 'b'],
      [300, 'a'],
    ],
  ],
  [
    'FROM web-* | WHERE host.name IN ("a", "c") AND bytes > 250 | KEEP bytes | SORT bytes',
    [[300], [9007199254740994n]],
  ],
  ['FROM web-* | RENAME host.name AS h | DROP bytes | SORT h DESC | LIMIT 1 | KEEP h', [['c']]],
  // A boolean that is not known is neither.
  [
    'FROM web-* | SORT bytes | EVAL s = TO_STRING(ok), i = TO_INTEGER(ok) | KEEP s, i',
    [
      ['false', 0],
      ['true', 1],
      ['true', 1],
      [null, null],
    ],
  ],
  [
    'FROM web-* | EVAL x = COPY_SIGN(1.5, took), y = ROUND(155, status - 501) | SORT bytes | KEEP x, y',
    [
      [1.5, 160],
      [1.5, 0],
      [null, 0],
      [null, null],
    ],
  ],
  [
    'ROW a = 155, b = 1.25, c = 0.0 | EVAL d = ROUND(a, -400), e = ROUND(b, 400), f = ROUND(b, -400), g = ROUND(c, 400), h = ROUND(12345678901234567.0, -3) | KEEP d, e, f, g, h',
    [[0, 1.25, 0, 0, 12345678901235000]],
  ],
  ['FROM web-* | STATS x = TOP(status, 9223372036854775808, "desc")', [[[500, 200, 200]]]],
  ['ROW a = -18446744073709551615', [[-18446744073709552000]]],
  [
    'ROW a = 9223372036854775807::datetime, b = "2026-01-01"::date_nanos | EVAL c = a + 1 day, d = b + 100000000000 days',
    [[null, '2026-01-01T00:00:00.000Z', null, null]],
  ],
  ['ROW a = 1 | WHERE (NOT (a == 1)) NOT IN (false, true, false)', []],
  [
    'ROW a = -9223372036854775808, b = -2147483648 | EVAL c = a / -1, d = a % -1, e = b / -1, f = ABS(a), g = ABS(b) | KEEP c, d, e, f, g',
    [[-9223372036854775808n, 0, -2147483648, null, null]],
  ],
  [
    'ROW a = 9007199254740993 | EVAL x = a == 9007199254740992.0, y = a IN (1, 2, 9007199254740992.0) | KEEP x, y',
    [[true, true]],
  ],
  [
    'FROM web-1 | STATS n = COUNT(*), m = COUNT(tags), d = COUNT_DISTINCT(tags) | EVAL x = MV_APPEND(n, -1), y = GREATEST(m, -1), z = d - 5',
    [[2, 3, 2, [2, -1], 3, -3]],
  ],
  // Each value of one group belongs to each of the other, also where both are the same field.
  [
    'FROM web-1 | STATS n = COUNT(*) BY a = tags, b = tags | SORT a, b',
    [
      [2, 'x', 'x'],
      [1, 'x', 'y'],
      [1, 'y', 'x'],
      [1, 'y', 'y'],
    ],
  ],
] as const

const refused = [
  ['FROM web-* | WHERE nope == 1', 'Found 1 problem\nline 1:20: Unknown column [nope]'],
  ['FROM web-* | WHERE host.nme == "x"', 'did you mean any of [host.name, host.ip]?'],
  [
    'FROM web-* | WHERE bytes == "x"',
    'first argument of [bytes == "x"] is [numeric] so second argument must also be [numeric] but was [keyword]',
  ],
  ['FROM web-* | EVAL x = nofn(1)', 'Unknown function [nofn]'],
  ['FROM web-* | STATS bytes', 'column [bytes] must appear in the STATS BY clause or be used in an aggregate function'],
  ['FROM web-* | KEEP z*', 'No matches found for pattern [z*]'],
  ['FROM web-* | WHERE host.ip == "1:2:3"', "'1:2:3' is not an IP string literal"],
  ...['[1, "a"]', '[[1]]', '[null]', '[1 day]'].map(
    (each) => [`ROW a = ${each}`, 'no viable alternative at input'] as const,
  ),
  [`ROW a = 1 | WHERE nope IN (${'1, '.repeat(150_000)}1)`, 'Unknown column [nope]'],
  [`ROW ${'a = 1, '.repeat(3_000)}a = 1`, 'the lists of a query hold at most 3000 items'],
  ['FROM web-* | WHERE bytes', 'Condition expression needs to be boolean, found [LONG]'],
] as const

describe('ES|QL', () => {
  it.each(answered)('%s', async (text, expected) => {
    expect(await rows(text)).toEqual(expected)
  })

  it.each(refused)('refuses %s', async (text, reason) => {
    await expect(rows(text)).rejects.toThrow(reason)
  })
})
