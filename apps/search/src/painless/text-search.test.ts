import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lastPlaceIn, piecesBetween, placeIn, timesIn, withReplaced } from './text-search.ts'

/** Texts of two letters, in which parts nearly agree at most places. */
const letters = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b'), minLength, maxLength })
const long = fc
  .tuple(letters(0, 60), letters(33, 40), letters(0, 60))
  .map(([before, part, after]) => [before + part + part.slice(1) + after + part + before, part] as const)

it('finds long parts where the runtime finds them', () => {
  fc.assert(
    fc.property(long, letters(33, 40), fc.integer({ min: 0, max: 150 }), ([text, held], other, from) => {
      for (const part of [held, other]) {
        expect(placeIn(text, part, from)).toBe(text.indexOf(part, from))
        expect(lastPlaceIn(text, part, from)).toBe(text.lastIndexOf(part, from))
        expect(lastPlaceIn(text, part)).toBe(text.lastIndexOf(part))
        expect(piecesBetween(text, part)).toEqual(text.split(part))
        expect(timesIn(text, part)).toBe(text.split(part).length - 1)
        expect(withReplaced(text, part, '$&')).toBe(text.replaceAll(part, () => '$&'))
      }
    }),
  )
})

it.each([
  [placeIn('abcabc', 'c'), 2],
  [placeIn('abcabc', 'c', 3), 5],
  [placeIn('abc', ''), 0],
  [lastPlaceIn('abcabc', 'c'), 5],
  [lastPlaceIn('abcabc', 'c', 4), 2],
  [lastPlaceIn('abc', 'a', -1), -1],
  [placeIn('abc', 'abcd'.repeat(10)), -1],
  [lastPlaceIn('abc', 'abcd'.repeat(10)), -1],
])('finds short parts, and none where there is none: %s', (found, expected) => {
  expect(found).toBe(expected)
})
