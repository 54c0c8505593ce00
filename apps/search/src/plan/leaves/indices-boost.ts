import { isAppError } from '@logstack/errors'
import { z } from 'zod'
import { ofRequest, parsingError } from '../../dsl/shapes/refuse.ts'
import { decimal } from '../../dsl/shapes/scalars.ts'
import type { PlanServices } from './leaf-request.ts'

const one = z.record(z.string(), decimal)
const schema = z.union([z.array(one), one])

/** How much more the scores of some indices count, as a search writes it: the first expression that means an index counts. */
export type IndicesBoost = readonly (readonly [expression: string, boost: number])[]

/** Reads `indices_boost`: a list of single members, or as clients of old write it one object. Throws `parsing_exception`. */
export function readIndicesBoost(given: unknown): IndicesBoost {
  if (given === undefined) return []
  const read = schema.safeParse(given)
  if (!read.success) throw parsingError('Expected [START_ARRAY] of objects in [indices_boost]')
  if (!Array.isArray(read.data)) return Object.entries(read.data)
  return read.data.flatMap((each) => {
    const entries = Object.entries(each)
    if (entries.length !== 1) throw parsingError('Expected [END_OBJECT] in [indices_boost] but found several members')
    return entries
  })
}

/** The boost of each index by name. Throws `index_not_found_exception` for a name that does not exist, unless that is to be ignored. */
export function boostsByIndex(
  { catalogue }: Pick<PlanServices, 'catalogue'>,
  asked: IndicesBoost,
  ignoreUnavailable: boolean,
): ReadonlyMap<string, number> {
  const boosts = new Map<string, number>()
  for (const [expression, boost] of asked) {
    const options = {
      ignoreUnavailable,
      allowNoIndices: true,
      expand: ['open', 'hidden'],
      forbidClosed: false,
    } as const
    for (const { index } of resolved(() => catalogue.resolve(expression, options)))
      if (!boosts.has(index.name)) boosts.set(index.name, boost)
  }
  return boosts
}

/** Which indices are meant is found out before any is searched. */
function resolved<T>(resolve: () => T): T {
  try {
    return resolve()
  } catch (thrown) {
    throw isAppError(thrown) ? ofRequest(thrown) : thrown
  }
}
