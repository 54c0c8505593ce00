import { z } from 'zod'
import { type InnerHits, readInnerHits } from './inner-hits.ts'
import { oneOrMany, whole } from './shapes/scalars.ts'

const innerHits = z.record(z.string(), z.unknown()).transform((given) => readInnerHits(given, undefined))

/** `collapse`: of the hits with the same value of a field only the first. */
export const collapseSchema = z
  .strictObject({
    field: z.string(),
    inner_hits: oneOrMany(innerHits).optional(),
    max_concurrent_group_searches: whole.optional(),
  })
  .transform(({ field, inner_hits: inner = [] }): Collapse => ({ field, innerHits: inner }))

/** A collapse as it was read. */
export interface Collapse {
  readonly field: string
  readonly innerHits: readonly InnerHits[]
}
