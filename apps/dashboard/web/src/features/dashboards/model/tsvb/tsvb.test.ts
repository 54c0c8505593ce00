import { describe, expect, test } from 'vitest'
import { formatMetric } from '../../../../format/format-as.ts'
import type { PanelModel } from '../panel-model.ts'
import { aggregationsOf } from '../to-search.ts'
import { tableOf } from '../to-table.ts'
import { ruleColor } from './color-rules.ts'
import { seriesFormat } from './format.ts'
import { seriesMetrics } from './metrics.ts'
import { type TsvbModel, tsvbModel } from './series.ts'
import { filledTemplate, templateValues } from './template.ts'
import { valuesOfSeries } from './values.ts'

const range = { fromMs: 0, toMs: 3_000_000 }
const context = { range, types: new Map<string, string>(), timeField: '@timestamp' }
const series = (rest: Readonly<Record<string, unknown>>) => ({
  id: 's',
  split_mode: 'everything',
  metrics: [{ id: 'c', type: 'count' }],
  ...rest,
})

function modelOf(params: Readonly<Record<string, unknown>>): TsvbModel {
  const attributes = {
    savedVis: { type: 'metrics', params: { index_pattern: 'logs-*', time_field: '@timestamp', ...params } },
  }
  const panel: PanelModel = {
    id: 'p',
    kind: 'metrics',
    title: '',
    place: { x: 0, y: 0, w: 1, h: 1 },
    attributes,
    config: {},
    references: [],
  }
  return tsvbModel(panel, new Map(), range)
}

function first<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (item === undefined) throw new Error('there is none')
  return item
}

describe('what is asked', () => {
  test('a series over time by the values of a field, ordered by its own number', () => {
    const saved = series({
      split_mode: 'terms',
      terms_field: 'host.name',
      terms_size: '3',
      terms_order_by: 'a',
      metrics: [{ id: 'a', type: 'avg', field: 'load' }],
      filter: { query: 'x: 1', language: 'kuery' },
    })
    const { request } = first(modelOf({ type: 'timeseries', interval: '1m', filter: 'y:2', series: [saved] }).series)
    expect(request).toMatchObject({
      index: 'logs-*',
      timeField: '@timestamp',
      queries: [
        { language: 'lucene', query: 'y:2' },
        { language: 'kuery', query: 'x: 1' },
      ],
    })
    expect(aggregationsOf(request, context)).toMatchObject({
      b0: {
        terms: { field: 'host.name', size: 3, order: { m0: 'desc' } },
        aggs: { b1: { date_histogram: { field: '@timestamp', fixed_interval: '1m', min_doc_count: 0 } } },
      },
    })
  })

  test.each([
    ['auto', '30s'],
    ['', '30s'],
    ['>=1m', '1m'],
    ['>=1s', '30s'],
    ['10s', '10s'],
  ])('the interval %j is %s wide over fifty minutes', (interval, width) => {
    const { request } = first(modelOf({ type: 'timeseries', interval, series: [series({})] }).series)
    expect(aggregationsOf(request, context)).toMatchObject({ b0: { date_histogram: { fixed_interval: width } } })
  })

  test('the whole range needs no buckets of time, its last bucket does', () => {
    const whole = modelOf({ type: 'metric', time_range_mode: 'entire_time_range', series: [series({})] })
    expect(first(whole.series).request.buckets).toEqual([])
    expect(first(modelOf({ type: 'metric', series: [series({})] }).series).time).toBe('time')
  })

  test('filters split a series; a panel may stand apart from the dashboard', () => {
    const split_filters = [{ filter: { query: 'a: 1', language: 'kuery' }, label: 'one' }, { filter: 'b:2' }]
    const saved = series({ split_mode: 'filters', split_filters })
    const { request } = first(modelOf({ type: 'timeseries', ignore_global_filter: 1, series: [saved] }).series)
    expect(request.alone).toBe(true)
    expect(request.buckets[0]).toMatchObject({ type: 'filters', filters: [{ label: 'one' }, { label: 'b:2' }] })
  })
})

