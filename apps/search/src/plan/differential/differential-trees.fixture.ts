import fc from 'fast-check'
import { query } from './differential.fixture.ts'

type Json = Readonly<Record<string, unknown>>
type Aggs = Readonly<Record<string, Json>>

const field = (...names: readonly string[]) => fc.constantFrom(...names)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const numbers = ['n', 'u', 'd', 'x', 'inner.n']
const words = ['one', 'name', 'inner.name', 'ip', 'b']
const order = maybe(
  fc.constantFrom<object>({ _key: 'asc' }, { _key: 'desc' }, { _count: 'asc' }, { m: 'desc' }, [
    { _count: 'desc' },
    { _key: 'desc' },
  ]),
)

const metric = fc.oneof(
  fc
    .tuple(
      field('min', 'max', 'sum', 'avg', 'stats', 'extended_stats'),
      field('x', 'd', 'inner.n'),
      maybe(fc.constant(1)),
    )
    .map(([kind, path, missing]) => ({ [kind]: { field: path, missing } })),
  fc
    .tuple(field('min', 'max', 'value_count'), field('t', '@timestamp'))
    .map(([kind, path]) => ({ [kind]: { field: path } })),
  fc
    .tuple(field('value_count', 'cardinality'), field(...words, 'n'))
    .map(([kind, path]) => ({ [kind]: { field: path } })),
  field('x', 'pk').map((path) => ({ weighted_avg: { value: { field: 'x' }, weight: { field: path } } })),
  fc.constant({ geo_bounds: { field: 'at' } }),
)
const single = fc.oneof(field('min', 'max', 'sum', 'avg', 'value_count').map((kind) => ({ [kind]: { field: 'x' } })))

const zones = maybe(field('+02:00', 'Europe/Vienna', 'America/New_York'))
const dates = fc.oneof(
  fc
    .record({
      field: field('@timestamp', 't'),
      calendar_interval: field('hour', 'day', 'week', 'month', 'quarter', 'year', '1d'),
      time_zone: zones,
      min_doc_count: fc.constant(1),
      keyed: maybe(fc.boolean()),
      order: maybe(fc.constantFrom({ _key: 'desc' }, { _count: 'desc' })),
    })
    .map((body) => ({ date_histogram: body })),
  fc
    .record({
      field: fc.constant('@timestamp'),
      fixed_interval: field('12h', '7d', '90m'),
      time_zone: zones,
      offset: maybe(field('+6h', '-30m')),
      min_doc_count: fc.constant(1),
      missing: maybe(fc.constant('2026-11-22')),
    })
    .map((body) => ({ date_histogram: body })),
  fc.record({ time_zone: zones }).map((more) => ({
    date_range: {
      field: 't',
      ...more,
      ranges: [{ to: '2026-11-21' }, { from: '2026-11-21||/d', to: '2026-11-22' }, { key: 'late', from: '2026-11-21' }],
    },
  })),
)
const buckets = fc.oneof(
  fc
    .record({
      field: field(...words, 'n', 'd', 't'),
      size: fc.constantFrom(1, 3, 1000),
      order,
      min_doc_count: maybe(fc.constantFrom(2)),
    })
    // Shards cut what is ordered by keys to its size before it is known which are counted often enough; here the counts are exact.
    .filter((body) => body.min_doc_count === undefined || body.order === undefined || !('_key' in body.order))
    .map((body) => ({ terms: body })),
  fc
    .record({
      field: field('one'),
      include: maybe(field('re.*', '[a-z]+')),
      exclude: maybe(field('r.d')),
      missing: maybe(fc.constant('none')),
    })
    .map((body) => ({ terms: body })),
  fc
    .record({
      field: field('x', 'd', 'inner.n'),
      interval: fc.constantFrom(1, 2, 0.5, 3),
      offset: maybe(fc.constantFrom(0.25, 1)),
      min_doc_count: fc.constant(1),
      missing: maybe(fc.constant(0)),
    })
    .map((body) => ({ histogram: body })),
  fc
    .record({
      field: fc.constant('x'),
      interval: fc.constantFrom(1, 2),
      extended_bounds: maybe(fc.constant({ min: -4, max: 10 })),
    })
    .map((body) => ({ histogram: body })),
  dates,
  fc.tuple(field(...numbers), fc.integer({ min: -2, max: 1 }), maybe(fc.boolean())).map(([path, low, keyed]) => ({
    range: { field: path, keyed, ranges: [{ to: low }, { from: low, to: low + 2 }, { from: low + 1, key: 'last' }] },
  })),
  fc.constant({ ip_range: { field: 'ip', ranges: [{ to: '10.0.0.128' }, { mask: '10.0.0.0/24' }, { from: '::1' }] } }),
  field(...words, ...numbers).map((path) => ({ missing: { field: path } })),
  query.map((filter) => ({ filter })),
  fc
    .tuple(query, query, maybe(fc.constant(true)))
    .map(([one, two, other]) => ({ filters: { filters: { one, two }, other_bucket: other } })),
  fc.tuple(query, query).map(([one, two]) => ({ adjacency_matrix: { filters: { one, two } } })),
  fc
    .tuple(field('one', 'b'), field('x', 'inner.name'))
    .map((paths) => ({ multi_terms: { terms: paths.map((path) => ({ field: path })), size: 1000 } })),
  field('one', 'inner.name').map((path) => ({ rare_terms: { field: path, max_doc_count: 3 } })),
  fc.constantFrom({ sampler: { shard_size: 1000 } }, { global: {} }),
)
const inItems = fc.constantFrom<Json>(
  { terms: { field: 'items.name', size: 1000 } },
  { max: { field: 'items.n' } },
  { value_count: { field: 'items.n' } },
  { reverse_nested: {}, aggs: { m: { avg: { field: 'x' } }, a: { terms: { field: 'one' } } } },
  { filter: { range: { 'items.n': { gte: 1 } } }, aggs: { m: { sum: { field: 'items.n' } } } },
)
const pages = fc
  .record({
    first: fc.constantFrom<object>(
      { terms: { field: 'one' } },
      { terms: { field: 'one', missing_bucket: true } },
      { terms: { field: 'name', order: 'desc' } },
    ),
    second: fc.constantFrom<object>(
      { histogram: { field: 'x', interval: 2 } },
      { date_histogram: { field: '@timestamp', calendar_interval: 'day' } },
      { terms: { field: 'x' } },
    ),
    size: fc.constantFrom(2, 5, 100),
    metric: single,
  })
  .map(
    ({ first, second, size, metric: m }): Aggs => ({
      pages: { composite: { size, sources: [{ first }, { second }] }, aggs: { m } },
    }),
  )

