import { expect, test } from 'vitest'
import { lastLookOf } from './use-health.ts'

const document = (check: string, status: string, time: string) => ({
  '@timestamp': time,
  since: time,
  check,
  title: check,
  status,
  message: `${check} was looked at`,
})
const noon = '2026-03-01T12:00:00.000Z'

test('faults come first, then their consequences; what cannot be told before what is fine', () => {
  const look = lastLookOf(
    [
      document('b', 'healthy', noon),
      document('c', 'unknown', noon),
      document('d', 'consequence', noon),
      document('e', 'fault', noon),
    ],
    Date.parse(noon),
  )
  expect(look?.faults.map(({ check }) => check)).toEqual(['e', 'd'])
  expect(look?.others.map(({ check }) => check)).toEqual(['c', 'b'])
})

test('a look is stale when the next ones did not come', () => {
  const sources = [document('a', 'healthy', noon)]
  expect(lastLookOf(sources, Date.parse(noon) + 6 * 60_000)?.isStale).toBe(false)
  expect(lastLookOf(sources, Date.parse(noon) + 13 * 60_000)?.isStale).toBe(true)
})

test('without documents, or with none that is understood, nobody has looked', () => {
  expect(lastLookOf([], 0)).toBeNull()
  expect(lastLookOf([{ status: 'of another time' }], 0)).toBeNull()
})
