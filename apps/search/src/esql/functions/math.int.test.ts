import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'

const { rows, types } = openedEsql(
  {
    properties: {
      id: { type: 'integer' },
      n: { type: 'long' },
      i: { type: 'integer' },
      d: { type: 'double' },
      u: { type: 'unsigned_long' },
    },
  },
  [
    { id: 1, n: -25, i: 7, d: 2.5, u: '18446744073709551615' },
    { id: 2, n: [1, 2], i: [1, 2], d: [1, 2], u: [1, 2] },
    { id: 3 },
    { id: 4, n: '-9223372036854775808', i: -2147483648, d: -1e308, u: 0 },
  ],
)

const one = async (expression: string) => (await rows(`ROW x = ${expression}`))[0]?.[0]
const column = async (expression: string) =>
  (await rows(`FROM docs | EVAL x = ${expression} | SORT id | KEEP x`)).map(([value]) => value)

const overColumns: readonly (readonly [string, string, readonly unknown[]])[] = [
  ['ABS(n)', 'long', [25, null, null, null]],
  ['ABS(i)', 'integer', [7, null, null, null]],
  ['ABS(d)', 'double', [2.5, null, null, 1e308]],
  ['ABS(u)', 'unsigned_long', [18446744073709551615n, null, null, 0]],
  ['CEIL(n)', 'long', [-25, [1, 2], null, -9223372036854775808n]],
  ['CEIL(d)', 'double', [3, null, null, -1e308]],
  ['FLOOR(d)', 'double', [2, null, null, -1e308]],
  ['SQRT(n)', 'double', [null, null, null, null]],
  ['SQRT(u)', 'double', [4294967296, null, null, 0]],
  ['POW(i, 2)', 'double', [49, null, null, 2 ** 62]],
  ['EXP(d)', 'double', [Math.exp(2.5), null, null, 0]],
  ['ROUND(d)', 'double', [3, null, null, -1e308]],
  ['ROUND(n, -1)', 'long', [-30, null, null, null]],
  ['ROUND(u, -1)', 'unsigned_long', [null, null, null, 0]],
  ['ROUND(i, -30)', 'integer', [0, null, null, 0]],
  ['SIGNUM(n)', 'double', [-1, null, null, -1]],
  ['ROUND_TO(n, 0, -100, 100)', 'long', [-100, null, null, -100]],
  ['COPY_SIGN(d, n)', 'double', [-2.5, null, null, -1e308]],
  ['SCALB(d, 2)', 'double', [10, null, null, null]],
  ['LOG10(d)', 'double', [Math.log10(2.5), null, null, null]],
]

const values: readonly (readonly [string, unknown])[] = [
  ['ACOS(2)', null],
  ['ASIN(1)', Math.PI / 2],
  ['ATAN(1)', Math.PI / 4],
  ['ATAN2(1, 2)', Math.atan2(1, 2)],
  ['CBRT(-8)', -2],
  ['COS(0)', 1],
  ['COSH(1000)', null],
  ['E()', Math.E],
  ['EXP(1000)', null],
  ['HYPOT(3, 4)', 5],
  ['HYPOT(1e308, 1e308)', 1.4142135623730951e308],
  ['LOG(0)', null],
  ['LOG(-1)', null],
  ['LOG(2, 8)', 3],
  ['LOG(1, 8)', null],
  ['LOG10(1000)', 3],
  ['PI()', Math.PI],
  ['POW(2, 0.5)', Math.SQRT2],
  ['POW(-8, 0.5)', null],
  ['POW(10, 309)', null],
  ['ROUND(2.5)', 3],
  ['ROUND(-2.5)', -3],
  ['ROUND(-5.53)', -6],
  ['ROUND(1.25, 1)', 1.3],
  ['ROUND(123.456, -1)', 120],
  ['ROUND(155.0, -1)', 160],
  ['ROUND(1.5, 400)', 1.5],
  ['ROUND(1.5, -400)', 0],
  ['ROUND(1e308, 2)', 1e308],
  ['ROUND(5)', 5],
  ['ROUND(1250, -2)', 1300],
  ['ROUND(-1250, -2)', -1300],
  ['ROUND(9223372036854775807, -2)', 9223372036854775800n],
  ['ROUND(2147483647, -1)', -2147483646],
  ['ROUND_TO(5.5, 1, 5)', 5],
  ['ROUND_TO("2024-05-06"::datetime, "2024-01-01"::datetime, "2024-05-01"::datetime)', '2024-05-01T00:00:00.000Z'],
  ['SCALB(3.0, 10)', 3072],
  ['SCALB(1.0, 1024)', null],
  ['SCALB(1e-300, 1030)', 1e-300 * 2 ** 515 * 2 ** 515],
  ['SIGNUM(-0.5)', -1],
  ['SIN(0)', 0],
  ['SINH(1000)', null],
  ['SQRT(-1)', null],
  ['TAN(0)', 0],
  ['TANH(1000)', 1],
  ['TAU()', 2 * Math.PI],
  ['ABS(-2147483648)', null],
  ['ABS(null)', null],
  ['ROUND(null, 2)', null],
  ['ROUND(1.5, null)', null],
  ['COPY_SIGN(5, -0.5)', -5],
]

describe('functions of numbers', () => {
  it.each(overColumns)('%s', async (expression, type, expected) => {
    expect(await types(`FROM docs | EVAL x = ${expression} | KEEP x`)).toEqual([type])
    expect(await column(expression)).toEqual(expected)
  })

  it.each(values)('%s', async (expression, expected) => {
    const found = await one(expression)
    if (typeof expected === 'number' && expected !== 0) expect(Number(found) / expected).toBeCloseTo(1, 14)
    else expect(found).toEqual(expected === 0 ? expect.closeTo(0) : expected)
  })

  it('takes columns without a type', async () => {
    expect(await rows('ROW d = null | EVAL a = ABS(d), r = ROUND(d, 1), s = SQRT(d) | KEEP a, r, s')).toEqual([
      [null, null, null],
    ])
  })

  it.each([
    ['SQRT("x")', 'Cannot convert string [x] to [DOUBLE], error [Cannot parse number [x]]'],
    ['POW(1)', 'error building [pow]: expects exactly two arguments'],
    ['ROUND(1, 2, 3)', 'error building [round]: expects one or two arguments'],
    ['ROUND(1.5, 1.5)', 'second argument of [ROUND(1.5, 1.5)] must be'],
  ])('refuses %s', async (expression, reason) => {
    await expect(one(expression)).rejects.toThrow(reason)
  })
})
