import { expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'
import { compilePattern } from './pattern.ts'

it.each([
  ['fox', 'fox', 0],
  ['fox', 'box', 1],
  ['fox', 'ofx', 1],
  ['fox', 'fo', 1],
  ['', 'ab', 2],
  ['kitten', 'sitting', 3],
  ['straße', 'strase', 1],
])('%s and %s are %d apart', (a, b, distance) => expect(editDistance(a, b, 3)).toBe(distance))

it('matches words that are near and begin alike', () => {
  const near = compilePattern({ kind: 'fuzzy', text: 'fox', caseInsensitive: false, edits: 1, prefixLength: 1 })
  expect(['fox', 'fix', 'box', 'foxes', 'ox'].filter(near)).toEqual(['fox', 'fix'])
})
