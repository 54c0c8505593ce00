import { z } from 'zod'
import { parsingError } from './shapes/refuse.ts'
import { oneOrMany, whole } from './shapes/scalars.ts'

const innerKeys = new Set([
  'name',
  'from',
  'size',
  'sort',
  '_source',
  'fields',
  'docvalue_fields',
  'stored_fields',
  'highlight',
  'version',
  'seq_no_primary_term',
  'explain',
  'track_scores',
])

/** Inner hits that a request asks for under a name: the body of a search for the documents of a group. */
export interface InnerHits {
  readonly name: string
  readonly body: Readonly<Record<string, unknown>>
}

const innerHits = z.record(z.string(), z.unknown()).transform((given): InnerHits => {
  for (const key of Object.keys(given))
    if (!innerKeys.has(key)) throw parsingError(`[inner_hits] unknown field [${key}]`)
  const { name, ...body } = given
  if (typeof name !== 'string') throw parsingError('[inner_hits] of [collapse] needs a [name]')
  return { name, body: { size: 3, ...body } }
})

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