const chain = (...metrics: Readonly<Record<string, unknown>>[]) => seriesMetrics(metrics, 'label', '@timestamp')
/** What a series shows of numbers search found in buckets of ten seconds. */
const shown = (
  metrics: readonly Readonly<Record<string, unknown>>[],
  found: readonly Readonly<Record<string, unknown>>[],
) => {
  const model = modelOf({ type: 'timeseries', interval: '10s', series: [series({ metrics })] })
  const { request, values } = first(model.series)
  const buckets = found.map((bucket, at) => ({ key: at * 10_000, doc_count: 1, ...bucket }))
  const { rows, columns } = tableOf(request, { aggregations: { b0: { buckets } }, total: 0 }, context)
  expect(columns.map(({ id }) => id)).toEqual(['time', ...values])
  return rows.flatMap((row) => values.map((id) => row[id]))
}

describe('chains of metrics', () => {
  test('a rate of a counter that began anew', () => {
    const metrics = [
      { id: 'm', type: 'max', field: 'bytes' },
      { id: 'd', type: 'derivative', field: 'm', unit: '1s' },
      { id: 'p', type: 'positive_only', field: 'd' },
    ]
    const found = [100, 150, 20, 60].map((value) => ({ m0: { value } }))
    expect(shown(metrics, found)).toEqual([null, 5, 0, 4])
    expect(shown([{ id: 'r', type: 'positive_rate', field: 'bytes', unit: '1s' }], found)).toEqual([null, 5, 0, 4])
  })

  test('arithmetic over other metrics of the series', () => {
    const variables = [
      { name: 'a', field: 'x' },
      { name: 'b', field: 'y' },
    ]
    const metrics = [
      { id: 'x', type: 'sum', field: 'used' },
      { id: 'y', type: 'sum', field: 'total' },
      { id: 'z', type: 'math', script: 'params.a / params.b * 100', variables },
    ]
    expect(
      shown(metrics, [
        { m0: { value: 1 }, m1: { value: 4 } },
        { m0: { value: 1 }, m1: { value: 0 } },
      ]),
    ).toEqual([25, null])
  })

  test('a share of the documents that fit', () => {
    const metrics = [
      { id: 'f', type: 'filter_ratio', numerator: { query: 'a: 1', language: 'kuery' }, denominator: '*' },
    ]
    expect(shown(metrics, [{ m0: { doc_count: 1 }, m1: { doc_count: 8 } }])).toEqual([0.125])
  })

  test('several percentiles are several columns, and can be calculated with', () => {
    const percentiles = [{ value: '50' }, { value: 95 }]
    const found = [{ m0: { values: { '50.0': 3 } }, m1: { values: { '95.0': 9 } } }]
    expect(shown([{ id: 'p', type: 'percentile', field: 'x', percentiles }], found)).toEqual([3, 9])
    const sum = { id: 's', type: 'cumulative_sum', field: 'p[95.0]' }
    expect(shown([{ id: 'p', type: 'percentile', field: 'x', percentiles }, sum], found)).toEqual([9])
  })

  test('the mean of the largest values', () => {
    const hits = [{ fields: { 'a.b': [4] } }, { fields: { 'a.b': [8] } }]
    const metrics = [{ id: 'h', type: 'top_hit', field: 'a.b', size: 2, agg_with: 'avg', order: 'desc', order_by: 'n' }]
    expect(shown(metrics, [{ m0: { hits: { hits } } }])).toEqual([6])
    expect(chain(first(metrics)).metrics[0]).toMatchObject({ sortField: 'n', hits: 2, combine: 'average' })
  })

  test('what is not known is named', () => {
    expect(chain({ id: 'a', type: 'count' }, { id: 'b', type: 'vega' }).unknown).toEqual(['vega'])
    expect(chain({ id: 'm', type: 'math', script: 'doc["a"]' }).unknown).toEqual(['math'])
  })

  test('the series of a split become one', () => {
    const metrics = [
      { id: 'c', type: 'count' },
      { id: 's', type: 'series_agg', function: 'sum' },
    ]
    const saved = series({ split_mode: 'terms', terms_field: 'host.name', metrics })
    const found = first(modelOf({ type: 'timeseries', interval: '10s', series: [saved] }).series)
    const host = (key: string, doc_count: number) => ({ key, doc_count, b1: { buckets: [{ key: 0, doc_count }] } })
    const aggregations = { b0: { buckets: [host('a', 2), host('b', 5)] } }
    expect(tableOf(found.request, { aggregations, total: 7 }, context).rows).toEqual([{ time: 0, c: 7 }])
    expect(found.split).toBeUndefined()
  })
})

