import { z } from 'zod'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { heldNumbers } from './held-filters.ts'

/** The default of `indices.query.bool.max_clause_count` for filters of a matrix. */
const filtersMax = 100

/** `adjacency_matrix`: a bucket a filter and a bucket a pair of filters that documents match together; empty ones are left out. */
export const adjacencyMatrix = defineAggregation({
  name: 'adjacency_matrix',
  kind: 'bucket',
  schema: z.strictObject({ filters: z.record(z.string(), z.unknown()), separator: z.string().optional() }),
  uses: ({ filters }) => ({ queries: Object.values(filters) }),
  plan({ filters, separator = '&' }, source) {
    const queries = Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))
    if (queries.length === 0) throw parsingError('[adjacency_matrix] cannot be empty')
    if (queries.length > filtersMax)
      throw illegalArgument(
        `Number of filters is too large, must be less than or equal to: [${filtersMax}] but was [${queries.length}]. This limit can be set by changing the [indices.query.bool.max_clause_count] setting.`,
      )
    const matched = queries.map(([, query]) => source.matches(query))
    const size = num(queries.length)
    // A filter is the pair of itself with itself.
    const pairs = sql`arrayFlatten(arrayMap((a, i) -> arrayMap(b -> a * ${size} + b, arraySlice(held, i)), held, arrayEnumerate(held)))`
    return {
      parts: [
        { sql: sql`arrayMap(held -> ${pairs}, [${heldNumbers(matched)}])[1]`, many: true, type: 'long' as const },
      ],
      render(found) {
        const buckets = found.map(({ key, count, body }) => {
          const [a, b] = [Math.floor(Number(key[0]) / queries.length), Number(key[0]) % queries.length]
          const names = a === b ? [queries[a]?.[0]] : [queries[a]?.[0], queries[b]?.[0]]
          return { key: names.join(separator), doc_count: count, ...body }
        })
        return { buckets: buckets.sort((a, b) => (a.key < b.key ? -1 : 1)) }
      },
    }
  },
})
