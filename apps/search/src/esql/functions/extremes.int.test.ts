import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'

const { rows } = openedEsql(
  { properties: { id: { type: 'integer' }, at: { type: 'date' }, n: { type: 'long' }, text: { type: 'keyword' } } },
  [
    { id: 1, at: ['2020-01-01', '2021-01-01'], n: [1, 2], text: ['2020', 'x'] },
    { id: 2, n: '9223372036854775807' },
    { id: 3, n: '-9223372036854775808' },
  ],
)

const column = async (expression: string) =>
  (await rows(`FROM docs | EVAL x = ${expression} | SORT id | KEEP x`)).map(([value]) => value)

const beyond: readonly (readonly [string, readonly unknown[]])[] = [
  ['TO_DATETIME(n)', [['1970-01-01T00:00:00.001Z', '1970-01-01T00:00:00.002Z'], null, null]],
  ['DATE_TRUNC(1 year, TO_DATETIME(n))', [null, null, null]],
  ['DATE_EXTRACT("year", TO_DATETIME(n))', [null, null, null]],
  ['DATE_DIFF("month", TO_DATETIME(n), NOW())', [null, null, null]],
  [
    'TO_DATE_NANOS(n)',
    [['1970-01-01T00:00:00.000000001Z', '1970-01-01T00:00:00.000000002Z'], '2262-04-11T23:47:16.854775807Z', null],
  ],
  ['DATE_TRUNC(100 years, TO_DATE_NANOS(n))', [null, '2201-01-01T00:00:00.000Z', null]],
  ['DATE_TRUNC(1 week, TO_DATE_NANOS(n))', [null, '2262-04-07T00:00:00.000Z', null]],
  ['TO_DATE_NANOS(n) + 1 day', [null, null, null]],
  ['TO_DATE_NANOS(n) + 1 month', [null, null, null]],
  ['ROUND(n, n)', [null, 9223372036854775807n, 0]],
  ['SCALB(1.0, n)', [null, null, null]],
  ['DATE_FORMAT(null, at)', [null, null, null]],
  ['DATE_TRUNC(null, at)', [null, null, null]],
  ['DATE_TRUNC(9999999999999 years, NOW())', Array(3).fill('0001-01-01T00:00:00.000Z')],
  ['NOW() + 9999999999999999 days', [null, null, null]],
  ['NOW() + 9999999999999999 years', [null, null, null]],
]

describe('functions at the ends of their ranges', () => {
  it.each(beyond)('%s', async (expression, expected) => {
    expect(await column(expression)).toEqual(expected)
  })

  it('take columns that are null in every row', async () => {
    const functions = [
      'DATE_FORMAT(d)',
      'DATE_DIFF("day", d, NOW())',
      'ROUND_TO(d, 1, 2)',
      'TO_INTEGER(d)',
      'DAY_NAME(d)',
      'DATE_PARSE(d)',
    ]
    expect(
      await rows(`ROW d = null | EVAL l = 1 | STATS ${functions.map((each) => `MAX(${each})`).join(', ')}`),
    ).toEqual([functions.map(() => null)])
  })

  it('take the widest of numbers apart', async () => {
    const text = 'FROM docs | SORT n | STATS c = COUNT(*) BY b = BUCKET(n, 5e18) | SORT b'
    expect((await rows(text)).map(([, bucket]) => bucket)).toEqual([-1e19, 5e18, null])
  })

  it('group by a list as by nothing, as functions have no value for it', async () => {
    expect(await rows('FROM docs | STATS c = COUNT(*) BY b = BUCKET(at, 1 year)')).toEqual([[3, null]])
  })
})
