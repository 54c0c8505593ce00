import { describe, expect, it } from 'vitest'
import { openedEsql } from './opened-esql.fixture.ts'

const { rows } = openedEsql({ properties: { n: { type: 'long' } } }, [{ n: 1 }])

describe('expressions', () => {
  it.each([
    ['1.5', 60],
    ['1', 40],
    ['n', 40],
  ])('grow with what is written: sums of %s', async (each, expected) => {
    const sum = Array.from({ length: 40 }, () => each).join(' + ')
    expect(await rows(`FROM docs | EVAL s = ${sum} | KEEP s`)).toEqual([[expected]])
  })

  it.each([
    ['9223372036854775807 + 1', null],
    ['2147483647 + 1', null],
    ['1e308 * 10', null],
    ['18446744073709551615 + 18446744073709551615', null],
    ['1e19', 1e19],
    ['"2024-01-31"::datetime + 1 month', '2024-02-29T00:00:00.000Z'],
    ['"9999-11-30"::datetime + 1 month', '9999-12-30T00:00:00.000Z'],
    ['-9223372036854775808 / -1', -9223372036854775808n],
    ['-9223372036854775808 % -1', 0],
    ['-2147483648 / -1', -2147483648],
    ['7 / -2', -3],
    ['-7 % 4', -3],
    ['18446744073709551615 / 9223372036854775808', 1],
    ['"0001-01-31"::datetime - 13 months', '-0001-12-31T00:00:00.000Z'],
    ['"2262-04-01"::date_nanos + 1 year', null],
    ['"1969-12-15T01:02:03Z"::datetime + 1 quarter', '1970-03-15T01:02:03.000Z'],
  ])('%s', async (expression, expected) => {
    expect(await rows(`ROW x = ${expression}`)).toEqual([[expected]])
  })
})
