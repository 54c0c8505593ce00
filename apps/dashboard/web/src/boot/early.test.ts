import { expect, test } from 'vitest'
import { askEarly, takeEarly } from './early.ts'

test('an early answer is taken once, and then asked for anew', async () => {
  await askEarly('a', async () => 1)
  expect(await takeEarly('a', async () => 2)).toBe(1)
  expect(await takeEarly('a', async () => 3)).toBe(3)
})

test('an early failure is told to who takes it, and only to them', async () => {
  await expect(askEarly('b', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  await expect(takeEarly('b', async () => 4)).rejects.toThrow('away')
  expect(await takeEarly('b', async () => 5)).toBe(5)
})
