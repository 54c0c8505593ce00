import { AppError, searchErrors } from '@logstack/errors'
import { z } from 'zod'
import { type InnerHits, readInnerHits } from './inner-hits.ts'
import { oneOrMany, whole } from './shapes/scalars.ts'

const innerHits = z.record(z.string(), z.unknown()).transform((given) => {
  const { collapse, ...plain } = given
  const second = collapse === undefined ? {} : { collapse: secondLevel(collapse) }
  const inner = readInnerHits(plain, undefined)
  return { ...inner, body: { ...inner.body, ...second } }
})

/** A group of hits may be collapsed once more, and no deeper. Throws `x_content_parse_exception` for more than a field. */
function secondLevel(given: unknown): unknown {
  const further = Object.keys(Object(given)).find((key) => key === 'inner_hits' || key === 'collapse')
  if (further === undefined) return given
  throw new AppError(searchErrors.x_content_parse_exception, '[inner_hits] failed to parse field [collapse]', {
    cause: new AppError(searchErrors.x_content_parse_exception, `[collapse] unknown field [${further}]`),
  })
}

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
