import { tokenize } from '@logstack/rules'
import { describe, expect, it } from 'vitest'
import { Analysis } from '../analysis/analysis.ts'
import { columnText, encodeWord, searchPlaces } from './column-words.ts'
import type { Analyzer } from './token.ts'

const analysis = new Analysis({
  'analysis.filter.syns.type': 'synonym_graph',
  'analysis.filter.syns.synonyms': '["wtf, what the fudge"]',
  'analysis.filter.grams.type': 'edge_ngram',
  'analysis.filter.grams.min_gram': '1',
  'analysis.filter.grams.max_gram': '3',
  'analysis.analyzer.graph.tokenizer': 'standard',
  'analysis.analyzer.graph.filter': '["lowercase", "syns"]',
  'analysis.analyzer.edges.tokenizer': 'standard',
  'analysis.analyzer.edges.filter': '["grams"]',
  'analysis.filter.pairs.type': 'shingle',
  'analysis.analyzer.pairs.tokenizer': 'standard',
  'analysis.analyzer.pairs.filter': '["pairs"]',
})
const named = (name: string) => analysis.analyzer(name) as Analyzer
const plain = (word: string) => word

describe('words of columns', () => {
  it('are one word each to the standard analyzer, whatever is in them, and keep their beginnings', () => {
    for (const word of ['Foo-Bar', 'a.b.c', '10.0.0.1', 'ÄÖ ß', '日本', 'x y', '#tag', '😀', 'ǁ', '_', "don't"]) {
      expect(tokenize(`a ${encodeWord(word)} b`)).toEqual(['a', encodeWord(word), 'b'])
      for (let end = 1; end < word.length; end++)
        if (!/[\uD800-\uDBFF]$/u.test(word.slice(0, end)))
          expect(encodeWord(word).startsWith(encodeWord(word.slice(0, end)))).toBe(true)
    }
    expect(encodeWord('plain_word9')).toBe('plain_word9')
    expect(encodeWord('A')).not.toBe(encodeWord('a'))
  })

  it('keep the places of words that were taken away', () => {
    expect(columnText(named('english'), 'The quick and the dead')).toBe('quick ǁǁ ǁǁ dead')
  })

  it('hold words at one place once as the first, once as the last of them', () => {
    expect(columnText(named('edges'), 'fox den')).toBe('f d ǁǁ fo ǁǁ de ǁǁ fox den')
  })
})

it('reads a searched text along every way of its words', () => {
  expect(searchPlaces(named('graph'), 'say wtf now', plain)).toEqual([
    [['say']],
    [['what', 'the', 'fudge'], ['wtf']],
    [['now']],
  ])
  expect(searchPlaces(named('graph'), '', plain)).toEqual([])
  expect(searchPlaces(named('english'), 'bread and butter', plain)).toEqual([[['bread']], [['ǁǁ']], [['butter']]])
})

it('reads a long text of words and pairs of words, whose ways are more than can be counted, in the first of them', () => {
  const words = Array.from({ length: 5_000 }, (_, at) => `w${at}`)
  const [place, ...others] = searchPlaces(named('pairs'), words.join(' '), plain)
  expect(others).toEqual([])
  expect(place).toEqual([words])
  const fifty = words.slice(0, 50)
  const [ways = []] = searchPlaces(named('pairs'), fifty.join(' '), plain)
  expect(ways[0]).toEqual(fifty)
  expect(new Set(ways.map((way) => way.join('|'))).size).toBe(64)
  for (const way of ways) expect(way.join(' ')).toBe(fifty.join(' '))
  expect(searchPlaces(named('pairs'), 'a b c', plain)).toEqual([
    [
      ['a', 'b', 'c'],
      ['a', 'b c'],
      ['a b', 'c'],
    ],
  ])
})
