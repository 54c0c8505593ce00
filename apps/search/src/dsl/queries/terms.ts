import { none } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, parsingError } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { indexLimit } from '../index-limits.ts'
import { describedBy } from '../shapes/one-field.ts'
import { clauseParameters, scalar } from '../shapes/scalars.ts'
import { termsPredicate } from '../shapes/term.ts'
import { termsLookup } from '../terms-lookup.ts'

const outerKeys = new Set(['boost', '_name'])

const read = z.unknown().transform((body) => {
  if (body === null || typeof body !== 'object')
    throw parsingError('[terms] query malformed, no start_object after query name')
  const fields = Object.entries(body).filter(([key]) => !outerKeys.has(key))
  const [first, second] = fields
  if (!first)
    throw parsingError(
      '[terms] query requires a field name, followed by array of terms or a document lookup specification',
    )
  if (second) throw parsingError('[terms] query does not support multiple fields')
  const [field, given] = first
  const values = z.array(scalar).safeParse(given)
  if (values.success) return { field, values: values.data }
  if (Array.isArray(given) && given.includes(null)) throw parsingError('No value specified for terms query')
  if (Array.isArray(given)) throw parsingError('[terms] query does not support null or nested values')
  if (given !== null && typeof given === 'object') {
    const lookup = termsLookup.safeParse(given)
    if (lookup.success) throw illegalArgument('[terms] query with a terms lookup is not supported here')
    const missing = ['index', 'id', 'path'].filter((member) => !Object.hasOwn(given, member))
    if (missing.length > 0) throw illegalArgument(`Required [${missing.join(', ')}]`)
    throw parsingError(
      `[terms] query does not support [${lookup.error.issues[0]?.path.join('.') ?? field}] of a terms lookup`,
    )
  }
  throw parsingError(`[terms] query does not support [${field}]`)
})
const schema = describedBy(read, z.strictObject(clauseParameters))

/** `terms`: the field holds one of these values. */
export const terms = defineQuery({
  name: 'terms',
  schema,
  lower({ field, values }, context) {
    const termsCountMax = indexLimit(context, 'max_terms_count')
    if (values.length > termsCountMax)
      throw illegalArgument(
        `The number of terms [${values.length}] used in the Terms Query request has exceeded the allowed maximum of [${termsCountMax}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
      )
    const resolved = context.field(field)
    return resolved ? termsPredicate(resolved, values, context) : none
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: terms.lower(body, context) }),
})
