import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation, type FoundBucket } from '../define-aggregation.ts'

/** `filter`: one bucket of the documents that also match a query. */
export const filter = defineAggregation({
  name: 'filter',
  kind: 'bucket',
  schema: z.record(z.string(), z.unknown()),
  uses: (query) => ({ queries: [query] }),
  plan: (query, source) => ({
    parts: [],
    where: sql`${source.matches(query)} = 1`,
    order: () => [],
    render: renderSingle,
  }),
})

/** The answer of a bucket aggregation that has one bucket. */
export function renderSingle(found: readonly FoundBucket[], empty: () => JsonObject): JsonObject {
  const [bucket] = found
  return bucket ? { doc_count: bucket.count, ...bucket.body } : { doc_count: 0, ...empty() }
}
