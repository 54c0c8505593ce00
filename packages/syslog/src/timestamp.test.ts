import { describe, expect, it } from 'vitest'
import { resolveTimestamp } from './timestamp.ts'

const now = Date.parse('2026-01-01T00:10:00Z')

describe('resolveTimestamp', () => {
  it.each([
    ['Dec 31 23:59:59', undefined, '2025-12-31T23:59:59.000Z'],
    ['Jan  1 00:00:01', undefined, '2026-01-01T00:00:01.000Z'],
    ['Jan  1 02:00:01', '+02:00', '2026-01-01T00:00:01.000Z'],
    ['Nov 21 2024 10:00:00', undefined, '2024-11-21T10:00:00.000Z'],
    ['Nov 21 10:00:00.25', undefined, '2025-11-21T10:00:00.250Z'],
    ['2026-01-01T00:00:00.123456+01:00', undefined, '2025-12-31T23:00:00.123Z'],
    ['Dec 31 24:00:00', undefined, '2026-01-01T00:00:00.000Z'],
    ['Dec 31 23:59:60', undefined, '2025-12-31T23:59:59.000Z'],
    ['2016-12-31T23:59:60.5Z', undefined, '2016-12-31T23:59:59.500Z'],
    ['2026-01-01 00:00:00,5', '-05:00', '2026-01-01T05:00:00.500Z'],
  ])('reads %s in zone %s', (text, timezone, expected) => {
    expect(resolveTimestamp(text, { now, timezone })).toBe(expected)
  })

  const berlin = (text: string, at: string): string | undefined =>
    resolveTimestamp(text, { now: Date.parse(at), timezone: 'Europe/Berlin' })

  it('reads a named zone in summer and winter', () => {
    expect(berlin('Jul  1 12:00:00', '2026-07-01T10:00:00Z')).toBe('2026-07-01T10:00:00.000Z')
    expect(berlin('Dec  1 12:00:00', '2026-12-01T11:00:00Z')).toBe('2026-12-01T11:00:00.000Z')
    expect(berlin('2026-07-01 12:00:00', '2026-12-01T11:00:00Z')).toBe('2026-07-01T10:00:00.000Z')
    const york = { now: Date.parse('2026-07-01T16:00:00Z'), timezone: 'America/New_York' }
    expect(resolveTimestamp('Jul  1 12:00:00', york)).toBe('2026-07-01T16:00:00.000Z')
    const kathmandu = { now: Date.parse('2026-07-01T16:00:00Z'), timezone: 'Asia/Kathmandu' }
    expect(resolveTimestamp('2026-07-01 05:45:00', kathmandu)).toBe('2026-07-01T00:00:00.000Z')
    expect(resolveTimestamp('Jul  1 12:00:00', { now, timezone: 'Europe/Nowhere' })).toBeUndefined()
  })

  it('reads the hour that a clock shows twice as it comes, and the one it leaves out as the one after', () => {
    expect(berlin('Oct 25 02:30:00', '2026-10-25T00:30:01Z')).toBe('2026-10-25T00:30:00.000Z')
    expect(berlin('Oct 25 02:30:02', '2026-10-25T01:30:03Z')).toBe('2026-10-25T01:30:02.000Z')
    expect(berlin('Oct 25 02:30:00', '2026-10-25T01:30:01Z')).toBe('2026-10-25T01:30:00.000Z')
    expect(berlin('Oct 25 01:59:59', '2026-10-25T00:00:00Z')).toBe('2026-10-24T23:59:59.000Z')
    expect(berlin('Oct 25 03:00:00', '2026-10-25T02:00:00Z')).toBe('2026-10-25T02:00:00.000Z')
    expect(berlin('Mar 29 02:30:00', '2026-03-29T01:30:00Z')).toBe('2026-03-29T01:30:00.000Z')
    expect(berlin('Mar 29 03:00:00', '2026-03-29T01:00:00Z')).toBe('2026-03-29T01:00:00.000Z')
  })

  it('gives the same text the year that its reader is in', () => {
    const readAt = (time: string): string | undefined => resolveTimestamp('Dec 31 23:59:59', { now: Date.parse(time) })
    expect(readAt('2026-01-01T00:10:00Z')).toBe('2025-12-31T23:59:59.000Z')
    expect(readAt('2026-12-30T23:59:58Z')).toBe('2025-12-31T23:59:59.000Z')
    expect(readAt('2026-12-30T23:59:59Z')).toBe('2026-12-31T23:59:59.000Z')
    expect(readAt('2026-01-01T00:10:00Z')).toBe('2025-12-31T23:59:59.000Z')
  })

  it.each([
    'Nov 00 10:00:00',
    'Nov 21 10:60:00',
    'Nov 21 24:00:01',
    '',
    'yesterday',
    'Foo 21 10:00:00',
    '2026-13-41T10:00:00Z',
  ])('refuses %j', (text) => {
    expect(resolveTimestamp(text, { now })).toBeUndefined()
  })
})
