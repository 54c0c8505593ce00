// What Kibana 8's Discover, Lens, controls and dashboards send, written from their published shapes: names of aggregations are numbers of the editor.

/** A time range as ISO text. */
export interface Range {
  readonly from: string
  readonly to: string
}

const time = '@timestamp'
const within = ({ from, to }: Range) => ({
  range: { [time]: { format: 'strict_date_optional_time', gte: from, lte: to } },
})
const filtered = (range: Range, ...filter: object[]) => ({
  bool: { must: [], filter: [...filter, within(range)], should: [], must_not: [] },
})
/** What Kibana makes of `level: error` and of `message: quick` typed in its bar. */
export const kql = (field: string, value: string, phrase = false) => ({
  bool: { should: [{ [phrase ? 'match_phrase' : 'match']: { [field]: value } }], minimum_should_match: 1 },
})
const shown = {
  fields: [{ field: time, format: 'date_time' }],
  script_fields: {},
  stored_fields: ['*'],
  runtime_mappings: {},
  _source: { excludes: [] },
}

/** The table of Discover. */
export const documents = (range: Range, size: number, ...filter: object[]) => ({
  sort: [
    { [time]: { order: 'desc', format: 'strict_date_optional_time', unmapped_type: 'boolean' } },
    { _doc: { order: 'desc', unmapped_type: 'boolean' } },
  ],
  track_total_hits: false,
  fields: [
    { field: '*', include_unmapped: 'true' },
    { field: time, format: 'strict_date_optional_time' },
  ],
  size,
  version: true,
  script_fields: {},
  stored_fields: ['*'],
  runtime_mappings: {},
  _source: false,
  query: filtered(range, ...filter),
  highlight: {
    pre_tags: ['@kibana-highlighted-field@'],
    post_tags: ['@/kibana-highlighted-field@'],
    fields: { '*': {} },
    fragment_size: 2_147_483_647,
  },
})

/** The chart above it, in the buckets of a zone. */
export const chart = (range: Range) => ({
  size: 0,
  track_total_hits: true,
  aggs: {
    2: {
      date_histogram: {
        field: time,
        calendar_interval: '1m',
        time_zone: 'Asia/Kolkata',
        extended_bounds: { min: Date.parse(range.from), max: Date.parse(range.to) },
        min_doc_count: 1,
      },
    },
  },
  ...shown,
  query: filtered(range),
})

/** The documents around one, before or behind it. */
export const surrounding = (way: 'asc' | 'desc', after: readonly unknown[]) => ({
  query: { bool: { must: { constant_score: { filter: { exists: { field: time } } } }, filter: [] } },
  size: 3,
  search_after: after,
  sort: [
    { [time]: { order: way, format: 'strict_date_optional_time' } },
    { _doc: { order: way, unmapped_type: 'boolean' } },
  ],
  version: true,
  fields: [{ field: '*', include_unmapped: true }],
  _source: false,
})

/** One document, by its id. */
export const single = (id: string) => ({
  query: { bool: { filter: [{ ids: { values: [id] } }] } },
  stored_fields: ['*'],
  script_fields: {},
  fields: [{ field: '*', include_unmapped: 'true' }],
  version: true,
  _source: true,
  runtime_mappings: {},
})

/** The statistics of a field beside the table. */
export const fieldStatistics = (range: Range, field: string, number: string) => ({
  size: 0,
  query: filtered(range),
  aggs: {
    sample: {
      sampler: { shard_size: 5_000 },
      aggs: {
        sample_count: { value_count: { field } },
        top_values: { terms: { field, size: 10, shard_size: 25 } },
        min_value: { min: { field: number } },
        max_value: { max: { field: number } },
      },
    },
  },
})

/** A chart of Lens: bars over time, split by the best terms, of a filtered average and a moving total. */
export const bars = (range: Range) => ({
  size: 0,
  aggs: {
    0: {
      terms: { field: 'level', order: { '2-bucket>2-metric': 'desc' }, size: 1, shard_size: 25 },
      aggs: {
        1: {
          date_histogram: {
            field: time,
            fixed_interval: '5m',
            time_zone: 'UTC',
            extended_bounds: { min: Date.parse(range.from), max: Date.parse(range.to) },
          },
          aggs: { '2-bucket': { filter: kqlFilter('n', 100), aggs: { '2-metric': { avg: { field: 'n' } } } } },
        },
        '2-bucket': { filter: kqlFilter('n', 100), aggs: { '2-metric': { avg: { field: 'n' } } } },
      },
    },
  },
  ...shown,
  query: filtered(range),
})
const kqlFilter = (field: string, least: number) => ({
  bool: {
    must: [],
    filter: [{ bool: { should: [{ range: { [field]: { gte: String(least) } } }], minimum_should_match: 1 } }],
    should: [],
    must_not: [],
  },
})

