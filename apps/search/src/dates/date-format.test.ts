import { describe, expect, it } from 'vitest'
import { dateFormat, defaultDateFormat, defaultDateNanosFormat, timeZone } from './date-format.ts'

const iso = (pattern: string, text: string, options: { roundUp?: boolean; zone?: string } = {}): string | undefined => {
  const instant = dateFormat(pattern).parse(text, {
    ...(options.roundUp === undefined ? {} : { roundUp: options.roundUp }),
    ...(options.zone === undefined ? {} : { zone: timeZone(options.zone) }),
  })
  return instant === undefined ? undefined : new Date(instant.ms).toISOString()
}

describe('reading dates', () => {
  it.each([
    ['2026-11-21T10:11:12.345Z', '2026-11-21T10:11:12.345Z'],
    ['2026-11-21T10:11:12Z', '2026-11-21T10:11:12.000Z'],
    ['2026-11-21T10:11:12', '2026-11-21T10:11:12.000Z'],
    ['2026-11-21T10:11', '2026-11-21T10:11:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11', '2026-11-01T00:00:00.000Z'],
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-11-21T10:11:12.345678901+02:00', '2026-11-21T08:11:12.345Z'],
    ['2026-11-21T10:11:12+0200', '2026-11-21T08:11:12.000Z'],
    ['2026-11-21T10:11:12,5Z', '2026-11-21T10:11:12.500Z'],
    ['1795255872345', '2026-11-21T10:11:12.345Z'],
    ['-1', '1969-12-31T23:59:59.999Z'],
    ['0050-01-01', '0050-01-01T00:00:00.000Z'],
  ])('the default format reads %s', (text, expected) => expect(iso(defaultDateFormat, text)).toBe(expected))

  it.each([
    '',
    'LOCAL',
    '2026-2-3',
    '2026-02-30',
    '2026-13-01',
    '2026-11-21 10:11:12',
    '11/03/2026',
    '10:00',
    '2026-11-21T25:00:00Z',
  ])('the default format refuses %s', (text) => expect(iso(defaultDateFormat, text)).toBeUndefined())

  it('reads lenient, basic, epoch and ordinal formats', () => {
    expect(iso('date_optional_time', '2026-2-3T4:5:6')).toBe('2026-02-03T04:05:06.000Z')
    expect(iso('basic_date', '20261121')).toBe('2026-11-21T00:00:00.000Z')
    expect(iso('basic_date_time', '20261121T101112.345Z')).toBe('2026-11-21T10:11:12.345Z')
    expect(iso('epoch_second', '1795255872.5')).toBe('2026-11-21T10:11:12.500Z')
    expect(iso('epoch_second', '-1.5')).toBe('1969-12-31T23:59:58.500Z')
    expect(iso('strict_ordinal_date', '2026-325')).toBe('2026-11-21T00:00:00.000Z')
    expect(iso('week_date', '2026-W47-6')).toBe('2026-11-21T00:00:00.000Z')
  })

  it('reads patterns of users exactly', () => {
    expect(iso('yyyy/MM/dd HH:mm:ss', '2026/11/21 10:11:12')).toBe('2026-11-21T10:11:12.000Z')
    expect(iso('yyyy/MM/dd HH:mm:ss', '2026/11/21 9:11:12')).toBeUndefined()
    expect(iso('dd/MMM/yyyy:HH:mm:ss Z', '21/Nov/2026:10:11:12 +0100')).toBe('2026-11-21T09:11:12.000Z')
    expect(iso("yyyy-MM-dd'T'HH:mm[:ss][.SSS]XXX", '2026-11-21T10:11Z')).toBe('2026-11-21T10:11:00.000Z')
    expect(iso('yyyyMMddHHmmss', '20261121101112')).toBe('2026-11-21T10:11:12.000Z')
    expect(iso('hh:mm a', '12:30 AM')).toBe('1970-01-01T00:30:00.000Z')
    expect(iso('yyyy-MM-dd||epoch_second', '0')).toBe('1970-01-01T00:00:00.000Z')
  })

  it('completes missing components upwards, and in a zone', () => {
    expect(iso(defaultDateFormat, '2026-02', { roundUp: true })).toBe('2026-02-01T23:59:59.999Z')
    expect(iso(defaultDateFormat, '2026-11-21T10:11:12Z', { roundUp: true })).toBe('2026-11-21T10:11:12.999Z')
    expect(iso(defaultDateFormat, '2026-07-01', { zone: 'Europe/Berlin' })).toBe('2026-06-30T22:00:00.000Z')
    expect(iso(defaultDateFormat, '2026-03-29T02:30:00', { zone: 'Europe/Berlin' })).toBe('2026-03-29T01:30:00.000Z')
    expect(iso(defaultDateFormat, '2026-10-25T02:30:00', { zone: 'Europe/Berlin' })).toBe('2026-10-25T00:30:00.000Z')
  })

  it('keeps nanoseconds', () => {
    expect(dateFormat(defaultDateNanosFormat).parse('2026-11-21T10:11:12.123456789Z')?.nanos).toBe(456_789)
  })

  it.each(['no_such_format', 'yyyy-MM-ddTHH', 'constructor', "yyyy'", ''])('refuses the format %s', (pattern) =>
    expect(() => dateFormat(pattern)).toThrow(expect.objectContaining({ code: 'illegal_argument_exception' })),
  )
})

describe('printing dates', () => {
  const instant = { ms: Date.UTC(2026, 10, 21, 10, 11, 12, 345), nanos: 678_000 }
  it.each([
    [defaultDateFormat, '2026-11-21T10:11:12.345Z'],
    [defaultDateNanosFormat, '2026-11-21T10:11:12.345678Z'],
    ['epoch_millis', '1795255872345.678'],
    ['epoch_second', '1795255872.345678'],
    ['basic_date', '20261121'],
    ['dd MMM yyyy EEE h:mm a', '21 Nov 2026 Sat 10:11 AM'],
    ["YYYY-'W'ww", '2026-W47'],
    ['MMMM d, yy X Z', 'November 21, 26 Z +0000'],
  ])('%s', (pattern, text) => expect(dateFormat(pattern).print(instant)).toBe(text))

  it('prints in a zone', () => {
    const format = dateFormat('strict_date_optional_time')
    expect(format.print(instant, timeZone('+05:30'))).toBe('2026-11-21T15:41:12.345+05:30')
    expect(format.print(instant, timeZone('America/New_York'))).toBe('2026-11-21T05:11:12.345-05:00')
    expect(dateFormat("yyyy-MM-dd'T'HH:mm VV").print(instant, timeZone('Europe/Berlin'))).toBe(
      '2026-11-21T11:11 Europe/Berlin',
    )
  })
})