describe('what is shown', () => {
  const bucketsOf = (...counts: number[]) => counts.map((doc_count, at) => ({ key: at * 30_000, doc_count }))
  const valuesIn = (params: Readonly<Record<string, unknown>>, aggregations: Readonly<Record<string, unknown>>) => {
    const model = modelOf(params)
    const one = first(model.series)
    const table = tableOf(one.request, { aggregations, total: 0 }, context)
    return { model, table, values: valuesOfSeries(model, one, table) }
  }

  test('the last bucket that is over, or the last of all', () => {
    const aggregations = { b0: { buckets: bucketsOf(3, 5, 1) } }
    const { values } = valuesIn({ type: 'metric', series: [series({ label: 'Events' })] }, aggregations)
    expect(values).toMatchObject([{ label: 'Events', value: 5, text: '5' }])
    const kept = valuesIn({ type: 'metric', drop_last_bucket: 0, series: [series({})] }, aggregations)
    expect(kept.values).toMatchObject([{ value: 1 }])
  })

  test('one value for each of a split, named as its label says', () => {
    const split = {
      split_mode: 'terms',
      terms_field: 'host.name',
      label: 'on {{key}}',
      value_template: '{{value}} a day',
    }
    const aggregations = { b0: { buckets: [{ key: 'web', doc_count: 4 }] } }
    const params = { type: 'top_n', time_range_mode: 'entire_time_range', series: [series(split)] }
    expect(valuesIn(params, aggregations).values).toMatchObject([{ label: 'on web', key: 'web', text: '4 a day' }])
  })

  test('a template with the numbers of its series', () => {
    const params = { type: 'markdown', series: [series({ label: 'Slow Queries' })] }
    const { model, table } = valuesIn(params, { b0: { buckets: bucketsOf(3, 5, 1) } })
    const filled = filledTemplate(
      '**{{ slow_queries.last.formatted }}** {{slow_queries.label}} {{ other }}',
      templateValues(model, [table]),
    )
    expect(filled).toBe('**5** Slow Queries ')
    expect(filledTemplate('{{ a.label }}', new Map([['a.label', '<b>*x*</b>']]))).toBe('\\<b\\>\\*x\\*\\</b\\>')
  })

  test('colours by rules', () => {
    const rules = [
      { operator: 'gte', value: 0, gauge: 'green' },
      { operator: 'gte', value: 70, gauge: 'red' },
      { id: 'empty' },
    ]
    expect(ruleColor(rules, 20, 'gauge')).toBe('green')
    expect(ruleColor(rules, 70, 'gauge')).toBe('red')
    expect(ruleColor(rules, -1, 'gauge')).toBeUndefined()
  })

  test.each([
    [1536, 'bytes', '', '1.5 KB'],
    [0.256, 'percent', '', '25.6%'],
    [12.5, "'0'", '{{value}}%', '13%'],
    [1234.567, '0,0.00', '', '1,234.57'],
    [90, 's,humanize,', '', '1.5 m'],
    [2500, 'ms,s,1', '', '2.5 s'],
    [3, 'number', '{{value}}/s', '3/s'],
  ])('%d as %s %s is %s', (value, formatter, template, shown) => {
    expect(formatMetric(value, seriesFormat(formatter, template))).toBe(shown)
  })
})
