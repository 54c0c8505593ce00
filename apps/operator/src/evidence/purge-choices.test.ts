import { expect, test } from 'vitest'
import { type PurgeChoice, smallestThatFrees } from './purge-choices.ts'

const choice = (age: string, bytes: number): PurgeChoice => ({ age, bytes, indices: 1, events: 10 })
const choices = [choice('90d', 100), choice('30d', 500), choice('7d', 900)]

test('the oldest events that give back enough are offered, else as much as there is', () => {
  expect(smallestThatFrees(choices, 100)?.age).toBe('90d')
  expect(smallestThatFrees(choices, 101)?.age).toBe('30d')
  expect(smallestThatFrees(choices, 5_000)?.age).toBe('7d')
  expect(smallestThatFrees([], 1)).toBeUndefined()
})
