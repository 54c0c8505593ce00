import { describe, expect, it } from 'vitest'
import { timeZone, utc } from '../../dates/date-format.ts'
import { calendarRounding, fixedRounding } from './date-rounding.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'

it.each([
  ['2', 5, 2],
  ['-1', 5, 4],
  ['75%', 4, 3],
  ['-25%', 4, 3],
  ['2<75%', 2, 2],
  ['2<75%', 8, 6],
  ['2<-25% 9<-3', 12, 9],
])('minimum_should_match %s of %i is %i', (given, clauses, expected) => {
  expect(minimumShouldMatch(given, clauses, 1)).toBe(expected)
})

describe('rounding', () => {
  const berlin = timeZone('Europe/Berlin')

  it('follows the clocks of a zone over their change', () => {
    const days = calendarRounding('1d', berlin, 0)
    const start = days.floor(Date.UTC(2026, 2, 29, 12))
    expect(new Date(start).toISOString()).toBe('2026-03-28T23:00:00.000Z')
    expect(new Date(days.next(start)).toISOString()).toBe('2026-03-29T22:00:00.000Z')
  })

  it('begins weeks on Monday and months on their first day', () => {
    expect(new Date(calendarRounding('week', utc, 0).floor(Date.UTC(2026, 10, 22))).toISOString()).toBe(
      '2026-11-16T00:00:00.000Z',
    )
    expect(new Date(calendarRounding('1q', utc, 0).floor(Date.UTC(2026, 10, 22))).toISOString()).toBe(
      '2026-10-01T00:00:00.000Z',
    )
  })

  it('moves buckets by an offset', () => {
    const six = fixedRounding(86_400_000, utc, 6 * 3_600_000)
    expect(new Date(six.floor(Date.UTC(2026, 10, 22, 5))).toISOString()).toBe('2026-11-21T06:00:00.000Z')
  })
})
