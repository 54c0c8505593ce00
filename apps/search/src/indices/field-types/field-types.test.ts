import { describe, expect, it } from 'vitest'
import type { ResolvedField } from '../../model/mapping.ts'
import type { ParsedLeaf } from './define-field-type.ts'
import { fieldTypeOf, fieldTypes } from './index.ts'

function field(wireType: string, parameters: Record<string, unknown> = {}): ResolvedField {
  return { path: 'f', sourcePath: 'f', wireType, valueType: fieldTypeOf(wireType).valueType, parameters }
}
function parse(wireType: string, leaf: unknown, parameters: Record<string, unknown> = {}): ParsedLeaf {
  return fieldTypeOf(wireType).parse(leaf, field(wireType, parameters))
}
const refused = (code: string, message: string) => expect.objectContaining({ code, message })

describe('integers', () => {
  it.each<[string, unknown, unknown]>([
    ['long', 5, 5],
    ['long', '5', 5],
    ['long', ' 5.9 ', 5],
    ['long', 5.9, 5],
    ['long', -5.9, -5],
    ['long', -0.5, 0],
    ['long', '9223372036854775807', 9223372036854775807n],
    ['long', '9007199254740993', 9007199254740993n],
    ['long', -9223372036854775808n, -9223372036854775808n],
    ['integer', 2147483647, 2147483647],
    ['short', '-32768', -32768],
    ['byte', 127, 127],
    ['unsigned_long', '18446744073709551615', 18446744073709551615n],
    ['unsigned_long', '5.0', 5],
  ])('%s reads %s', (type, leaf, value) => expect(parse(type, leaf)).toEqual({ value }))

  it.each([
    ['integer', '3000000000', 'Value [3000000000] is out of range for an integer'],
    ['byte', 128, 'Value [128] is out of range for a byte'],
    ['short', -32769, 'Value [-32769] is out of range for a short'],
    ['long', '9223372036854775808', 'Value [9223372036854775808] is out of range for a long'],
    ['unsigned_long', -1, 'Value [-1] is out of range for unsigned long'],
    ['long', { a: 1 }, 'Cannot parse object as number'],
  ])('%s refuses %s', (type, leaf, reason) =>
    expect(() => parse(type, leaf)).toThrow(refused('illegal_argument_exception', reason)),
  )

  it.each([
    ['integer', 2147483648, 'Numeric value (2147483648) out of range of int (-2147483648 - 2147483647)'],
    ['long', 2n ** 63n, `Numeric value (${2n ** 63n}) out of range of long (${-(2n ** 63n)} - ${2n ** 63n - 1n})`],
    ['long', true, 'Current token (VALUE_TRUE) not numeric, can not use numeric value accessors'],
  ])('the reader of JSON gives %s no %s', (type, leaf, reason) =>
    expect(() => parse(type, leaf)).toThrow(refused('x_content_parse_exception', reason)),
  )

  it('refuses words', () => {
    expect(() => parse('integer', 'abc')).toThrow(refused('number_format_exception', 'For input string: "abc"'))
    expect(() => parse('long', 'abc')).toThrow(refused('illegal_argument_exception', 'For input string: "abc"'))
    expect(() => parse('unsigned_long', '1.5')).toThrow(refused('number_format_exception', 'For input string: "1.5"'))
  })

  it('without coercion takes only whole JSON numbers', () => {
    const parameters = { coerce: false }
    expect(parse('integer', 5, parameters)).toEqual({ value: 5 })
    expect(() => parse('integer', '5', parameters)).toThrow('Integer value passed as String')
    expect(() => parse('integer', 5.5, parameters)).toThrow('5.5 cannot be converted to Integer without data loss')
  })

  it('reads values of queries so that comparisons stay exact', () => {
    const { queryValue } = fieldTypeOf('long')
    expect(queryValue('5', field('long'))).toBe(5)
    expect(queryValue(5.5, field('long'))).toBe(5.5)
    expect(queryValue('9007199254740993', field('long'))).toBe(9007199254740993n)
    expect(() => queryValue('x', field('long'))).toThrow('For input string: "x"')
  })
})

describe('decimals', () => {
  it.each<[string, unknown, unknown, Record<string, unknown>?]>([
    ['double', '1.5e3', 1500],
    ['double', 0.1, 0.1],
    ['float', 0.1, 0.10000000149011612],
    ['half_float', 0.1, 0.0999755859375],
    ['half_float', 65504, 65504],
    ['scaled_float', 1.2345, 1.23, { scaling_factor: 100 }],
  ])('%s reads %s', (type, leaf, value, parameters) => expect(parse(type, leaf, parameters)).toEqual({ value }))

  it('refuses what does not fit', () => {
    expect(() => parse('half_float', 70000)).toThrow('[half_float] supports only finite values, but got [70000.0]')
    expect(() => parse('float', 1e39)).toThrow('[float] supports only finite values, but got [Infinity]')
    expect(() => parse('double', 'NaN')).toThrow(
      refused('illegal_argument_exception', '[double] supports only finite values, but got [NaN]'),
    )
  })
})

