import { expect, it } from 'vitest'
import type { IndexMeta } from '../../model/index-meta.ts'
import { analysisStats } from './analysis-stats.ts'

const index = (id: number, settings: object, properties: object) =>
  ({ id, settings, mapping: { properties } }) as IndexMeta

it('counts what indices define and what they use of what is built in', () => {
  const settings = {
    'analysis.filter.short.type': 'length',
    'analysis.filter.long.type': 'length',
    'analysis.analyzer.own.tokenizer': 'keyword',
    'analysis.analyzer.own.filter': 'short, lowercase',
    'analysis.analyzer.own.char_filter': '["html_strip"]',
    'analysis.analyzer.other.type': 'standard',
    number_of_shards: '1',
  }
  const text = { type: 'text', analyzer: 'own', search_analyzer: 'french' }
  const both = [
    index(1, settings, {
      a: text,
      b: { properties: { c: { type: 'keyword', fields: { t: { ...text, analyzer: 'french' } } } } },
    }),
    index(2, {}, { a: { type: 'text', analyzer: 'german' } }),
  ]
  const once = { count: 1, index_count: 1 }
  expect(analysisStats(both)).toEqual({
    char_filter_types: [],
    tokenizer_types: [],
    filter_types: [{ name: 'length', count: 2, index_count: 1 }],
    analyzer_types: [
      { name: 'custom', ...once },
      { name: 'standard', ...once },
    ],
    built_in_char_filters: [{ name: 'html_strip', ...once }],
    built_in_tokenizers: [{ name: 'keyword', ...once }],
    built_in_filters: [{ name: 'lowercase', ...once }],
    built_in_analyzers: [
      { name: 'french', count: 3, index_count: 1 },
      { name: 'german', ...once },
    ],
  })
})
