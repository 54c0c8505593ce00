import { expect, it } from 'vitest'
import { createIdSource } from './automatic-id.ts'

it('makes ids of 20 characters that never repeat and sort by time, also when the clock stands still or goes back', () => {
  const times = [1_000, 1_000, 1_001, 999, 999, 1_700_000_000_000]
  const { next, made } = createIdSource(() => times.shift() ?? 1_700_000_000_000)
  const ids = Array.from({ length: 300 }, next)
  expect(ids.every((id) => /^[-_0-9A-Za-z]{20}$/.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(300)
  // The order of code units, not of a locale.
  expect([...ids].sort()).toEqual(ids)
  expect(ids.every(made)).toBe(true)
})