describe('texts and booleans', () => {
  it('keyword takes scalars, and ignores what is too long', () => {
    expect(parse('keyword', 5)).toEqual({ value: '5' })
    expect(parse('keyword', 'abcd', { ignore_above: 3 })).toEqual({ ignored: 'ignore_above' })
    expect(parse('keyword', 'ABC', { normalizer: 'lowercase' })).toEqual({ value: 'abc' })
    expect(() => parse('keyword', { a: 1 })).toThrow(
      refused('illegal_argument_exception', 'Expected text but found START_OBJECT'),
    )
    expect(() => parse('keyword', 'é'.repeat(20_000))).toThrow('immense term')
    const unkept = { index: false, doc_values: false }
    expect(parse('keyword', 'é'.repeat(20_000), unkept)).toEqual({ value: 'é'.repeat(20_000) })
    expect(() => parse('keyword', 'é'.repeat(20_000), { ...unkept, store: true })).toThrow('immense term')
    expect(() => parse('keyword', 'é'.repeat(20_000), { index: false })).toThrow('immense term')
    expect(parse('wildcard', 'é'.repeat(20_000))).toEqual({ value: 'é'.repeat(20_000) })
  })

  it('constant_keyword takes one value', () => {
    expect(parse('constant_keyword', 'a', { value: 'a' })).toEqual({ value: 'a' })
    expect(() => parse('constant_keyword', 'b', { value: 'a' })).toThrow(
      '[constant_keyword] field [f] only accepts values that are equal to the value defined in the mappings [a], but got [b]',
    )
  })

  it.each<[unknown, boolean]>([
    [true, true],
    ['true', true],
    ['false', false],
    ['', false],
  ])('boolean reads %s', (leaf, value) => expect(parse('boolean', leaf)).toEqual({ value }))

  it('boolean refuses the rest', () => {
    expect(() => parse('boolean', 1)).toThrow('Current token (VALUE_NUMBER_INT) not of boolean type')
    expect(() => parse('boolean', 'TRUE')).toThrow(
      'Failed to parse value [TRUE] as only [true] or [false] are allowed.',
    )
  })
})

describe('dates', () => {
  const ms = Date.UTC(2026, 10, 21, 10, 11, 12, 345)
  it('reads the default format, epoch milliseconds, and the own format', () => {
    expect(parse('date', '2026-11-21T10:11:12.345Z')).toEqual({ value: ms })
    expect(parse('date', ms)).toEqual({ value: ms })
    expect(parse('date', '21.11.2026', { format: 'dd.MM.yyyy' })).toEqual({ value: Date.UTC(2026, 10, 21) })
    expect(parse('date_nanos', '2026-11-21T10:11:12.345678901Z')).toEqual({ value: BigInt(ms) * 1_000_000n + 678_901n })
  })

  it('refuses others with the chain of causes', () => {
    expect(() => parse('date', '10:00')).toThrow(
      expect.objectContaining({
        code: 'illegal_argument_exception',
        message: 'failed to parse date field [10:00] with format [strict_date_optional_time||epoch_millis]',
        cause: refused('date_time_parse_exception', 'Failed to parse with all enclosed parsers'),
      }),
    )
    expect(() => parse('date_nanos', '1969-12-31T00:00:00Z')).toThrow('is before the epoch in 1970')
  })

  it('shows in the own format or the one asked for', () => {
    const { show } = fieldTypeOf('date')
    expect(show(ms, field('date'))).toBe('2026-11-21T10:11:12.345Z')
    expect(show(ms, field('date', { format: 'yyyy' }))).toBe('2026')
    expect(show(ms, field('date'), 'epoch_millis')).toBe(String(ms))
    expect(fieldTypeOf('date_nanos').show(BigInt(ms) * 1_000_000n + 5n, field('date_nanos'))).toBe(
      '2026-11-21T10:11:12.345000005Z',
    )
  })
})

describe('addresses', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::1', '::1'],
    ['2001:0DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
  ])('ip reads %s', (leaf, value) => expect(parse('ip', leaf)).toEqual({ value }))

  it.each([
    'LOCAL',
    '',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0',
    'fe80::1%eth0',
    ':::',
    '1::2::3',
    '10.0.0.1/8',
    '1:2:3:4:5:6:7',
  ])('ip refuses %s', (leaf) => {
    expect(() => parse('ip', leaf)).toThrow(
      refused('illegal_argument_exception', `'${leaf}' is not an IP string literal.`),
    )
  })
})

describe('every type', () => {
  // `rank_features` refuses null, as it refuses all that is no object; `join` needs a name.
  const others = new Set(['alias', 'join', 'rank_features'])
  it.each(fieldTypes.map((type) => type.name).filter((name) => !others.has(name)))(
    '%s has no value for null',
    (name) => {
      expect(parse(name, null)).toEqual({ absent: true })
    },
  )

  it('puts null_value in the place of null', () => {
    expect(parse('keyword', null, { null_value: 'none' })).toEqual({ value: 'none' })
    expect(parse('ip', null, { null_value: '::1' })).toEqual({ value: '::1' })
  })

  it.each(['long', 'date', 'ip', 'boolean', 'geo_point'])('%s ignores malformed values when told to', (name) => {
    expect(parse(name, 'LOCAL!', { ignore_malformed: true })).toEqual({ ignored: 'ignore_malformed' })
  })
})

describe('points, blobs', () => {
  it('stores points as latitude and longitude, however they are written', () => {
    for (const point of [{ lat: 1, lon: 2 }, '1,2', [2, 1], 'POINT (2 1)'])
      expect(parse('geo_point', point)).toEqual({ value: '1,2' })
    expect(parse('geo_point', 'u33d')).toEqual({ value: expect.stringMatching(/^52\.\d+,13\.\d+$/) })
    expect(() => parse('geo_point', { lat: 91, lon: 0 })).toThrow('illegal latitude value [91.0] for ')
  })

  it('checks blobs and stores nothing', () => {
    expect(parse('binary', 'aGVsbG8=')).toEqual({ absent: true })
    expect(parse('binary', 'aGVsbG8=', { store: true })).toEqual({ value: true })
    expect(parse('binary', 'a b')).toEqual({ absent: true })
    expect(() => parse('binary', 'a b', { doc_values: true })).toThrow('base64')
  })
})
