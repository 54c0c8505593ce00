import { expect, test } from 'vitest'
import { vegaQuestion } from './ask.ts'
import { filterOf } from './dashboard-functions.ts'
import { boundedSequence, readSpec, rowsAt, withAnswers, withoutKibana } from './spec.ts'

const range = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 1, 1) }
const context = {
  range,
  queries: [{ language: 'lucene', query: 'a:1' }],
  filters: [{ term: { b: 2 } }],
}
const time = {
  range: {
    t: {
      gte: '2026-01-01T00:00:00.000Z',
      lte: '2026-01-01T01:00:00.000Z',
      format: 'strict_date_optional_time',
    },
  },
}

test('a url in the dashboard’s context asks for its range, query and filters', () => {
  const url = { '%context%': true, '%timefield%': 't', index: 'logs-*', body: { size: 3 } }
  const { index, body } = vegaQuestion(url, context, new Map())
  expect(index).toBe('logs-*')
  expect(body).toMatchObject({
    size: 3,
    query: { bool: { filter: [time, { query_string: { query: 'a:1' } }, { term: { b: 2 } }] } },
  })
  expect(() => vegaQuestion({ ...url, body: { query: {} } }, context, new Map())).toThrow('cannot both be set')
  expect(() => vegaQuestion({ body: {} }, context, new Map())).toThrow('no index')
})

test('Kibana’s words in a body stand for the range and the clauses of the dashboard', () => {
  const body = {
    query: {
      bool: {
        must: ['%dashboard_context-must_clause%', { '%timefilter%': true }],
        must_not: ['%dashboard_context-must_not_clause%'],
      },
    },
    aggs: {
      h: {
        date_histogram: {
          fixed_interval: { '%autointerval%': 10 },
          extended_bounds: { min: { '%timefilter%': 'min' }, max: { '%timefilter%': 'max', shift: 1, unit: 'hour' } },
        },
      },
    },
  }
  const asked = vegaQuestion({ '%timefield%': 't', index: 'x', body }, context, new Map())
  expect(asked.body).toMatchObject({
    query: { bool: { must: [{ bool: { filter: [{ query_string: {} }, { term: { b: 2 } }] } }, time], must_not: [] } },
    aggs: {
      h: {
        date_histogram: {
          fixed_interval: '600s',
          extended_bounds: { min: range.fromMs, max: range.toMs + 3_600_000 },
        },
      },
    },
  })
})

test('a specification is read as HJSON, of either language', () => {
  expect(readSpec('{\n  // words\n  $schema: https://vega.github.io/schema/vega-lite/v5.json\n  mark: bar\n}')).toEqual(
    {
      spec: { $schema: 'https://vega.github.io/schema/vega-lite/v5.json', mark: 'bar' },
      isLite: true,
    },
  )
  expect(readSpec('{marks: [], data: []}').isLite).toBe(false)
})

test('what would hang the page, and maps, are refused', () => {
  expect(() => readSpec('{config: {kibana: {type: "map"}}}')).toThrow('map')
  expect(() => readSpec('{data: {sequence: {start: 0, stop: 1e9}}}')).toThrow('sequence')
  expect(() => readSpec('{data: [{transform: [{type: "sequence", stop: {signal: "n"}}]}]}')).toThrow('sequence')
  expect(() => readSpec('{data: {sequence: {start: 0, stop: 9, step: 0}}}')).toThrow('sequence')
  expect(readSpec('{data: {sequence: {start: 0, stop: 100}}}').isLite).toBe(true)
  expect(() => rowsAt(Array.from({ length: 50_001 }), undefined)).toThrow('50001 rows')
})

test('answers take the place of urls, wherever they are', async () => {
  const spec = {
    layer: [{ data: { url: { index: 'x' }, format: { property: 'aggregations.h.buckets', parse: { key: 'date' } } } }],
    mark: 'bar',
  }
  const buckets = [{ key: 1 }, { key: 2 }]
  const found = await withAnswers(spec, () => Promise.resolve({ aggregations: { h: { buckets } } }))
  expect(found).toEqual({
    layer: [{ data: { values: buckets, format: { parse: { key: 'date' } } } }],
    mark: 'bar',
  })
  const elsewhere = { data: { url: 'https://example.org/data.json' } }
  await expect(withAnswers(elsewhere, () => Promise.resolve({}))).rejects.toThrow('https://example.org/data.json')
})

test('sequences of expressions have ends', () => {
  expect(boundedSequence(3)).toEqual([0, 1, 2])
  expect(boundedSequence(1, 2, 0.5)).toEqual([1, 1.5])
  expect(boundedSequence(3, 0, -1)).toEqual([3, 2, 1])
  expect(boundedSequence(3, 0)).toEqual([])
  for (const ends of [[1e9], [0, 1, 0], [0, Number.NaN]]) expect(() => boundedSequence(...ends)).toThrow('at most')
})

test('what is meant for Kibana is left out, a theme is kept', () => {
  expect(withoutKibana({ mark: 'bar', config: { kibana: { tooltips: false }, bar: { color: 'red' } } })).toEqual({
    mark: 'bar',
    config: { bar: { color: 'red' } },
  })
  expect(withoutKibana({ mark: 'bar', config: { kibana: {} } })).toEqual({ mark: 'bar' })
})

test.each([
  [{ match_phrase: { a: 'x' } }, { field: 'a', value: 'x' }],
  [{ query: { match: { a: { query: 3 } } } }, { field: 'a', value: 3 }],
  [{ term: { a: { value: true } } }, { field: 'a', value: true }],
  [{ terms: { a: [1, 2] } }, { field: 'a', values: [1, 2] }],
  [{ exists: { field: 'a' } }, { field: 'a' }],
  [{ range: { a: { gte: 1, lte: 2 } } }, { field: 'a', range: { gte: 1, lte: 2 } }],
  [{ range: { a: { gt: 1 } } }, undefined],
  [{ bool: { filter: [] } }, undefined],
  [undefined, undefined],
])('the filter of %j is %j', (clause, filter) => {
  expect(filterOf(clause)).toEqual(filter)
})
