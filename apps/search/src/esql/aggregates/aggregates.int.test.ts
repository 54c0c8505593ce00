import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'

const { rows, types } = openedEsql(
  {
    properties: {
      at: { type: 'date' },
      fine: { type: 'date_nanos' },
      host: { type: 'keyword' },
      n: { type: 'long' },
      i: { type: 'integer' },
      d: { type: 'double' },
      u: { type: 'unsigned_long' },
      tags: { type: 'keyword' },
      ok: { type: 'boolean' },
      ip: { type: 'ip' },
      version: { type: 'version' },
      none: { type: 'double' },
    },
  },
  [
    {
      at: '2026-01-01T00:00:00Z',
      fine: '2026-01-01T00:00:00.000000001Z',
      host: 'a',
      n: '9223372036854775807',
      i: 1,
      d: 0.1,
      u: '18446744073709551615',
      tags: ['x', 'y'],
      ok: true,
      ip: '10.0.0.2',
      version: '1.2.3',
    },
    { at: '2026-01-02T00:00:00Z', host: 'a', n: 1, i: 2, d: 0.2, u: 1, tags: 'y', ok: false, ip: '10.0.0.1' },
    { at: '2026-01-03T00:00:00Z', host: 'b', n: -5, i: [3, 4], d: 0.3, tags: 'z' },
    { host: 'c' },
  ],
)

const overall: readonly (readonly [string, string, unknown])[] = [
  ['SUM(n)', 'long', 9223372036854775803n],
  ['SUM(n) WHERE host == "a"', 'long', null],
  ['SUM(n) WHERE host == "b"', 'long', -5],
  ['SUM(n) WHERE host == "c"', 'long', null],
  ['SUM(u)', 'unsigned_long', null],
  ['SUM(i)', 'long', 10],
  ['SUM(i) WHERE host == "c"', 'long', null],
  ['SUM(d)', 'double', 0.6],
  ['SUM(d * 1e308 * 8)', 'double', null],
  ['AVG(n)', 'double', Number(9223372036854775803n) / 3],
  ['AVG(i)', 'double', 2.5],
  ['AVG(i) WHERE host == "c"', 'double', null],
  ['AVG(u)', 'double', 9223372036854776000],
  ['MIN(i)', 'integer', 1],
  ['MAX(i)', 'integer', 4],
  ['MIN(i) WHERE host == "c"', 'integer', null],
  ['MIN(tags)', 'keyword', 'x'],
  ['MAX(tags)', 'keyword', 'z'],
  ['MAX(ok)', 'boolean', true],
  ['MIN(ok)', 'boolean', false],
  ['MAX(ip)', 'ip', '10.0.0.2'],
  ['MAX(version)', 'version', '1.2.3'],
  ['MAX(at)', 'date', '2026-01-03T00:00:00.000Z'],
  ['MIN(fine)', 'date_nanos', '2026-01-01T00:00:00.000000001Z'],
  ['MAX(u)', 'unsigned_long', 18446744073709551615n],
  ['MAX(none)', 'double', null],
  ['MEDIAN(i)', 'double', 2.5],
  ['MEDIAN(d)', 'double', 0.2],
  ['MEDIAN(none)', 'double', null],
  ['PERCENTILE(i, 0)', 'double', 1],
  ['PERCENTILE(i, 100)', 'double', 4],
  ['PERCENTILE(i, 25)', 'double', 1.75],
  ['PERCENTILE(d, 50.0) WHERE host == "a"', 'double', 0.15000000000000002],
  ['MEDIAN_ABSOLUTE_DEVIATION(i)', 'double', 1],
  ['MEDIAN_ABSOLUTE_DEVIATION(none)', 'double', null],
  ['STD_DEV(i)', 'double', Math.sqrt(1.25)],
  ['VARIANCE(i)', 'double', 1.25],
  ['STD_DEV(none)', 'double', null],
  ['WEIGHTED_AVG(d, n) WHERE host == "b"', 'double', -1.6263032587282567e-19],
  ['WEIGHTED_AVG(d, 2)', 'double', 0.19999999999999998],
  ['WEIGHTED_AVG(n, d) WHERE n < 2', 'double', -2.166666666666667],
  ['VALUES(tags)', 'keyword', ['x', 'y', 'z']],
  ['VALUES(host)', 'keyword', ['a', 'b', 'c']],
  ['VALUES(ok)', 'boolean', [false, true]],
  ['VALUES(none)', 'double', null],
  ['VALUES(ip) WHERE ok', 'ip', '10.0.0.2'],
  ['TOP(i, 2, "desc")', 'integer', [4, 3]],
  ['TOP(i, 2, "ASC")', 'integer', [1, 2]],
  ['TOP(n, 2, "desc")', 'long', [9223372036854775807n, 1]],
  ['TOP(d, 2, "desc")', 'double', [0.3, 0.2]],
  ['TOP(u, 1, "desc")', 'unsigned_long', 18446744073709551615n],
  ['TOP(at, 1, "desc")', 'date', '2026-01-03T00:00:00.000Z'],
  ['TOP(ok, 2, "desc")', 'boolean', [true, false]],
  ['TOP(tags, 3, "desc")', 'keyword', ['z', 'y', 'y']],
  ['TOP(tags, 2, "asc")', 'keyword', ['x', 'y']],
  ['TOP(ip, 1, "desc")', 'ip', '10.0.0.2'],
  ['TOP(at, 2, "desc", host)', 'keyword', ['b', 'a']],
  ['TOP(host, 2, "desc", d)', 'double', 0.3],
  ['TOP(none, 3, "asc")', 'double', null],
  ['FIRST(host, at)', 'keyword', 'a'],
  ['LAST(host, at)', 'keyword', 'b'],
  ['FIRST(tags, at)', 'keyword', ['x', 'y']],
  ['LAST(tags, at) WHERE host == "c"', 'keyword', null],
  ['LAST(d, at) WHERE host == "a"', 'double', 0.2],
  ['SAMPLE(i, 10)', 'integer', [1, 2, 3, 4]],
  ['PRESENT(none)', 'boolean', false],
  ['ABSENT(none)', 'boolean', true],
  ['PRESENT(tags)', 'boolean', true],
  ['PRESENT(tags) WHERE host == "c"', 'boolean', false],
  ['COUNT_DISTINCT(tags)', 'long', 3],
  ['COUNT(i)', 'long', 4],
  ['COUNT(none)', 'long', 0],
  ['SUM(null)', 'double', null],
  ['MAX(null)', 'null', null],
  ['MEDIAN(null)', 'double', null],
  ['VALUES(null)', 'null', null],
  ['COUNT(null)', 'long', 0],
  ['ROUND(MAX(d) - MIN(d), 1)', 'double', 0.2],
  ['MAX(i) - MIN(i) + COUNT(*)', 'long', 7],
]

