import type { SearchRequest } from '../dsl/search-request.ts'
import type { ResolvedIndex } from '../indices/resolve.ts'

/** The time of a search as `profile` shows it. One statement answers query, collection and order together, so it has one time and no breakdown. */
export function profileOf(request: SearchRequest, indices: readonly ResolvedIndex[], tookMs: number) {
  const nanos = Math.round(tookMs * 1_000_000)
  const shards = indices.map(({ index }) => ({
    id: `[logstack-search][${index.name}][0]`,
    searches: [
      {
        query: [
          {
            type: 'Statement',
            description: JSON.stringify(request.query ?? { match_all: {} }, bigintsAsText),
            time_in_nanos: nanos,
            breakdown: {},
          },
        ],
        rewrite_time: 0,
        collector: [],
      },
    ],
    aggregations: request.aggregations.map(({ name, aggregation }) => ({
      type: aggregation.typeName,
      description: name,
      time_in_nanos: nanos,
      breakdown: {},
    })),
  }))
  return { shards }
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
