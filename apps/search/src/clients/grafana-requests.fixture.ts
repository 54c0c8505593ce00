// What Grafana's data source for Elasticsearch (12.8) sends, written from its published shapes: names of aggregations are numbers of the editor.

/** A time range in milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

const time = '@timestamp'
const words = (query: string) => ({ query_string: { analyze_wildcard: true, query } })
const within = ({ from, to }: Range) => ({ range: { [time]: { gte: from, lte: to, format: 'epoch_millis' } } })
const queried = (range: Range, query: string) => ({ bool: { filter: [within(range), words(query)] } })
const overTime = ({ from, to }: Range, interval: string, more: object = {}) => ({
  date_histogram: {
    field: time,
    fixed_interval: interval,
    min_doc_count: 0,
    extended_bounds: { min: from, max: to },
    format: 'epoch_millis',
    ...more,
  },
})
const last = (path: string) => ({ buckets_path: path })

/** Metrics over time, with those that are made of others. */
export const metricsOverTime = (range: Range) => ({
  size: 0,
  query: queried(range, '*'),
  aggs: {
    2: {
      ...overTime(range, '60000ms'),
      aggs: {
        1: { avg: { field: 'n' } },
        3: { min: { field: 'n' } },
        4: { max: { field: 'n' } },
        5: { sum: { field: 'n' } },
        6: { cardinality: { field: 'level' } },
        7: { percentiles: { field: 'n', percents: ['50', '100'] } },
        8: { extended_stats: { field: 'n', sigma: 3 } },
        9: { derivative: { ...last('1'), unit: '1m' } },
        10: { moving_fn: { ...last('1'), window: 3, script: 'MovingFunctions.unweightedAvg(values)' } },
        11: { cumulative_sum: { ...last('_count') } },
        12: { serial_diff: { ...last('4'), lag: 2 } },
        13: { bucket_script: { buckets_path: { low: '3', high: '4' }, script: 'params.high - params.low' } },
        14: { top_metrics: { metrics: [{ field: 'source.port' }], size: '1', sort: [{ [time]: 'desc' }] } },
      },
    },
  },
})

/** A series for each of the best terms. */
export const groupedOverTime = (range: Range) => ({
  size: 0,
  query: queried(range, '*'),
  aggs: {
    3: {
      terms: { field: 'level', size: 10, order: { 1: 'desc' }, min_doc_count: 1 },
      aggs: {
        1: { max: { field: 'n' } },
        2: { ...overTime(range, '300000ms', { time_zone: 'Europe/Berlin' }), aggs: { 1: { max: { field: 'n' } } } },
      },
    },
  },
})

/** Named queries, a histogram, and all of them together in a bucket beside. */
export const groupedOtherwise = (range: Range) => ({
  size: 0,
  query: { bool: { filter: within(range) } },
  aggs: {
    3: { filters: { filters: { 'level:error': words('level:error'), 'n:>=500': words('n:>=500') } } },
    4: { histogram: { field: 'n', interval: 250, min_doc_count: 0 } },
    5: { ...overTime(range, '300000ms'), aggs: { 1: { sum: { field: 'n' } } } },
    6: { sum_bucket: last('5>1') },
    7: { max_bucket: last('5>_count') },
  },
})

/** The volume above the logs, by level. */
export const logVolume = (range: Range) => ({
  size: 0,
  query: queried(range, '*'),
  aggs: {
    3: {
      terms: { field: 'level', size: 500, order: { _key: 'desc' }, min_doc_count: 1, missing: 'unknown' },
      aggs: { 2: overTime(range, '120000ms') },
    },
  },
})

/** Logs, and those around one of them with `search_after`. */
export const logs = (range: Range, query: string, way: 'asc' | 'desc' = 'desc', after?: readonly unknown[]) => ({
  size: 5,
  query: queried(range, query),
  sort: { [time]: { order: way, unmapped_type: 'boolean' }, _doc: { order: way } },
  ...(after ? { search_after: after } : {}),
  docvalue_fields: [time],
  script_fields: {},
  fields: [{ field: time, format: 'strict_date_optional_time_nanos' }],
  highlight: {
    fields: { '*': {} },
    pre_tags: ['@HIGHLIGHT@'],
    post_tags: ['@/HIGHLIGHT@'],
    fragment_size: 2_147_483_647,
  },
})

/** The values of a variable. */
export const variable = (range: Range, field: string) => ({
  size: 0,
  query: { bool: { filter: within(range) } },
  aggs: { 1: { terms: { field, size: 500, order: { _key: 'asc' } } } },
})

/** Annotations: events whose time lies in the range, or reaches into it. */
export const annotations = ({ from, to }: Range) => ({
  size: 10_000,
  query: {
    bool: {
      filter: [
        {
          bool: {
            should: [
              { range: { [time]: { from, to, format: 'epoch_millis' } } },
              {
                bool: {
                  must: [
                    { range: { [time]: { from: 0, to, format: 'epoch_millis' } } },
                    { range: { timeEnd: { from, to, format: 'epoch_millis' } } },
                  ],
                },
              },
            ],
            minimum_should_match: 1,
          },
        },
        { query_string: { query: 'level:error' } },
      ],
    },
  },
})

/** The lines of `_msearch`, one search of these indices each. */
export function multiSearch(searches: readonly { readonly index: string; readonly body: object }[]): string {
  return searches
    .flatMap(({ index, body }) => [{ ignore_unavailable: true, index, search_type: 'query_then_fetch' }, body])
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
