import { describe, expect, it } from 'vitest'
import { answersOf, write } from '../run-esql.fixture.ts'

const { rows } = answersOf('conversions', async (services) => {
  const properties = { id: { type: 'long' }, k: { type: 'keyword' }, d: { type: 'double' }, ip: { type: 'ip' } }
  await services.catalogue.createIndex({ name: 'x', mappings: { properties } })
  await write(services, 'x', [
    { id: 1, k: ['1', 'x', '2.6'], d: 2.5, ip: '10.0.0.1' },
    { id: 2, k: '7', d: [1, 2.4], ip: '::1' },
    { id: 3 },
  ])
})

describe('conversions', () => {
  it.each([
    ['TO_INTEGER("2.5")', 3],
    ['TO_INTEGER(2.4)', 2],
    ['TO_INTEGER(-2.5)', -2],
    ['TO_INTEGER("x")', null],
    ['TO_INTEGER(3000000000)', null],
    ['TO_LONG("9223372036854775807")', 9_223_372_036_854_775_807n],
    ['TO_LONG(1e30)', null],
    ['TO_LONG(TO_DATETIME("1970-01-01T00:00:01Z"))', 1000],
    ['TO_LONG(true)', 1],
    ['TO_UNSIGNED_LONG("18446744073709551615")', 18_446_744_073_709_551_615n],
    ['TO_UNSIGNED_LONG(-1)', null],
    ['TO_DOUBLE("1e3")', 1000],
    ['TO_DOUBLE("1e999")', null],
    ['TO_BOOLEAN("TRUE")', true],
    ['TO_BOOLEAN("yes")', false],
    ['TO_BOOLEAN(0)', false],
    ['TO_STRING(true)', 'true'],
    ['TO_STRING(1.0)', '1.0'],
    ['TO_STRING(1.25)', '1.25'],
    ['TO_STRING(5)', '5'],
    ['TO_STRING(TO_IP("10.0.0.1"))', '10.0.0.1'],
    ['TO_STRING(TO_DATETIME("2026-01-01"))', '2026-01-01T00:00:00.000Z'],
    ['TO_IP("nonsense")', null],
    ['"12"::integer + 1', 13],
    ['[1, 2]::string', ['1', '2']],
    ['["1", "x"]::integer', 1],
    ['null::integer', null],
  ])('%s', async (expression, expected) => {
    expect(await rows(`ROW x = ${expression}`)).toEqual([[expected]])
  })

  it('converts each value of a list, and leaves out what it cannot', async () => {
    expect(
      await rows('FROM x | EVAL i = TO_INTEGER(k), s = TO_STRING(d), a = TO_STRING(ip) | SORT id | KEEP i, s, a'),
    ).toEqual([
      [[1, 3], '2.5', '10.0.0.1'],
      [7, ['1.0', '2.4'], '::1'],
      [null, null, null],
    ])
  })

  it.each([
    ['TO_IP(1)', 'argument of [TO_IP(1)] must be [ip or keyword]'],
    ['1::nonsense', 'Unknown data type named [nonsense]'],
  ])('refuses %s', async (expression, reason) => {
    await expect(rows(`ROW x = ${expression}`)).rejects.toThrow(reason)
  })
})
