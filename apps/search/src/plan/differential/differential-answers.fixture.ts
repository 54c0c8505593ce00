/** A JSON object. */
export type Json = Readonly<Record<string, unknown>>

/** What of an answer of `_search` is compared. */
export interface Answer {
  readonly hits: { readonly total: unknown; readonly hits: readonly Json[] }
  readonly aggregations?: Json
}

/** Hits in order, their total and aggregations; numbers but for the last digits, which depend on the order of adding. */
export function comparable(answer: Answer | string): unknown {
  if (typeof answer === 'string') return answer
  const { hits, aggregations } = answer
  const found = hits.hits.map(({ _id, sort, fields }) => ({ _id, sort, fields }))
  return rounded({ total: hits.total, hits: found, aggregations })
}

/** Where two answers first differ, and how; undefined when they are the same. */
export function firstDifference(ours: unknown, theirs: unknown, path = ''): string | undefined {
  const [a, b] = [JSON.stringify(ours), JSON.stringify(theirs)]
  if (a === b) return undefined
  const deeper = [ours, theirs].every((each) => typeof each === 'object' && each !== null)
  const keys = deeper ? Object.keys({ ...(ours as Json), ...(theirs as Json) }) : []
  for (const key of keys) {
    const found = firstDifference((ours as Json)[key], (theirs as Json)[key], `${path}.${key}`)
    if (found !== undefined) return found
  }
  return `${path}: ${a?.slice(0, 300)} instead of ${b?.slice(0, 300)}`
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(intsAsLongs(value).toPrecision(9))
  if (Array.isArray(value)) return value.map(rounded)
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value)
    .filter(([key, inner]) => !isOpenSearchsOwn(key, inner))
    .map(([key, inner]): [string, unknown] => [key, key === 'bounds' ? toMetres(inner) : rounded(inner)])
  return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/**
 * OpenSearch adds an empty `meta` to `filters` that it counts early, and the bounds of `unsigned_long` once more as numbers. A bound of the error of
 * counts is that of shards, which cut their terms; here they are exact.
 */
function isOpenSearchsOwn(key: string, value: unknown): boolean {
  if (key === 'doc_count_error_upper_bound') return true
  if (key === 'meta') return JSON.stringify(value) === '{}'
  return (key === 'from_as_string' || key === 'to_as_string') && typeof value !== 'string'
}

/** Lucene keeps a coordinate in 32 bits: a centimetre. */
function toMetres(value: unknown): unknown {
  if (typeof value === 'number') return Math.round(value * 1e5) / 1e5 + 0
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toMetres(inner)]))
}

/** Documents without a value of an `integer` sort by the least or greatest of ints there, of longs in Elasticsearch. */
function intsAsLongs(value: number): number {
  if (value === 2 ** 31 - 1) return 2 ** 63
  return value === -(2 ** 31) ? -(2 ** 63) : value
}
