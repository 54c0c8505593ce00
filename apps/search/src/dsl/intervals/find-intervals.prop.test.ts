import { all } from '@logstack/rules'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inOneTime } from '../../painless/script-run.ts'
import { findIntervals, type Relation, type Source } from './find-intervals.ts'

type Found = ReturnType<typeof findIntervals>[number]

const word = (letter: string): Source => ({ op: 'word', path: 't', found: all, matches: (each) => each === letter })
const placed = (text: string) => [...text].map((letter, place) => ({ word: letter, place }))
const find = (source: Source, text: string) => findIntervals(source, () => placed(text))

const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 14 })
const places = (text: string, letter: string) => [...text].flatMap((each, at) => (each === letter ? [at] : []))

/** The shortest pieces of a text that hold the letters, by trying all of them. */
function shortest(text: string, holds: (start: number, end: number) => boolean): [number, number][] {
  const found: [number, number][] = []
  for (let start = 0; start < text.length; start += 1)
    for (let end = start; end < text.length; end += 1) if (holds(start, end)) found.push([start, end])
  return found.filter(([start, end]) => !found.some(([s, e]) => s >= start && e <= end && (s > start || e < end)))
}

const bounds = (found: readonly Found[]) => found.map(({ start, end }) => [start, end])

it('finds words in any order, each its own', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 4 }), (text, letters) => {
      // The same word asked for twice is one source, as a query makes it.
      const sources = new Map(letters.map((letter) => [letter, word(letter)]))
      const of = letters.flatMap((letter) => sources.get(letter) ?? [])
      const holds = (start: number, end: number) =>
        [...sources.keys()].every(
          (letter) =>
            places(text.slice(start, end + 1), letter).length >= letters.filter((each) => each === letter).length,
        )
      expect(bounds(find({ op: 'all', of, order: 'unordered', gapsMax: undefined }, text))).toEqual(
        shortest(text, holds),
      )
    }),
  )
})

it('finds words in their order', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2, maxLength: 4 }), (text, letters) => {
      const inOrder = (piece: string): boolean => {
        let at = -1
        return letters.every((letter) => {
          at = piece.indexOf(letter, at + 1)
          return at >= 0
        })
      }
      const source = { op: 'all', of: letters.map(word), order: 'ordered', gapsMax: undefined } as const
      expect(bounds(find(source, text))).toEqual(shortest(text, (start, end) => inOrder(text.slice(start, end + 1))))
    }),
  )
})

const relates: Readonly<Record<Relation, (one: Found, other: Found) => boolean>> = {
  after: (one, other) => one.start > other.end,
  before: (one, other) => one.end < other.start,
  contained_by: (one, other) => other.start <= one.start && one.end <= other.end,
  containing: (one, other) => one.start <= other.start && other.end <= one.end,
  overlapping: (one, other) => one.start <= other.end && other.start <= one.end,
}
const pair = fc
  .tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('a', 'b', 'c'))
  .map((two): Source => ({ op: 'all', of: two.map(word), order: 'ordered', gapsMax: undefined }))

it('keeps those that lie so to another, or apart from all', () => {
  fc.assert(
    fc.property(
      texts,
      pair,
      pair,
      fc.constantFrom(...(Object.keys(relates) as Relation[])),
      fc.boolean(),
      fc.nat(2),
      fc.nat(2),
      (text, of, to, relation, not, pre, post) => {
        const others = find(to, text)
        const expected = find(of, text).filter((each) => others.some((other) => relates[relation](each, other)) !== not)
        expect(find({ op: 'related', of, to, relation, not }, text)).toEqual(expected)
        const apart = find(of, text).filter(
          (each) => !others.some((other) => other.end >= each.start - pre && other.start <= each.end + post),
        )
        expect(find({ op: 'apart', of, from: to, pre, post }, text)).toEqual(apart)
      },
    ),
  )
})

it('goes through a long text once, and not for each of its words', () => {
  const of = [word('a'), word('b')]
  const text = 'ab'.repeat(100_000)
  const found = inOneTime(() => find({ op: 'all', of, order: 'unordered', gapsMax: 0 }, text))
  expect(found).toHaveLength(199_999)
})
