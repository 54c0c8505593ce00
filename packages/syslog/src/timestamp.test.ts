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
