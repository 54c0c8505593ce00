import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { parsingError } from '../../refusals/refuse.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { flag } from '../shapes/scalars.ts'
import { heldNumbers } from './held-filters.ts'

const schema = z.strictObject({
  filters: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())], { error: '[filters] cannot be empty' }),
  other_bucket: flag.optional(),
  other_bucket_key: z.string().optional(),
  keyed: flag.optional(),
})

/** `filters`: a bucket a query, in the order they are given, and one of what matches none of them. */
export const filters = defineAggregation({
  name: 'filters',
  kind: 'bucket',
  schema,
  uses: ({ filters: queries }) => ({ queries: Object.values(queries) }),
  plan(parameters, source) {
    const queries = Object.entries(parameters.filters)
    const named = !Array.isArray(parameters.filters)
    // Named filters answer in the order of their names.
    if (named) queries.sort(([a], [b]) => (a < b ? -1 : 1))
    if (queries.length === 0) throw parsingError('[filters] cannot be empty')
    const matched = queries.map(([, query]) => source.matches(query))
    const inAny = heldNumbers(matched)
    const other = parameters.other_bucket_key ?? (parameters.other_bucket === true ? '_other_' : undefined)
    const keys = other === undefined ? inAny : sql`if(empty(${inAny}), [${num(queries.length)}], ${inAny})`
    const names = [...queries.map(([name]) => name), ...(other === undefined ? [] : [other])]
    return {
      parts: [{ sql: keys, many: true, type: 'long' as const }],
      render(found, empty) {
        const byKey = new Map(found.map((bucket) => [Number(bucket.key[0]), bucket]))
        const buckets = names.map((name, at): [string, JsonObject] => {
          const bucket = byKey.get(at)
          return [name, bucket ? { doc_count: bucket.count, ...bucket.body } : { doc_count: 0, ...empty() }]
        })
        if (!named) return { buckets: buckets.map(([, bucket]) => bucket) }
        if (parameters.keyed === false) return { buckets: buckets.map(([key, bucket]) => ({ key, ...bucket })) }
        return { buckets: Object.fromEntries(buckets) }
      },
    }
  },
})
