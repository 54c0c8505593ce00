import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'

const properties = {
  n: { type: 'integer' },
  l: { type: 'long' },
  u: { type: 'unsigned_long' },
  d: { type: 'double' },
  k: { type: 'keyword' },
  t: { type: 'text' },
  ip: { type: 'ip' },
  b: { type: 'boolean' },
  at: { type: 'date' },
  v: { type: 'version' },
}

const { rows } = openedEsql({ properties }, [
  {
    n: 1,
    l: '9223372036854775807',
    u: 1,
    d: 1.5,
    k: 'a',
    t: 'one',
    ip: '10.0.0.2',
    b: true,
    at: '2026-01-02T00:00:00Z',
    v: '1.2',
  },
  { n: [2, 3], l: 1, d: [2.5, 4], k: ['b', 'a'], t: 'two', ip: '10.0.0.1', b: false, at: '2026-01-01T00:00:00Z' },
  { n: 10, k: 'c' },
  {},
])

const answered = [
  ['COUNT(*)', 4],
  ['COUNT()', 4],
  ['COUNT(n)', 4],
  ['COUNT(k)', 4],
  ['COUNT(t)', 2],
  ['COUNT(*) WHERE n > 5', 1],
  ['COUNT_DISTINCT(k)', 3],
  ['COUNT_DISTINCT(k, 100)', 3],
  ['SUM(n)', 16],
  ['SUM(n) WHERE k == "c"', 10],
  ['SUM(l)', null],
  ['SUM(u)', 1],
  ['SUM(d)', 8],
  ['AVG(n)', 4],
  ['MIN(n)', 1],
  ['MAX(d)', 4],
  ['MAX(k)', 'c'],
  ['MIN(t)', 'one'],
  ['MIN(ip)', '10.0.0.1'],
  ['MAX(b)', true],
  ['MIN(at)', '2026-01-01T00:00:00.000Z'],
  ['MAX(v)', '1.2'],
  ['MEDIAN(n)', 2.5],
  ['PERCENTILE(n, 50)', 2.5],
  ['PERCENTILE(n, 100)', 10],
  ['PERCENTILE(n, 0)', 1],
  ['MEDIAN_ABSOLUTE_DEVIATION(n)', 1],
  ['STD_DEV(d)', Math.sqrt(((1.5 - 8 / 3) ** 2 + (2.5 - 8 / 3) ** 2 + (4 - 8 / 3) ** 2) / 3)],
  ['WEIGHTED_AVG(n, d)', 0.1875],
  ['VALUES(k)', ['a', 'b', 'c']],
  ['VALUES(ip)', ['10.0.0.1', '10.0.0.2']],
  ['TOP(n, 2, "desc")', [10, 3]],
  ['TOP(k, 2, "asc")', ['a', 'a']],
  ['FIRST(t, at)', 'two'],
  ['LAST(t, at)', 'one'],
  ['PRESENT(t)', true],
  ['ABSENT(t)', false],
  ['ABSENT(k) WHERE n > 100', true],
  ['MAX(n) - MIN(n)', 9],
  ['ROUND(AVG(d), 1)', 2.7],
  ['MAX(null)', null],
  ['COUNT(null)', 0],
  ['SUM(null)', null],
  ['AVG(n) WHERE false', null],
] as const

describe('aggregates', () => {
  it.each(answered)('%s', async (aggregate, expected) => {
    const [[answer] = []] = await rows(`FROM docs | STATS r = ${aggregate}`)
    if (typeof expected === 'number' && !Number.isInteger(expected)) expect(answer).toBeCloseTo(expected, 12)
    else expect(answer).toEqual(expected)
  })

  it('counts a row for each of its values', async () => {
    expect(await rows('FROM docs | STATS c = COUNT(*), s = SUM(d) BY k | SORT k')).toEqual([
      [2, 8, 'a'],
      [1, 6.5, 'b'],
      [1, null, 'c'],
      [1, null, null],
    ])
    expect(await rows('FROM docs | STATS BY k | SORT k | LIMIT 1')).toEqual([['a']])
    expect(await rows('FROM docs | WHERE n > 1000 | STATS c = COUNT(*), m = MAX(n)')).toEqual([[0, null]])
    expect(await rows('FROM docs | WHERE n > 1000 | STATS c = COUNT(*) BY k')).toEqual([])
  })

  it('shows three values of a sample', async () => {
    const [[sample] = []] = await rows('FROM docs | STATS s = SAMPLE(n, 3)')
    expect(sample).toHaveLength(3)
  })

  it.each([
    [
      'SUM(k)',
      'argument of [SUM(k)] must be [aggregate_metric_double or numeric except unsigned_long or counter types], found value [k] type [keyword]',
    ],
    ['PERCENTILE(n, d)', 'second argument of [PERCENTILE(n, d)] must be a constant, received [d]'],
    ['TOP(n, 0, "asc")', 'Limit must be greater than 0'],
    ['SUM(SUM(n))', 'not allowed'],
    ['SUM()', 'expects exactly one argument'],
  ])('refuses %s', async (aggregate, reason) => {
    await expect(rows(`FROM docs | STATS r = ${aggregate}`)).rejects.toThrow(reason)
  })
})
