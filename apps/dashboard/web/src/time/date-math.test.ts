import { describe, expect, test } from 'vitest'
import { isDateMath, resolveDateMath } from './date-math.ts'

// Local times throughout: date math rounds in the browser's zone.
const now = new Date(2026, 10, 21, 10, 28, 20, 123)
const local = (...parts: [number, number, number, number?, number?, number?, number?]): Date => new Date(...parts)

describe('date math', () => {
  test.each([
    ['now', local(2026, 10, 21, 10, 28, 20, 123)],
    ['now-15m', local(2026, 10, 21, 10, 13, 20, 123)],
    ['now-7d/d', local(2026, 10, 14)],
    ['now/w', local(2026, 10, 16)],
    ['now/M', local(2026, 10, 1)],
    ['now/y', local(2026, 0, 1)],
    ['now+1d-1h', local(2026, 10, 22, 9, 28, 20, 123)],
    ['now/h', local(2026, 10, 21, 10)],
  ])('%s', (text, expected) => {
    expect(resolveDateMath(text, { now })).toEqual(expected)
  })

  test('an upper bound rounds to the end of the unit', () => {
    expect(resolveDateMath('now/d', { now, roundUp: true })).toEqual(local(2026, 10, 21, 23, 59, 59, 999))
    expect(resolveDateMath('now/w', { now, roundUp: true })).toEqual(local(2026, 10, 22, 23, 59, 59, 999))
  })

  test('a month is added to the last day there is', () => {
    const date = resolveDateMath('2026-01-31T12:00:00Z||+1M', { now })
    expect(date.getMonth()).toBe(1)
    expect(date.getDate()).toBe(28)
  })

  test.each(['', 'yesterday', 'now-', 'now-5x', 'now/'])('[%s] is refused', (text) => {
    expect(isDateMath(text)).toBe(false)
    expect(() => resolveDateMath(text, { now })).toThrow(/is not a time/)
  })
})
