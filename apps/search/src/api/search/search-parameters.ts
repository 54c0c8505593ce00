import { readSortParameter } from '../../dsl/sort/read-sort.ts'
import { indicesOptionParameters } from '../resources/authorized-indices.ts'

/** Parameters of a query in the URL. */
export const queryParameters = {
  q: 'string',
  df: 'string',
  default_operator: ['AND', 'OR', 'and', 'or'],
  analyzer: 'string',
  analyze_wildcard: 'boolean',
  lenient: 'boolean',
} as const

/** Parameters of `_search`; those about shards and caches change nothing in an answer. */
export const searchParameters = {
  ...indicesOptionParameters,
  ...queryParameters,
  from: 'integer',
  size: 'integer',
  sort: 'string',
  _source: 'list',
  _source_includes: 'list',
  _source_excludes: 'list',
  stored_fields: 'list',
  docvalue_fields: 'list',
  track_total_hits: 'string',
  track_scores: 'boolean',
  include_named_queries_score: 'boolean',
  rest_total_hits_as_int: 'boolean',
  typed_keys: 'boolean',
  version: 'boolean',
  seq_no_primary_term: 'boolean',
  scroll: 'time',
  timeout: 'string',
  terminate_after: 'integer',
  explain: 'boolean',
  stats: 'list',
  search_type: ['query_then_fetch', 'dfs_query_then_fetch'],
  request_cache: 'boolean',
  preference: 'string',
  routing: 'list',
  batched_reduce_size: 'integer',
  max_concurrent_shard_requests: 'integer',
  pre_filter_shard_size: 'integer',
  ccs_minimize_roundtrips: 'boolean',
  allow_partial_search_results: 'boolean',
  force_synthetic_source: 'boolean',
  min_compatible_shard_node: 'string',
} as const

type Query = Readonly<Record<string, unknown>>

/** The query of the URL's `q`, as the clause it stands for; undefined without one. */
export function queryOfParameters(query: Query): unknown {
  const { q, df, default_operator: operator, analyzer, analyze_wildcard: wildcard, lenient } = query
  if (q === undefined) return undefined
  return {
    query_string: {
      query: q,
      ...(df === undefined ? {} : { default_field: df }),
      ...(operator === undefined ? {} : { default_operator: operator }),
      ...(analyzer === undefined ? {} : { analyzer }),
      ...(wildcard === undefined ? {} : { analyze_wildcard: wildcard }),
      ...(lenient === undefined ? {} : { lenient }),
    },
  }
}

const copied = [
  'from',
  'size',
  'stored_fields',
  'docvalue_fields',
  'track_scores',
  'version',
  'seq_no_primary_term',
  'timeout',
  'terminate_after',
  'explain',
]

/** The sort of the URL's `sort`, as bodies have it. */
export function sortOfParameter(text: string): readonly Readonly<Record<string, 'asc' | 'desc'>>[] {
  return readSortParameter(text).map(({ field, descending }) => ({ [field]: descending ? 'desc' : 'asc' }))
}

/** The body of a search with what the URL says laid over it. */
export function bodyWithParameters(body: unknown, query: Query): unknown {
  const over: Record<string, unknown> = {}
  for (const name of copied) if (query[name] !== undefined) over[name] = query[name]
  const written = queryOfParameters(query)
  if (written !== undefined) over['query'] = written
  const { sort, track_total_hits: track } = query
  if (typeof sort === 'string') over['sort'] = sortOfParameter(sort)
  if (typeof track === 'string')
    over['track_total_hits'] = track === '' ? true : /^-?\d+$/u.test(track) ? Number(track) : track
  const source = sourceParameter(query)
  if (source !== undefined) over['_source'] = source
  if (Object.keys(over).length === 0) return body
  return body !== null && typeof body === 'object' && !Array.isArray(body) ? { ...body, ...over } : (body ?? over)
}

function sourceParameter(query: Query): unknown {
  const { _source: source, _source_includes: includes, _source_excludes: excludes } = query
  const names = Array.isArray(source) ? source : undefined
  if (names?.length === 1 && (names[0] === 'true' || names[0] === 'false' || names[0] === '')) {
    if (names[0] === 'false') return false
    if (includes === undefined && excludes === undefined) return true
  } else if (names)
    return { includes: [...names, ...(Array.isArray(includes) ? includes : [])], excludes: excludes ?? [] }
  if (includes === undefined && excludes === undefined) return undefined
  return { includes: includes ?? [], excludes: excludes ?? [] }
}