const inRow = fc.constantFrom<Aggs>(
  { p: { derivative: { buckets_path: 'm' } } },
  { p: { cumulative_sum: { buckets_path: 'm' } } },
  { p: { moving_fn: { buckets_path: 'm', window: 3, script: 'MovingFunctions.unweightedAvg(values)' } } },
  { p: { serial_diff: { buckets_path: 'm', lag: 2 } } },
  { p: { bucket_script: { buckets_path: { a: 'm', b: '_count' }, script: 'params.a + params.b' } } },
  { p: { bucket_selector: { buckets_path: { b: '_count' }, script: 'params.b > 2' } } },
  { p: { bucket_sort: { sort: [{ m: { order: 'desc' } }, { _key: { order: 'asc' } }], size: 3 } } },
)
const besides = field(
  'max_bucket',
  'min_bucket',
  'sum_bucket',
  'avg_bucket',
  'stats_bucket',
  'extended_stats_bucket',
  'percentiles_bucket',
).map((kind) => ({ [kind]: { buckets_path: 'row>m' } }))
const takesGaps = (below: Aggs): boolean => !Object.values(below).some((body) => 'serial_diff' in body)

const rows = fc
  .record({
    interval: fc.constantFrom(1, 2),
    least: fc.constantFrom(0, 1),
    metric: single,
    below: inRow,
    beside: besides,
  })
  .map(
    ({ interval, least, metric: m, below, beside }): Aggs => ({
      // Only OpenSearch wants the empty buckets for a serial_diff, too.
      row: { histogram: { field: 'x', interval, min_doc_count: takesGaps(below) ? least : 0 }, aggs: { m, ...below } },
      q: beside,
    }),
  )

const trees = fc.letrec<{ aggs: Aggs }>((tie) => ({
  aggs: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    metric.map((made): Aggs => ({ k: made })),
    fc
      .tuple(buckets, tie('aggs'), single)
      .map(([own, below, m]): Aggs => ({ a: { ...own, aggs: { ...below, m } }, m })),
  ),
})).aggs

/** Random aggregations: trees of buckets and metrics, objects within documents, pages, and pipelines over rows of buckets. */
export const aggregations: fc.Arbitrary<Aggs> = fc.oneof(
  { weight: 5, arbitrary: trees },
  { weight: 1, arbitrary: inItems.map((a): Aggs => ({ items: { nested: { path: 'items' }, aggs: { a } } })) },
  { weight: 1, arbitrary: pages },
  { weight: 2, arbitrary: rows },
)
