import { describe, expect, it } from 'vitest'
import { openedEsql } from '../opened-esql.fixture.ts'

const { rows } = openedEsql(
  {
    properties: {
      id: { type: 'integer' },
      text: { type: 'keyword' },
      number: { type: 'double' },
      whole: { type: 'long' },
      big: { type: 'unsigned_long' },
      ok: { type: 'boolean' },
      at: { type: 'date' },
      fine: { type: 'date_nanos' },
      ip: { type: 'ip' },
    },
  },
  [
    {
      id: 1,
      text: '12.5',
      number: 12.5,
      whole: 7,
      big: '18446744073709551615',
      ok: true,
      at: '2024-02-29T13:14:15.167Z',
      fine: '2024-02-29T13:14:15.123456Z',
      ip: '10.0.0.1',
    },
    {
      id: 2,
      text: ['1', 'x', '::1'],
      number: [1.5, -2.5],
      whole: [1, 3000000000],
      ok: [true, false],
      at: [0, 1],
      ip: '::1',
    },
    { id: 3 },
  ],
)

const one = async (expression: string) => (await rows(`ROW x = ${expression}`))[0]?.[0]
const column = async (expression: string) =>
  (await rows(`FROM docs | EVAL x = ${expression} | SORT id | KEEP x`)).map(([value]) => value)

const columns: readonly (readonly [string, unknown])[] = [
  ['TO_DOUBLE(text)', [12.5, 1, null]],
  ['TO_INTEGER(text)', [13, 1, null]],
  ['TO_LONG(number)', [13, [2, -2], null]],
  ['TO_INTEGER(whole)', [7, 1, null]],
  ['TO_LONG(big)', [null, null, null]],
  ['TO_DOUBLE(big)', [18446744073709552000, null, null]],
  ['TO_UNSIGNED_LONG(whole)', [7, [1, 3000000000], null]],
  ['TO_BOOLEAN(whole)', [true, [true, true], null]],
  ['TO_BOOLEAN(text)', [false, [false, false, false], null]],
  ['TO_STRING(number)', ['12.5', ['1.5', '-2.5'], null]],
  ['TO_STRING(ok)', ['true', ['true', 'false'], null]],
  ['TO_STRING(number > 2)', ['true', null, null]],
  ['TO_STRING(at)', ['2024-02-29T13:14:15.167Z', ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z'], null]],
  ['TO_STRING(fine)', ['2024-02-29T13:14:15.123456Z', null, null]],
  ['TO_STRING(ip)', ['10.0.0.1', '::1', null]],
  ['TO_RADIANS(number) > 0.2', [true, null, null]],
  ['number::double', [12.5, [1.5, -2.5], null]],
  ['TO_IP(ip)', ['10.0.0.1', '::1', null]],
  ['TO_BOOLEAN(ok)', [true, [true, false], null]],
  ['TO_IP(text)', [null, '::1', null]],
  ['TO_LONG(at)', [1709212455167, [0, 1], null]],
  ['TO_LONG(fine)', [1709212455123456000n, null, null]],
  ['TO_DATETIME(fine)', ['2024-02-29T13:14:15.123Z', null, null]],
  ['TO_DATE_NANOS(at)', ['2024-02-29T13:14:15.167Z', ['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.001Z'], null]],
  ['TO_DATETIME(whole)', ['1970-01-01T00:00:00.007Z', ['1970-01-01T00:00:00.001Z', '1970-02-04T17:20:00.000Z'], null]],
  ['TO_VERSION(text)', ['12.5', ['1', 'x', '::1'], null]],
  ['ok::int', [1, [1, 0], null]],
  ['at::string::datetime == at', [true, null, null]],
]

const values: readonly (readonly [string, unknown])[] = [
  ['TO_STRING(1.0)', '1.0'],
  ['TO_STRING(-0.001)', '-0.001'],
  ['TO_STRING(0.0001)', '1.0E-4'],
  ['TO_STRING(0.00012345)', '1.2345E-4'],
  ['TO_STRING(10000000.0)', '1.0E7'],
  ['TO_STRING(12345678.9)', '1.23456789E7'],
  ['TO_STRING(1e21)', '1.0E21'],
  ['TO_STRING(1e308)', '1.0E308'],
  ['TO_STRING(1.5e-7)', '1.5E-7'],
  ['TO_STRING(0.0)', '0.0'],
  ['TO_STRING(9223372036854775807)', '9223372036854775807'],
  ['TO_STRING(1.5)::double', 1.5],
  ['TO_LONG("9223372036854775807")', 9223372036854775807n],
  ['TO_LONG("9223372036854775808")', 9223372036854775807n],
  ['TO_LONG("2147483648.2")', 2147483648],
  ['TO_LONG("foo")', null],
  ['TO_LONG(1e19)', null],
  ['TO_INTEGER([5013792, 2147483647, 501379200000])', [5013792, 2147483647]],
  ['TO_UNSIGNED_LONG("18446744073709551615")', 18446744073709551615n],
  ['TO_UNSIGNED_LONG(-1)', null],
  ['TO_DOUBLE("1e400")', null],
  ['TO_DOUBLE(" 1.5d ")', 1.5],
  ['TO_DOUBLE("1e3")', 1000],
  ['TO_DOUBLE("NaN")', null],
  ['TO_DOUBLE(true)', 1],
  ['TO_BOOLEAN(["true", "TRuE", "false", "", "yes", "1"])', [true, true, false, false, false, false]],
  ['TO_DATETIME("2024-01-01")', '2024-01-01T00:00:00.000Z'],
  [
    'TO_DATETIME(["1953-09-02T00:00:00.000Z", "1964-06-02", "1964/06"])',
    ['1953-09-02T00:00:00.000Z', '1964-06-02T00:00:00.000Z'],
  ],
  ['TO_DATETIME("nope")', null],
  ['TO_DATE_NANOS("2262-04-12")', null],
  ['TO_DATE_NANOS("1969-12-31")', null],
  ['TO_DATE_NANOS(-1)', null],
  ['TO_IP("1.2.3")', null],
  ['TO_STRING("fe80::0001"::ip)', 'fe80::1'],
  ['TO_RADIANS([0, 180])', [0, Math.PI]],
  ['TO_DEGREES(1e308)', null],
  ['TO_DATETIME(null)', null],
  ['TO_STRING(null)', null],
  ['NOW() + "1 day"::date_period > NOW()', true],
  ['NOW() - TO_TIMEDURATION("2 hours") < NOW()', true],
]

const refused: readonly (readonly [string, unknown])[] = [
  ['TO_IP(1)', 'argument of [TO_IP(1)] must be [ip or string], found value [1] type [integer]'],
  ['TO_DATE_NANOS(true)', 'found value [true] type [boolean]'],
  ['TO_TIMEDURATION("1 day")', 'must be a constant [time_duration]'],
  ['TO_BOOLEAN()', 'error building [to_boolean]: expects exactly one argument'],
]

describe('conversions', () => {
  it.each(columns)('%s', async (expression, expected) => {
    const found = await column(expression)
    const sorted = (value: unknown) => (Array.isArray(value) ? value.map(String).sort() : value)
    expect(found.map(sorted)).toEqual((expected as unknown[]).map(sorted))
  })

  it.each(values)('%s', async (expression, expected) => {
    expect(await one(expression)).toEqual(expected)
  })

  it.each(refused)('refuses %s', async (expression, reason) => {
    await expect(one(expression)).rejects.toThrow(String(reason))
  })
})
