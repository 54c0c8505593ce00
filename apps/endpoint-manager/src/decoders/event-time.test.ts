import { describe, expect, it } from 'vitest'
import { eventTime } from './event-time.ts'

const context = { now: Date.parse('2026-11-22T03:30:00Z') }

describe('eventTime', () => {
  it.each([
    ['1795317932', '2026-11-22T03:25:32.000Z'],
    ['1795317932.123456', '2026-11-22T03:25:32.123Z'],
    ['1795317932123', '2026-11-22T03:25:32.123Z'],
    ['1795317932123456789', '2026-11-22T03:25:32.123Z'],
    ['22/Nov/2026:03:25:32 +0100', '2026-11-22T02:25:32.000Z'],
    ['22-Nov-2026 03:25:32.123', '2026-11-22T03:25:32.123Z'],
    ['Sun Nov 22 03:25:32.123456 2026', '2026-11-22T03:25:32.123Z'],
    ['nov/22/2026 03:25:32', '2026-11-22T03:25:32.000Z'],
    ['2026/11/22 03:25:32', '2026-11-22T03:25:32.000Z'],
    ['2026-11-22T03:25:32.123456+0000', '2026-11-22T03:25:32.123Z'],
    ['Nov 22 03:25:32', '2026-11-22T03:25:32.000Z'],
    ['22/Foo/2026:03:25:32 +0100', undefined],
    ['soon', undefined],
  ])('reads %s', (text, expected) => {
    expect(eventTime(text, context)).toBe(expected)
  })

  it('takes the zone that is told for times without one', () => {
    expect(eventTime('2026/11/22 03:25:32', { ...context, timezone: '+02:00' })).toBe('2026-11-22T01:25:32.000Z')
  })
})
