import { describe, expect, it } from 'vitest'
import { dateFormat, defaultDateFormat, timeZone } from './date-format.ts'
import { evaluateDateMath } from './date-math.ts'

const nowMs = Date.UTC(2026, 10, 21, 10, 11, 12, 345)
const evaluate = (text: string, roundUp = false, zone = 'UTC'): string => {
  const options = { format: dateFormat(defaultDateFormat), nowMs, roundUp, zone: timeZone(zone) }
  return new Date(evaluateDateMath(text, options).ms).toISOString()
}

describe('date math', () => {
  it.each([
    ['now', '2026-11-21T10:11:12.345Z'],
    ['now-15m', '2026-11-21T09:56:12.345Z'],
    ['now/d', '2026-11-21T00:00:00.000Z'],
    ['now-1d/d', '2026-11-20T00:00:00.000Z'],
    ['now/w', '2026-11-16T00:00:00.000Z'],
    ['now+1M/M', '2026-12-01T00:00:00.000Z'],
    ['now-2y', '2024-11-21T10:11:12.345Z'],
    ['2026-01-31||+1M', '2026-02-28T00:00:00.000Z'],
    ['2026-01-31||/y', '2026-01-01T00:00:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ])('%s', (text, expected) => expect(evaluate(text)).toBe(expected))

  it('rounds up to the last millisecond', () => {
    expect(evaluate('now/d', true)).toBe('2026-11-21T23:59:59.999Z')
    expect(evaluate('2026-11', true)).toBe('2026-11-01T23:59:59.999Z')
    expect(evaluate('2026-11||-1d', true)).toBe('2026-10-31T00:00:00.000Z')
  })

  it('counts days and rounds in a zone with daylight saving', () => {
    expect(evaluate('2026-03-30T12:00:00||-1d/d', false, 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z')
    expect(evaluate('2026-03-29T12:00:00||/d', true, 'Europe/Berlin')).toBe('2026-03-29T21:59:59.999Z')
    expect(evaluate('now/h', false, 'Asia/Kolkata')).toBe('2026-11-21T09:30:00.000Z')
  })

  it.each([
    ['now*1d', 'operator not supported for date math [*1d]'],
    ['now-', 'truncated date math [-]'],
    ['now-1', 'truncated date math [-1]'],
    ['now-1x', 'unit [x] not supported for date math [-1x]'],
    ['now/2d', 'rounding `/` can only be used on single unit types [/2d]'],
  ])('refuses %s', (text, reason) =>
    expect(() => evaluate(text)).toThrow(expect.objectContaining({ code: 'parse_exception', message: reason })),
  )

  it('refuses what the format does not read, with the causes Elasticsearch gives', () => {
    expect(() => evaluate('abc||+1d')).toThrow(
      expect.objectContaining({
        code: 'parse_exception',
        message:
          'failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]: [failed to parse date field [abc] with format [strict_date_optional_time||epoch_millis]]',
        cause: expect.objectContaining({
          code: 'illegal_argument_exception',
          cause: expect.objectContaining({ message: 'Failed to parse with all enclosed parsers' }),
        }),
      }),
    )
  })
})
