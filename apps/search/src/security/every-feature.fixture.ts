/** The name of a field among those that are shown, or of its like among those that are hidden. */
export type Name = (field: string) => string

const keyword = { type: 'keyword' }

/** The fields of both kinds: `t` is shown, `h_t` hidden. */
export const fieldsOf = (of: Name) => ({
  [of('t')]: { type: 'text', fields: { raw: keyword } },
  [of('k')]: keyword,
  [of('n')]: { type: 'long' },
  [of('f')]: { type: 'double' },
  [of('d')]: { type: 'date' },
  [of('ip')]: { type: 'ip' },
  [of('p')]: { type: 'geo_point' },
  [of('c')]: { type: 'completion' },
  [of('o')]: { type: 'nested', properties: { k: keyword, n: { type: 'long' } } },
  [of('r')]: { type: 'rank_feature' },
})

/** The one field of an index that joins documents, which is shown: every fourth is the parent of those up to the next. */
export const joinField = { j: { type: 'join', relations: { parent: 'child' } } }
export const joinOf = (at: number) => ({
  j: at % 4 === 0 ? 'parent' : { name: 'child', parent: String(at - (at % 4)) },
})

/** The values of both kinds of a document. */
export const valuesOf = (of: Name, at: number) => ({
  [of('t')]: `failed login of user${at % 5} from place ${at}`,
  [of('k')]: [`key-${at % 4}`, 'all'],
  [of('n')]: at,
  [of('f')]: at / 4,
  [of('d')]: new Date(Date.UTC(2026, 10, 1) + at * 7_200_000).toISOString(),
  [of('ip')]: `10.0.${at % 3}.${at}`,
  [of('p')]: { lat: at / 2, lon: -at },
  [of('c')]: `user${at % 5} ${at}`,
  [of('o')]: [
    { k: `part-${at % 3}`, n: at },
    { k: 'part', n: 1 },
  ],
  [of('r')]: at + 1,
})

type Bodies = Readonly<Record<string, object>>

const all = { match_all: {} }
const source = (text: string) => ({ script: { source: text } })

const spans = (of: Name): Bodies => {
  const first = { span_term: { [of('t')]: 'failed' } }
  const second = { span_term: { [of('t')]: 'login' } }
  const near = { span_near: { clauses: [first, second], slop: 3, in_order: true } }
  return {
    span_term: first,
    span_near: near,
    span_or: { span_or: { clauses: [first, second] } },
    span_not: { span_not: { include: first, exclude: { span_term: { [of('t')]: 'user3' } }, dist: 4 } },
    span_first: { span_first: { match: second, end: 3 } },
    span_multi: { span_multi: { match: { prefix: { [of('t')]: 'user' } } } },
    span_containing: { span_containing: { big: near, little: first } },
    span_within: { span_within: { big: near, little: first } },
  }
}

const joins = (of: Name): Bodies => {
  const query = { range: { [of('n')]: { lt: 30 } } }
  const unknown = { ignore_unmapped: true }
  return {
    has_child: {
      has_child: { type: of('child'), query, score_mode: 'sum', max_children: 1, inner_hits: {}, ...unknown },
    },
    has_parent: { has_parent: { parent_type: of('parent'), query, inner_hits: {}, ...unknown } },
    parent_id: { parent_id: { type: of('child'), id: '4', ...unknown } },
  }
}

