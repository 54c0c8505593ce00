import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCron } from './cron.ts'

const after = (expression: string, from: string, times = 1): string | undefined => {
  let at: number | undefined = Date.parse(from)
  for (let n = 0; n < times && at !== undefined; n += 1) at = parseCron(expression).next(at)
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 19)
}

describe('the next time of a cron expression', () => {
  it.each([
    ['0 30 1 * * ?', '2026-11-23T01:29:59.999Z', '2026-11-23T01:30:00'],
    ['0 30 1 * * ?', '2026-11-23T01:30:00Z', '2026-11-24T01:30:00'],
    ['0 0/15 * * * ?', '2026-12-31T23:46:00Z', '2027-01-01T00:00:00'],
    ['0 5 9 1 * ?', '2026-11-23T00:00:00Z', '2026-12-01T09:05:00'],
    ['0 0 0 ? * MON', '2026-11-23T00:00:00Z', '2026-11-30T00:00:00'],
    ['0 0 0 ? * 2', '2026-11-22T00:00:00Z', '2026-11-23T00:00:00'],
    ['0 0 22-2/2 * * ?', '2026-11-23T02:30:00Z', '2026-11-23T22:00:00'],
    ['0 0 12 L * ?', '2028-02-01T00:00:00Z', '2028-02-29T12:00:00'],
    ['0 0 12 L-3 * ?', '2026-11-01T00:00:00Z', '2026-11-27T12:00:00'],
    // 15 November 2026 is a Sunday, 1 August a Saturday, 31 January 2027 a Sunday.
    ['0 0 12 15W NOV ?', '2026-01-01T00:00:00Z', '2026-11-16T12:00:00'],
    ['0 0 12 1W AUG ?', '2026-01-01T00:00:00Z', '2026-08-03T12:00:00'],
    ['0 0 12 LW JAN ?', '2027-01-01T00:00:00Z', '2027-01-29T12:00:00'],
    ['0 0 12 ? * FRIL', '2026-11-01T00:00:00Z', '2026-11-27T12:00:00'],
    ['0 0 12 ? * 6#2', '2026-11-01T00:00:00Z', '2026-11-13T12:00:00'],
    ['0 0 12 ? * L', '2026-11-23T00:00:00Z', '2026-11-28T12:00:00'],
    ['0 0 12 29 2 ?', '2026-03-01T00:00:00Z', '2028-02-29T12:00:00'],
    ['5,10 0 0 1 1 ? 2030', '2026-01-01T00:00:00Z', '2030-01-01T00:00:05'],
    ['0 0 0 1 1 ? 2020', '2026-01-01T00:00:00Z', undefined],
    ['0 0 0 31 2 ?', '2026-01-01T00:00:00Z', undefined],
  ])('%s after %s is %s', (expression, from, expected) => {
    expect(after(expression, from)).toBe(expected)
  })

  it('goes on from one to the next', () => {
    expect(after('30 59 23 ? * SAT,SUN', '2026-11-23T00:00:00Z', 3)).toBe('2026-12-05T23:59:30')
  })

  it('lies behind the moment asked, and nothing lies between', () => {
    const every = parseCron('0/7 * * * * ?')
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (from) => {
        const next = every.next(from) ?? 0
        expect(next).toBeGreaterThan(from)
        expect(next - from).toBeLessThanOrEqual(7000)
        expect((next % 60_000) % 7000).toBe(0)
      }),
    )
  })
})

it.each([
  '',
  '* * * * *',
  '0 0 0 ? * ?',
  '0 0 0 * * *',
  '60 0 0 * * ?',
  '0 0 24 * * ?',
  '0 0 0 32 * ?',
  '0 0 0 * FOO ?',
  '0 0 0 ? * 8',
  '0 0/0 0 * * ?',
  '0 1-2-3 0 * * ?',
  '0 0 0 ? * 6#6',
])('%j is refused', (expression) => {
  expect(() => parseCron(expression)).toThrow(`invalid cron expression [${expression}]`)
})
