import { expect, test } from 'vitest'
import type { SearchAnswer } from '../../../../api/search.ts'
import { valuesOf } from '../language/series.ts'
import { chartOf, startMs } from '../testing.ts'
import { seriesOf } from './answer.ts'
import { type EsQuestion, readMetric, readSplit, searchBody } from './question.ts'

const { frame } = chartOf(2)
const plain: EsQuestion & { readonly timeField: string } = {
  index: 'logs-*',
  timeField: '@timestamp',
  queries: ['*'],
  splits: [],
  metrics: [readMetric('count')],
  interval: frame.interval,
  range: frame.range,
  isInDashboard: true,
}
const dashboard = {
  queries: [{ language: 'kuery', query: 'level: error' }],
  filters: [{ exists: { field: 'host' } }],
}
const isoRange = {
  gte: '2026-03-01T12:00:00.000Z',
  lte: '2026-03-01T12:02:00.000Z',
  format: 'strict_date_optional_time',
}
const bounds = { min: startMs, max: startMs + 120_000 }

test('a search asks for the documents of the range, of the query, and of the dashboard', () => {
  const body = searchBody({ ...plain, queries: ['status:200'] }, dashboard, new Map())
  expect(body['query']).toMatchObject({
    bool: {
      filter: [
        { range: { '@timestamp': isoRange } },
        { match: { level: 'error' } },
        { query_string: { query: 'status:200' } },
        { exists: { field: 'host' } },
      ],
    },
  })
  const alone = searchBody({ ...plain, isInDashboard: false }, dashboard, new Map())
  expect(alone['query']).toEqual({ bool: { filter: [{ range: { '@timestamp': isoRange } }] } })
})

test('buckets of time are in the splits, and all of them are wanted', () => {
  const question = { ...plain, splits: [readSplit('host:3')], metrics: ['avg:x', 'percentiles:y:5,95'].map(readMetric) }
  const { aggs } = searchBody(question, dashboard, new Map())
  expect(aggs).toMatchObject({
    s0: {
      terms: { field: 'host', size: 3 },
      aggs: {
        t: {
          date_histogram: { field: '@timestamp', fixed_interval: '1m', min_doc_count: 0, extended_bounds: bounds },
          aggs: { m0: { avg: { field: 'x' } }, m1: { percentiles: { field: 'y', percents: [5, 95] } } },
        },
      },
    },
  })
})

test('each of several queries has a part of the answer', () => {
  const { aggs, query } = searchBody({ ...plain, queries: ['*', 'b:2'] }, { queries: [], filters: [] }, new Map())
  expect(query).toEqual({ bool: { filter: [{ range: { '@timestamp': isoRange } }] } })
  expect(aggs).toMatchObject({
    q: { filters: { filters: [{ match_all: {} }, { bool: { filter: [{ query_string: { query: 'b:2' } }] } }] } },
  })
})

const answered = (aggregations: Record<string, unknown>): SearchAnswer => ({ hits: { hits: [] }, aggregations })
const times = (...numbers: readonly Record<string, unknown>[]): Record<string, unknown> => ({
  t: { buckets: numbers.map((numbersOf, at) => ({ key: startMs + at * 60_000, ...numbersOf })) },
})

test('a count over time, called as Kibana calls it', () => {
  const [series, ...others] = seriesOf(plain, answered(times({ doc_count: 3 }, { doc_count: 0 })))
  expect(others).toEqual([])
  expect(series).toMatchObject({ label: 'q:* > count', split: '*' })
  expect(series?.points).toEqual([
    [startMs, 3],
    [startMs + 60_000, 0],
  ])
})

test('series of queries, splits and numbers; what is not there is a gap', () => {
  const question = {
    ...plain,
    queries: ['a', 'b'],
    splits: [readSplit('host:2')],
    metrics: ['avg:x', 'percentiles:y:50'].map(readMetric),
  }
  const host = (key: string): Record<string, unknown> => ({
    key,
    ...times(
      { doc_count: 1, m0: { value: 2 }, m1: { values: { '50.0': 7 } } },
      { doc_count: 0, m0: { value: null }, m1: { values: { '50.0': null } } },
    ),
  })
  const found = seriesOf(
    question,
    answered({ q: { buckets: [{ s0: { buckets: [host('x')] } }, { s0: { buckets: [host('x'), host('y')] } }] } }),
  )
  expect(found.map(({ label, split }) => [label, split])).toEqual(
    ['q:a > host:x', 'q:b > host:x', 'q:b > host:y'].flatMap((group) => [
      [`${group} > avg(x)`, group.at(-1)],
      [`${group} > percentiles(y):50.0`, group.at(-1)],
    ]),
  )
  expect(found.slice(0, 2).map(valuesOf)).toEqual([
    [2, null],
    [7, null],
  ])
})

test('a split without values has no series, and one with too many is refused', () => {
  const question = { ...plain, splits: [readSplit('host:1000')] }
  expect(seriesOf(question, answered({ s0: { buckets: [] } }))).toEqual([])
  const buckets = Array.from({ length: 501 }, (_, key) => ({ key, ...times({ doc_count: 1 }) }))
  expect(() => seriesOf(question, answered({ s0: { buckets } }))).toThrow('found 501 series: at most 500 are drawn')
})