/** A query of every type, over fields of one kind. */
export const queriesOf = (of: Name): Bodies => ({
  ...spans(of),
  ...joins(of),
  bool: { bool: { must: [{ term: { [of('k')]: 'all' } }], must_not: [{ term: { [of('k')]: 'key-0' } }] } },
  boosting: { boosting: { positive: { match: { [of('t')]: 'failed' } }, negative: all, negative_boost: 0.5 } },
  combined_fields: { combined_fields: { query: 'failed user3', fields: [of('t')], operator: 'and' } },
  constant_score: { constant_score: { filter: { exists: { field: of('n') } } } },
  dis_max: { dis_max: { queries: [{ term: { [of('n')]: 4 } }, { term: { [of('n')]: 5 } }] } },
  distance_feature: { distance_feature: { field: of('d'), pivot: '1d', origin: '2026-11-02' } },
  exists: { exists: { field: of('t') } },
  function_score: {
    function_score: {
      query: all,
      functions: [{ filter: { range: { [of('n')]: { gt: 30 } } }, weight: 9 }],
      min_score: 5,
    },
  },
  fuzzy: { fuzzy: { [of('k')]: 'key-5' } },
  geo_bounding_box: { geo_bounding_box: { [of('p')]: { top_left: '9,-30', bottom_right: '0,0' } } },
  geo_distance: { geo_distance: { distance: '500km', [of('p')]: '5,-10' } },
  geo_polygon: { geo_polygon: { [of('p')]: { points: ['0,0', '0,-30', '20,-30'] } } },
  geo_shape: {
    geo_shape: {
      [of('p')]: {
        shape: {
          type: 'envelope',
          coordinates: [
            [-30, 15],
            [0, 0],
          ],
        },
        relation: 'intersects',
      },
    },
  },
  ids: { ids: { values: ['1', '2', '3', '4'] } },
  intervals: { intervals: { [of('t')]: { match: { query: 'failed user3', max_gaps: 3 } } } },
  match: { match: { [of('t')]: { query: 'user3 place', operator: 'and' } } },
  match_all: all,
  match_bool_prefix: { match_bool_prefix: { [of('t')]: 'failed log' } },
  match_none: { match_none: {} },
  match_phrase: { match_phrase: { [of('t')]: 'failed login' } },
  match_phrase_prefix: { match_phrase_prefix: { [of('t')]: 'failed log' } },
  more_like_this: {
    more_like_this: {
      fields: [of('t')],
      like: ['user3', { _id: '6' }, { _id: '9' }],
      ...{ min_term_freq: 1, min_doc_freq: 1, minimum_should_match: 2 },
    },
  },
  multi_match: { multi_match: { query: 'user3 key-2', fields: [of('*')], lenient: true } },
  nested: { nested: { path: of('o'), query: { term: { [`${of('o')}.k`]: 'part-1' } }, inner_hits: {} } },
  prefix: { prefix: { [of('k')]: 'key' } },
  query_string: { query_string: { query: `${of('k')}:key-1 OR ${of('n')}:[3 TO 9] OR user2`, lenient: true } },
  range: { range: { [of('n')]: { gte: 10, lt: 20 } } },
  rank_feature: { rank_feature: { field: of('r'), saturation: { pivot: 8 } } },
  regexp: { regexp: { [of('k')]: 'key-[12]' } },
  script: { script: source(`doc['${of('n')}'].size() > 0 && doc['${of('n')}'].value % 3 == 0`) },
  script_score: { script_score: { query: all, ...source(`doc['${of('n')}'].size()`), min_score: 1 } },
  simple_query_string: { simple_query_string: { query: 'user3 | key-1', fields: [of('t'), of('k')] } },
  term: { term: { [of('ip')]: '10.0.1.0/24' } },
  terms: { terms: { [of('k')]: ['key-1', 'key-2'] } },
  terms_set: { terms_set: { [of('k')]: { terms: ['key-1', 'all'], minimum_should_match_script: { source: '2' } } } },
  wildcard: { wildcard: { [of('k')]: '*-?' } },
  wrapper: { wrapper: { query: btoa(JSON.stringify({ term: { [of('k')]: 'key-1' } })) } },
})

const geo = (of: Name): Bodies => ({
  geo_distance: { geo_distance: { field: of('p'), origin: '5,-10', unit: 'km', ranges: [{ to: 500 }, { from: 500 }] } },
  geohash_grid: { geohash_grid: { field: of('p'), precision: 2 } },
  geotile_grid: { geotile_grid: { field: of('p'), precision: 4 } },
})

const numbers = (of: Name): Bodies =>
  Object.fromEntries(
    [
      ...[
        'avg',
        'cardinality',
        'extended_stats',
        'max',
        'min',
        'percentiles',
        'stats',
        'sum',
        'value_count',
        'boxplot',
      ],
      'median_absolute_deviation',
    ].map((name) => [name, { [name]: { field: of('f') } }]),
  )

