import { all } from '@logstack/rules'
import { expect, it } from 'vitest'
import type { Source } from './find-intervals.ts'
import { findSpans, spanFrequency } from './find-spans.ts'

const word = (letter: string): Source => ({ op: 'word', path: 't', found: all, matches: (each) => each === letter })
const near = (letters: string, order: 'ordered' | 'unordered', gapsMax: number): Source => ({
  op: 'all',
  of: [...letters].map(word),
  order,
  gapsMax,
})
const placed = (text: string) => () => [...text].map((letter, place) => ({ word: letter, place }))
const spans = (source: Source, text: string) =>
  findSpans(source, placed(text)).map(({ start, end, width }) => [start, end, width])

it('goes on from every first word, also where another stands between', () => {
  expect(spans(near('ab', 'ordered', 1), 'aab')).toEqual([
    [0, 3, 1],
    [1, 3, 0],
  ])
  expect(spans(near('ab', 'ordered', 0), 'aab')).toEqual([[1, 3, 0]])
  expect(spans(near('ab', 'ordered', 9), 'ba')).toEqual([])
})

it('finds words in any order, and lets one stand for two', () => {
  expect(spans(near('ab', 'unordered', 0), 'bxab')).toEqual([[2, 4, 2]])
  expect(spans(near('ab', 'unordered', 1), 'bxa')).toEqual([[0, 3, 3]])
  expect(spans(near('aa', 'unordered', 5), 'xa')).toEqual([[1, 2, 1]])
})

it('keeps what holds, what is held, what begins a text and what is apart', () => {
  const wide = near('ac', 'ordered', 5)
  const related = (relation: 'containing' | 'contained_by', of: Source, to: Source): Source => ({
    op: 'related',
    of,
    to,
    relation,
    not: false,
  })
  expect(spans(related('containing', wide, word('b')), 'acabc')).toEqual([[2, 5, 1]])
  expect(spans(related('contained_by', word('b'), wide), 'bacabc')).toEqual([[4, 5, 0]])
  expect(spans({ op: 'first', of: word('a'), end: 2 }, 'baa')).toEqual([[1, 2, 0]])
  expect(spans({ op: 'apart', of: word('a'), from: word('b'), pre: 1, post: 0 }, 'baxba')).toEqual([])
  expect(spans({ op: 'apart', of: word('a'), from: word('b'), pre: 0, post: 1 }, 'abxa')).toEqual([[3, 4, 0]])
})

it('counts each span the less the wider it is', () => {
  expect(spanFrequency(near('ab', 'ordered', 1), placed('aab'))).toBeCloseTo(1.5)
  expect(spanFrequency({ op: 'any', of: [word('a'), word('b')] }, placed('aab'))).toBe(3)
})