/** The bucket "Other" of a Lens table: what the best terms left. */
export const others = (range: Range, field: string, best: readonly string[]) => ({
  size: 0,
  aggs: {
    'other-filter': {
      aggs: { 1: { sum: { field: 'n' } } },
      filters: {
        filters: {
          '': {
            bool: {
              must: [],
              filter: [{ exists: { field } }],
              should: [],
              must_not: best.map((value) => ({ match_phrase: { [field]: value } })),
            },
          },
        },
      },
    },
  },
  query: filtered(range),
})

/** Metrics of Lens: unique count, last value of two kinds, percentiles, a ratio's parts and the value of the time before. */
export const metrics = (range: Range, before: Range) => ({
  size: 0,
  aggs: {
    time_offset_split: {
      filters: { filters: { regular: within(range), '5m': within(before) } },
      aggs: {
        unique: { cardinality: { field: 'source.ip' } },
        median: { percentiles: { field: 'n', percents: [50] } },
        rank: { percentile_ranks: { field: 'n', values: [10_000] } },
        deviation: { extended_stats: { field: 'n' } },
        'last-bucket': {
          filter: { bool: { must: [], filter: [{ bool: { should: [{ exists: { field: 'level' } }] } }] } },
          aggs: {
            'last-metric': { top_metrics: { metrics: { field: 'level' }, size: 1, sort: { [time]: 'desc' } } },
          },
        },
        shown: {
          top_hits: {
            fields: [{ field: 'source.ip' }],
            _source: false,
            size: 1,
            sort: [{ [time]: { order: 'desc' } }],
          },
        },
        formatted: {
          top_hits: {
            docvalue_fields: [{ field: time, format: 'date_time' }],
            _source: time,
            size: 1,
            sort: [{ n: { order: 'asc' } }],
          },
        },
      },
    },
  },
  query: { bool: { must: [], filter: [{ bool: { should: [within(range), within(before)] } }] } },
})

/** Tables and maps of heat: several terms at once, ranges of numbers, and totals over buckets. */
export const tables = (range: Range) => ({
  size: 0,
  aggs: {
    0: { multi_terms: { terms: [{ field: 'level' }, { field: 'tags' }], size: 5, order: { _count: 'desc' } } },
    1: { range: { field: 'n', ranges: [{ from: 0, to: 100 }, { from: 100 }], keyed: true } },
    2: {
      histogram: { field: 'n', interval: 300, min_doc_count: 1 },
      aggs: { 3: { terms: { field: 'level', order: { _key: 'asc' }, missing: '__missing__' } } },
    },
    4: { sum_bucket: { buckets_path: '2>_count' } },
    5: { significant_terms: { field: 'tags', size: 3 } },
    6: { filter: { term: { level: 'error' } }, aggs: { 7: { missing: { field: 'note' } } } },
  },
  query: filtered(range, kql('tags', 'web', true)),
})

/** A control with the values of a field, those that were typed first. */
export const options = (range: Range, field: string, typed: string, chosen: readonly string[]) => ({
  size: 0,
  // Kibana gives it a second, which a busy machine may need for less.
  timeout: '30000ms',
  terminate_after: 100_000,
  query: filtered(range),
  aggs: {
    suggestions: {
      terms: {
        field,
        size: 10,
        shard_size: 10,
        execution_hint: 'map',
        order: { _count: 'desc' },
        ...(typed === '' ? {} : { include: `${typed}.*` }),
      },
    },
    unique_terms: { cardinality: { field } },
    validation: { filters: { filters: Object.fromEntries(chosen.map((key) => [key, { match: { [field]: key } }])) } },
  },
})

/** A visualisation of TSVB. */
export const timeSeries = (range: Range) => ({
  size: 0,
  timeout: '30000ms',
  query: { bool: { must: [within(range)], filter: [], should: [], must_not: [] } },
  aggs: {
    q: {
      meta: { timeField: time, interval: 300_000, seriesId: 'q' },
      filters: { filters: { e: { query_string: { query: 'level:error' } }, rest: { match_all: {} } } },
      aggs: {
        timeseries: {
          date_histogram: {
            field: time,
            min_doc_count: 0,
            time_zone: 'UTC',
            extended_bounds: { min: Date.parse(range.from), max: Date.parse(range.to) },
            fixed_interval: '300s',
          },
          aggs: {
            most: { max: { field: 'n' } },
            grown: { derivative: { buckets_path: 'most', gap_policy: 'skip', unit: '1s' } },
            positive: {
              bucket_script: {
                buckets_path: { value: 'grown[normalized_value]' },
                script: { source: 'params.value > 0.0 ? params.value : 0.0', lang: 'painless' },
                gap_policy: 'skip',
              },
            },
          },
        },
      },
    },
  },
})