const metrics = (of: Name): Bodies => ({
  ...numbers(of),
  geo_bounds: { geo_bounds: { field: of('p') } },
  geo_centroid: { geo_centroid: { field: of('p') } },
  matrix_stats: { matrix_stats: { fields: [of('n'), of('f')] } },
  percentile_ranks: { percentile_ranks: { field: of('f'), values: [1, 5] } },
  scripted_metric: {
    scripted_metric: {
      init_script: 'state.n = []',
      map_script: `if (doc['${of('n')}'].size() > 0) state.n.add(doc['${of('n')}'].value)`,
      combine_script: 'Collections.sort(state.n); return state.n',
      reduce_script: 'states',
    },
  },
  string_stats: { string_stats: { field: of('k') } },
  top_hits: { top_hits: { size: 3, sort: [{ [of('n')]: { order: 'desc', unmapped_type: 'long' } }, 'n'] } },
  top_metrics: { top_metrics: { metrics: { field: of('n') }, sort: { [of('d')]: 'desc' } } },
  weighted_avg: { weighted_avg: { value: { field: of('n') }, weight: { field: of('f') } } },
})

const buckets = (of: Name): Bodies => ({
  ...geo(of),
  adjacency_matrix: {
    adjacency_matrix: { filters: { a: { term: { [of('k')]: 'key-1' } }, b: { range: { [of('n')]: { gt: 9 } } } } },
  },
  children: { children: { type: of('child') } },
  parent: { parent: { type: of('child') } },
  auto_date_histogram: { auto_date_histogram: { field: of('d'), buckets: 5 } },
  composite: { composite: { sources: [{ k: { terms: { field: of('k'), missing_bucket: true } } }] } },
  date_histogram: { date_histogram: { field: of('d'), calendar_interval: 'day' } },
  date_range: { date_range: { field: of('d'), ranges: [{ to: '2026-11-03' }, { from: '2026-11-03' }] } },
  diversified_sampler: { diversified_sampler: { field: of('n'), shard_size: 200 } },
  filter: { filter: { term: { [of('k')]: 'key-1' } } },
  filters: { filters: { filters: { a: { term: { [of('k')]: 'key-1' } } }, other_bucket: true } },
  global: { global: {} },
  histogram: { histogram: { field: of('n'), interval: 7 } },
  ip_prefix: { ip_prefix: { field: of('ip'), prefix_length: 24 } },
  ip_range: { ip_range: { field: of('ip'), ranges: [{ mask: '10.0.1.0/24' }] } },
  missing: { missing: { field: of('k') } },
  multi_terms: { multi_terms: { terms: [{ field: of('k') }, { field: 'team' }] } },
  nested: { nested: { path: of('o') } },
  random_sampler: { random_sampler: { probability: 1 } },
  range: { range: { field: of('n'), ranges: [{ to: 10 }, { from: 10 }] } },
  rare_terms: { rare_terms: { field: of('k'), max_doc_count: 9 } },
  rate: {
    date_histogram: { field: of('d'), calendar_interval: 'day' },
    aggs: { r: { rate: { field: of('n'), unit: 'hour' } } },
  },
  reverse_nested: { nested: { path: of('o') }, aggs: { r: { reverse_nested: {} } } },
  sampler: { sampler: { shard_size: 200 } },
  significant_terms: { significant_terms: { field: of('k'), min_doc_count: 1 } },
  significant_text: { significant_text: { field: of('t'), min_doc_count: 1 } },
  terms: { terms: { field: of('k'), min_doc_count: 0 } },
  variable_width_histogram: { variable_width_histogram: { field: of('n'), buckets: 3 } },
})

/** Aggregations over the buckets of others, by name: what they are told beside the path. */
const ofBuckets: Bodies = {
  ...Object.fromEntries(
    [
      'avg_bucket',
      'extended_stats_bucket',
      'max_bucket',
      'min_bucket',
      'percentiles_bucket',
      'stats_bucket',
      'sum_bucket',
    ].map((name) => [name, { buckets_path: 'h>m' }]),
  ),
}
const ofParents: Bodies = {
  bucket_script: { buckets_path: { m: 'm' }, script: 'params.m * 2' },
  bucket_selector: { buckets_path: { m: 'm' }, script: 'params.m > 3' },
  bucket_sort: { sort: [{ m: 'desc' }], size: 3 },
  cumulative_sum: { buckets_path: 'm' },
  derivative: { buckets_path: 'm' },
  moving_fn: { buckets_path: 'm', window: 2, script: 'MovingFunctions.max(values)' },
  normalize: { buckets_path: 'm', method: 'percent_of_sum' },
  serial_diff: { buckets_path: 'm', lag: 1 },
}

