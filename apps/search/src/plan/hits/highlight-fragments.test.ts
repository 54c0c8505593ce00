import { expect, it } from 'vitest'
import { readHighlight } from '../../dsl/highlight-request.ts'
import { beginningOf, fragmentsOf } from './highlight-fragments.ts'

function marking(text: string, word: RegExp, options: Record<string, unknown>): string[] {
  const [asked] = readHighlight({ fields: { body: options } })
  if (!asked) throw new Error('BUG: nothing was asked')
  const spans = [...text.matchAll(word)].map(({ index, 0: found }) => ({ from: index, to: index + found.length }))
  return fragmentsOf(text, spans, asked)
}

it('cuts a long sentence at words before and behind a match', () => {
  const text = 'the lazy dog sleeps all day; a lazy lazy day'
  expect(marking(text, /lazy|day/gu, { fragment_size: 20 })).toEqual([
    'the <em>lazy</em> dog sleeps all',
    '<em>day</em>; a <em>lazy</em> <em>lazy</em> <em>day</em>',
  ])
})

it('keeps the best fragments, in the order of the text unless the best are to come first', () => {
  // As an Elasticsearch 8.19 chose.
  const text = 'Foxes, dogs & cats: a story. fox fox'
  expect(marking(text, /fox/gu, { fragment_size: 15, number_of_fragments: 1 })).toEqual(['<em>fox</em>'])
  const more = 'a red day is here. a red and blue blue day. red it is'
  const options = { fragment_size: 18, number_of_fragments: 2, order: 'score' }
  expect(marking(more, /red|blue/gu, options)[0]).toContain('blue')
})

it('takes a word longer than it looks for as cut', () => {
  const text = `x ${'y'.repeat(5_000)} z`
  const [fragment] = marking(text, /x/gu, { fragment_size: 10 })
  expect(fragment?.startsWith('<em>x</em> yyy')).toBe(true)
  expect(fragment?.length).toBeLessThan(1_200)
})

it('shows the beginning of a text without a match, with what a browser would read written out', () => {
  const [asked] = readHighlight({ encoder: 'html', fields: { body: { no_match_size: 4 } } })
  expect(asked && beginningOf('a <b> c & d', asked)).toBe('a &lt;b&gt;')
})
