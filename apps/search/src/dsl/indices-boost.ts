import { z } from 'zod'
import { parsingError } from '../refusals/refuse.ts'
import { decimal } from './shapes/scalars.ts'

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
