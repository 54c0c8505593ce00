import fc from 'fast-check'
import { query } from './differential.fixture.ts'
import { aggregations } from './differential-trees.fixture.ts'

const pick = (...values: readonly unknown[]) => fc.constantFrom(...values)
const field = (...names: readonly string[]) => fc.constantFrom(...names)

const moments = pick(
  '2026-11-21',
  '2026-11-21T10:00:00Z',
  '2026-11-21||/d',
  '2026-11-21T10:00:00Z||-1h/h',
  '2026-11-21||+1M/M',
  '2026-11-20||-1y',
  '2026',
  '2026-11',
)
const times = fc
  .record({
    low: field('gt', 'gte'),
    from: moments,
    high: field('lt', 'lte'),
    to: moments,
    zone: fc.option(field('+02:00', 'Europe/Vienna', 'America/New_York', 'Z'), { nil: undefined }),
    path: field('t', '@timestamp', 'nano'),
  })
  .map(({ low, from, high, to, zone, path }) => ({
    range: { [path]: { [low]: from, [high]: to, ...(zone === undefined ? {} : { time_zone: zone }) } },
  }))

const term = field(
  'red',
  'fox',
  'fo*',
  '?ed',
  'foxes~1',
  '"red fox"',
  '"red foxes"~2',
  'name:a',
  'name:"a"',
  'one:(red OR blue)',
  'n:[1 TO 3]',
  'n:{0 TO *}',
  'n:>=1',
  'd:<1',
  't:[2026-11-20 TO 2026-11-21}',
  '_exists_:name',
  '_exists_:inner.n',
  'ip:10.0.0.1',
  'ip:"10.0.0.0/24"',
  'b:true',
  'inner.name:/[ab]+/',
  'name:a*',
  '*',
  'text:*',
)
const lucene = fc.letrec<{ text: string }>((tie) => ({
  text: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    term,
    fc.tuple(tie('text'), field(' AND ', ' OR ', ' ', ' AND NOT '), tie('text')).map((parts) => parts.join('')),
    tie('text').map((inner) => `(${inner})`),
    term.chain((inner) => field('+', '-', 'NOT ').map((sign) => `${sign}${inner}`)),
  ),
})).text
const strings = fc.oneof(
  fc
    .record({ query: lucene, default_operator: field('and', 'or'), default_field: field('text', 'name') })
    .map((given) => ({ query_string: given })),
  fc
    .record({
      query: fc.array(field('red', 'fox', '+a', '-red', 'fo*', '"red fox"', '|', 'foxes~1', '(red', ')'), {
        maxLength: 4,
      }),
      default_operator: field('and', 'or'),
    })
    .map(({ query: words, ...rest }) => ({
      simple_query_string: { ...rest, query: words.join(' '), fields: ['text', 'one'] },
    })),
  fc
    .record({
      query: field('red fox', 'a', 'foxes red a', '10.0.0.1'),
      type: field('best_fields', 'most_fields', 'cross_fields', 'phrase', 'bool_prefix'),
    })
    .map((given) => ({ multi_match: { ...given, fields: ['text', 'one', 'inner.name'] } })),
)
const around = fc.oneof(
  query.map((inner) => ({ constant_score: { filter: inner } })),
  fc.array(query, { minLength: 1, maxLength: 3 }).map((queries) => ({ dis_max: { queries } })),
  fc.tuple(query, query).map(([positive, negative]) => ({ boosting: { positive, negative, negative_boost: 0.5 } })),
  fc.array(fc.nat(70).map(String), { maxLength: 4 }).map((values) => ({ ids: { values } })),
  fc.tuple(query, query).map(([filter, inner]) => ({ bool: { filter, should: [inner], must_not: [inner] } })),
)
/** A random query of all that requests may say. */
const anyQuery = fc.oneof(
  { weight: 4, arbitrary: query },
  { weight: 2, arbitrary: times },
  { weight: 2, arbitrary: strings },
  { weight: 1, arbitrary: around },
)

const missing = (...values: readonly unknown[]) => fc.option(pick('_first', '_last', ...values), { nil: undefined })
const mode = fc.option(field('min', 'max', 'sum', 'avg', 'median'), { nil: undefined })
const sortKey = fc.oneof(
  fc.tuple(
    // Of several `unsigned_long` values OpenSearch does not always sort by the least.
    field('n', 'd', 'x', 'inner.n'),
    fc.record({ order: field('asc', 'desc'), mode, missing: missing(1, -2) }),
  ),
  fc.tuple(field('t', '@timestamp', 'b'), fc.record({ order: field('asc', 'desc'), missing: missing() })),
  fc.tuple(field('one', 'inner.name', 'ip'), fc.record({ order: field('asc', 'desc'), missing: missing() })),
  fc.tuple(field('nowhere'), fc.record({ order: field('asc'), unmapped_type: field('long', 'keyword') })),
  fc.tuple(
    field('items.n'),
    fc.record({ order: field('asc', 'desc'), nested: fc.constant({ path: 'items' }), missing: missing(2) }),
  ),
)
const sort = fc
  .uniqueArray(sortKey, { minLength: 1, maxLength: 2, selector: ([path]) => path })
  .map((keys) => [...keys.map(([path, way]) => ({ [path]: JSON.parse(JSON.stringify(way)) as object })), { pk: 'asc' }])

/** A random search: query, order, page, collapse, filter behind and aggregations. */
export const requests = fc
  .record({
    query: anyQuery,
    sort,
    size: field2(3, 10, 100),
    from: field2(0, 0, 2),
    post_filter: fc.option(query, { nil: undefined }),
    collapse: fc.option(fc.constant({ field: 'one' }), { nil: undefined, freq: 6 }),
    aggs: fc.option(aggregations, { nil: undefined }),
  })
  .map(
    (given) =>
      JSON.parse(JSON.stringify({ ...given, track_total_hits: true, _source: false })) as Readonly<
        Record<string, unknown>
      >,
  )
  .filter((request) => !mixesMetrics(request))

/** OpenSearch gives the buckets of `rare_terms` the metrics of each other below other buckets. */
function mixesMetrics({ aggs }: Readonly<Record<string, unknown>>): boolean {
  const within = Object.values(Object(aggs)).map((each) => Object(each).aggs as unknown)
  return JSON.stringify(within).includes('"rare_terms"')
}

function field2(...numbers: readonly number[]) {
  return fc.constantFrom(...numbers)
}
