import { z } from 'zod'
import { illegalArgument, memberError, refusing } from '../refusals/refuse.ts'
import { decimal, oneOrMany, whole } from './shapes/scalars.ts'

const mode = refusing(
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['total', 'multiply', 'avg', 'max', 'min'])),
  (given) => memberError('query', 'score_mode', illegalArgument(`illegal score_mode [${String(given)}]`)),
)
const member = z
  .strictObject({
    window_size: whole.optional(),
    query: z.strictObject({
      rescore_query: z.unknown(),
      query_weight: decimal.optional(),
      rescore_query_weight: decimal.optional(),
      score_mode: mode.optional(),
    }),
  })
  .transform(
    ({ window_size: window = 10, query }): Rescore => ({
      window,
      query: query.rescore_query,
      weight: query.query_weight ?? 1,
      rescoreWeight: query.rescore_query_weight ?? 1,
      mode: query.score_mode ?? 'total',
    }),
  )

/** `rescore`: the first hits of each shard are scored again by another query. */
export const rescoreSchema = oneOrMany(member)

/** One round of rescoring. */
export interface Rescore {
  /** How many of the first hits. */
  readonly window: number
  readonly query: unknown
  readonly weight: number
  readonly rescoreWeight: number
  readonly mode: 'total' | 'multiply' | 'avg' | 'max' | 'min'
}
