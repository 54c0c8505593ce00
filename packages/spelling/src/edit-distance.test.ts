import { expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'

it.each([
  ['fox', 'fox', 0],
  ['fox', 'box', 1],
  ['fox', 'ofx', 1],
  ['fox', 'fo', 1],
  ['', 'ab', 2],
  ['kitten', 'sitting', 3],
  ['straße', 'strase', 1],
])('%s and %s are %d apart', (a, b, distance) => expect(editDistance(a, b, 3)).toBe(distance))

it('counts a swap as two letters where swaps are not asked for', () => {
  expect(editDistance('fox', 'ofx', 3, false)).toBe(2)
})
