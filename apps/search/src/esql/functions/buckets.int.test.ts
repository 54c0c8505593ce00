import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'
import { niceSize, niceSpan } from './buckets.ts'

const nowMs = Date.parse('2026-03-04T05:06:07.089Z')

const { rows, types } = openedEsql(
  {
    properties: {
      id: { type: 'integer' },
      at: { type: 'date' },
      fine: { type: 'date_nanos' },
      n: { type: 'long' },
      d: { type: 'double' },
    },
  },
  [
    { id: 1, at: '2026-03-04T01:02:03Z', fine: '2026-03-04T01:02:03.000000001Z', n: 7, d: -0.5 },
    { id: 2, at: '2026-03-04T04:59:59Z', n: [1, 2], d: 99.9 },
    { id: 3 },
    { id: 4, at: '1985-02-18T00:00:00Z', fine: '1985-02-18T00:00:00Z', n: -7, d: 1e308 },
  ],
  { nowMs: nowMs },
)

const counted: readonly (readonly [string, readonly unknown[]])[] = [
  [
    'BUCKET(at, 1 hour)',
    [
      [1, '1985-02-18T00:00:00.000Z'],
      [1, '2026-03-04T01:00:00.000Z'],
      [1, '2026-03-04T04:00:00.000Z'],
      [1, null],
    ],
  ],
  [
    'BIN(at, 20, "1985-01-01", "1986-01-01")',
    [
      [1, '1985-02-01T00:00:00.000Z'],
      [2, '2026-03-01T00:00:00.000Z'],
      [1, null],
    ],
  ],
  [
    'BUCKET(fine, 12, NOW() - 12 hours, NOW())',
    [
      [1, '1985-02-18T00:00:00.000Z'],
      [1, '2026-03-04T00:00:00.000Z'],
      [2, null],
    ],
  ],
  [
    'BUCKET(n, 5)',
    [
      [1, -10],
      [1, 5],
      [2, null],
    ],
  ],
  [
    'BUCKET(d, 20, -10, 100)',
    [
      [1, -10],
      [1, 90],
      [1, 1e308],
      [1, null],
    ],
  ],
  [
    'BUCKET(d, 0.25)',
    [
      [1, -0.5],
      [1, 99.75],
      [2, null],
    ],
  ],
]

const refused = [
  ['BUCKET(at, 20)', 'function expects exactly four arguments when the first one is of type [datetime]'],
  ['BUCKET(n, 1 day)', 'second argument of [BUCKET(n, 1 day)] must be [numeric], found value [1 day]'],
  ['BUCKET(at, 20, "soon", NOW())', 'Cannot convert string [soon] to [DATETIME]'],
  ['BUCKET(at, id)', 'must be a constant, received [id]'],
  ['BUCKET(at, 20, 1, 2)', 'third argument of [BUCKET(at, 20, 1, 2)] must be [datetime or string]'],
  ['BUCKET(n, 20, "a", 5)', 'third argument of [BUCKET(n, 20, "a", 5)] must be [numeric]'],
  ['BUCKET(at, 1.5)', 'must be'],
] as const

describe('bucket', () => {
  it.each(counted)('%s', async (bucket, expected) => {
    expect(await rows(`FROM docs | STATS c = COUNT(*) BY b = ${bucket} | SORT b`)).toEqual(expected)
  })

  it('has the type of its field, or is a double', async () => {
    expect(await types('FROM docs | STATS BY BUCKET(fine, 1 day), BUCKET(at, 1 week), BUCKET(n, 5)')).toEqual([
      'date_nanos',
      'date',
      'double',
    ])
  })

  it.each(refused)('refuses %s', async (bucket, reason) => {
    await expect(rows(`FROM docs | STATS COUNT(*) BY ${bucket}`)).rejects.toThrow(reason)
  })

  it.each([
    [20, '1985-01-01', '1986-01-01', '1 month'],
    [100, '1985-01-01', '1986-01-01', '1 week'],
    [400, '1985-01-01', '1986-01-01', '1 day'],
    [5, '1985-01-01', '1986-01-01', '1 year'],
    [24, '2026-01-01T00:30:00', '2026-01-02T00:00:00', '1 hour'],
    [8, '2026-01-01', '2026-01-02', '3 hour'],
    [7, '2026-01-01', '2026-01-02', '12 hour'],
    [10, '2026-01-01', '2026-01-01T00:00:00.010Z', '1 millisecond'],
    [1, '2020-01-01', '2026-01-01', '1 year'],
  ])('cuts the time into at most %i buckets between %s and %s by %s', (count, from, to, expected) => {
    const { amount, unit } = niceSpan(count, Date.parse(from), Date.parse(to))
    expect(`${amount} ${unit}`).toBe(expected)
  })

  it.each([
    [20, 25324, 74999, 5000],
    [5, 25324, 74999, 10000],
    [10, 0, 1, 0.1],
    [100, 0, 1, 0.01],
  ])('cuts numbers into at most %i buckets between %d and %d of %d', (count, from, to, expected) => {
    expect(niceSize(count, from, to)).toBeCloseTo(expected, 12)
  })
})
