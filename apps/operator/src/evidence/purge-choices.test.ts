import { expect, test } from 'vitest'
import { chosenAge, type PurgeChoice, smallestThatFrees } from './purge-choices.ts'

const choice = (age: string, bytes: number): PurgeChoice => ({ age, bytes, indices: 1, events: 10 })
const choices = [choice('90d', 100), choice('30d', 500), choice('7d', 900)]

test('the oldest events that give back enough are offered, else as much as there is', () => {
  expect(smallestThatFrees(choices, 100)?.age).toBe('90d')
  expect(smallestThatFrees(choices, 101)?.age).toBe('30d')
  expect(smallestThatFrees(choices, 5_000)?.age).toBe('7d')
  expect(smallestThatFrees([], 1)).toBeUndefined()
})

test('only an age that was offered deletes anything', () => {
  expect(chosenAge(choices, ' 30d\n')).toBe('30d')
  expect(chosenAge(choices, ' ')).toBeUndefined()
  for (const typed of ['1h', '1d', '30', '0d', '-7d', '30d 7d', 'all']) {
    expect(() => chosenAge(choices, typed)).toThrow(expect.objectContaining({ code: 'option_invalid' }))
  }
})