const refused = [
  [
    'SUM(host)',
    'argument of [SUM(host)] must be [aggregate_metric_double or numeric except unsigned_long or counter types], found value [host] type [keyword]',
  ],
  ['PERCENTILE(i, i)', 'second argument of [PERCENTILE(i, i)] must be a constant, received [i]'],
  ['WEIGHTED_AVG(d, 0)', 'SECOND argument of [WEIGHTED_AVG(d, 0)] cannot be null or 0, received [0]'],
  ['TOP(i, 0, "asc")', 'Limit must be greater than 0 in [TOP(i, 0, "asc")], found [0]'],
  ['TOP(i, 2, "up")', 'Invalid order value in [TOP(i, 2, "up")], expected [ASC, DESC] but got ["up"]'],
  ['MEDIAN(ip)', 'must be [numeric except unsigned_long or counter types], found value [ip] type [ip]'],
] as const

describe('aggregates', () => {
  it.each(overall)('%s', async (aggregate, type, expected) => {
    const query = `FROM docs | STATS x = ${aggregate}`
    expect(await types(query)).toEqual([type])
    expect(await rows(query)).toEqual([[expected]])
  })

  it('answers one row without values', async () => {
    expect(await rows('FROM docs | STATS n = MAX(null)')).toEqual([[null]])
  })

  it('groups by lists, a row for each value', async () => {
    expect(
      await rows('FROM docs | STATS m = MEDIAN(d), v = VALUES(host), t = TOP(i, 1, "desc") BY tags | SORT tags'),
    ).toEqual([
      [0.1, 'a', 1, 'x'],
      [0.15000000000000002, 'a', 2, 'y'],
      [0.3, 'b', 4, 'z'],
      [null, 'c', null, null],
    ])
  })

  it('answers a row where there are none', async () => {
    expect(
      await rows(
        'FROM docs | WHERE host == "no" | STATS SUM(i), AVG(d), MEDIAN(i), VALUES(tags), FIRST(tags, at), COUNT(*)',
      ),
    ).toEqual([[null, null, null, null, null, 0]])
  })

  it('goes on with lists', async () => {
    expect(await rows('FROM docs | STATS v = VALUES(tags) | MV_EXPAND v | STATS c = COUNT(*) BY v | SORT v')).toEqual([
      [1, 'x'],
      [1, 'y'],
      [1, 'z'],
    ])
  })

  it.each(refused)('refuses %s', async (aggregate, reason) => {
    await expect(rows(`FROM docs | STATS x = ${aggregate}`)).rejects.toThrow(reason)
  })
})