/** The `aggs` of an aggregation of every type, over fields of one kind. */
export function aggregationsOf(of: Name): Bodies {
  const m = { sum: { field: of('n') } }
  const h = { histogram: { field: of('n'), interval: 10 } }
  return {
    ...Object.fromEntries(Object.entries(metrics(of)).map(([name, a]) => [name, { a }])),
    ...Object.fromEntries(
      Object.entries(buckets(of)).map(([name, a]) => [name, { a: 'aggs' in a ? a : { ...a, aggs: { m } } }]),
    ),
    ...Object.fromEntries(
      Object.entries(ofBuckets).map(([name, a]) => [name, { h: { ...h, aggs: { m } }, a: { [name]: a } }]),
    ),
    ...Object.fromEntries(
      Object.entries(ofParents).map(([name, a]) => [name, { h: { ...h, aggs: { m, a: { [name]: a } } } }]),
    ),
  }
}

const sorts = (of: Name): Bodies => ({
  'sort by a field': { sort: [{ [of('k')]: { order: 'desc', unmapped_type: 'keyword', mode: 'max' } }, 'n'] },
  'sort by a distance': { sort: [{ _geo_distance: { [of('p')]: '1,-1', ignore_unmapped: true } }, 'n'] },
  'sort by a nested field': {
    sort: [{ [`${of('o')}.n`]: { order: 'desc', unmapped_type: 'long', nested: { path: of('o') } } }, 'n'],
  },
  'sort by a script': {
    sort: [
      { _script: { type: 'number', ...source(`doc['${of('n')}'].size() == 0 ? 0 : -doc['${of('n')}'].value`) } },
      'n',
    ],
  },
  search_after: { sort: [{ [of('n')]: { order: 'asc', unmapped_type: 'long' } }, 'n'], search_after: [10, 10] },
})

/** What a search shows beside its hits, and all ways of order and suggestions, over fields of one kind. */
export const searchesOf = (of: Name): Bodies => ({
  ...sorts(of),
  fields: { fields: [of('*'), { field: of('d'), format: 'epoch_millis' }], _source: false },
  docvalue_fields: { docvalue_fields: [of('k'), of('n'), of('ip')] },
  _source: { _source: [of('*')] },
  highlight: {
    query: { simple_query_string: { query: 'failed key-1', fields: [of('t'), of('k')] } },
    highlight: { fields: { [of('*')]: {} }, require_field_match: false },
  },
  collapse: { collapse: { field: of('n'), inner_hits: { name: 'i', size: 2, sort: ['n'] } } },
  rescore: { query: all, rescore: { window_size: 9, query: { rescore_query: { match: { [of('t')]: 'user1' } } } } },
  post_filter: { post_filter: { term: { [of('k')]: 'key-1' } }, aggs: { a: { value_count: { field: of('n') } } } },
  script_fields: { script_fields: { s: source(`doc['${of('k')}'].size()`) } },
  'runtime field': {
    runtime_mappings: { r: { type: 'long', ...source(`emit(doc['${of('n')}'].size() * 7)`) } },
    fields: ['r'],
    aggs: { a: { terms: { field: 'r' } } },
  },
  'runtime field of the source': {
    runtime_mappings: { r: { type: 'keyword', ...source(`emit(String.valueOf(params._source['${of('t')}']))`) } },
    aggs: { a: { terms: { field: 'r' } } },
  },
  'term suggester': { suggest: { s: { text: 'usr3', term: { field: of('t'), suggest_mode: 'always' } } } },
  'phrase suggester': { suggest: { s: { text: 'faild login', phrase: { field: of('t'), max_errors: 2 } } } },
  'completion suggester': { suggest: { s: { prefix: 'user', completion: { field: of('c'), size: 9 } } } },
})
