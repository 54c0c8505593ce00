import { describe, expect, it } from 'vitest'
import { answersOf, write } from '../run-esql.fixture.ts'

const { rows } = answersOf('math', async (services) => {
  const properties = { id: { type: 'long' }, d: { type: 'double' }, n: { type: 'integer' } }
  await services.catalogue.createIndex({ name: 'x', mappings: { properties } })
  await write(services, 'x', [{ id: 1, d: -2.5, n: -7 }, { id: 2, d: [1, 2], n: [1, 2] }, { id: 3 }])
})

describe('numbers', () => {
  it.each([
    ['ABS(-5)', 5],
    ['ABS(-2.5)', 2.5],
    ['CEIL(1.2)', 2],
    ['CEIL(7)', 7],
    ['FLOOR(-1.2)', -2],
    ['ROUND(2.5)', 3],
    ['ROUND(-2.5)', -3],
    ['ROUND(1.005, 1)', 1],
    ['ROUND(15, -1)', 20],
    ['ROUND(-15, -1)', -20],
    ['ROUND(14)', 14],
    ['SQRT(16)', 4],
    ['SQRT(-1)', null],
    ['LOG(-1)', null],
    ['LOG(2, 8)', 3],
    ['LOG10(100)', 2],
    ['POW(10, 400)', null],
    ['POW(2, 3)', 8],
    ['EXP(1000)', null],
    ['CBRT(-8)', -2],
    ['HYPOT(3, 4)', 5],
    ['SIGNUM(-3)', -1],
    ['COPY_SIGN(3, -1)', -3],
    ['ATAN2(0, 1)', 0],
    ['TO_DEGREES(PI())', 180],
    ['TAU() / PI()', 2],
    ['BUCKET(17.5, 5)', 15],
    ['BUCKET(-1, 5)', -5],
    ['BUCKET(17, 10, 0, 100)', 10],
    ['BUCKET(17, 3, 0, 100)', 0],
    ['7 % 3', 1],
    ['-7 % 3', -1],
    ['7.5 % 2', 1.5],
    ['5 % 0', null],
    ['1.0 / 0', null],
    ['2147483647 + 1', null],
    ['9223372036854775807 + 1', null],
    ['2147483647 + 1::long', 2_147_483_648],
    ['7 / 2', 3],
    ['7 / 2.0', 3.5],
    ['-(3)', -3],
  ])('%s', async (expression, expected) => {
    expect(await rows(`ROW x = ${expression}`)).toEqual([[expected]])
  })

  it('have no answer of several values, nor of none', async () => {
    expect(await rows('FROM x | EVAL a = ABS(d), r = ROUND(n, -1), b = BUCKET(d, 1) | SORT id | KEEP a, r, b')).toEqual(
      [
        [2.5, -10, -3],
        [null, null, null],
        [null, null, null],
      ],
    )
  })
})
