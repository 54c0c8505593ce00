import { AppError, searchErrors } from '@logstack/errors'
import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, queryShardError } from '../../refusals/refuse.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { searchable } from '../shapes/field-value.ts'
import { minimumShouldMatch } from '../shapes/minimum-should-match.ts'
import { oneField } from '../shapes/one-field.ts'
import { fieldOf } from '../shapes/reporting.ts'
import { clauseParameters, scalar } from '../shapes/scalars.ts'
import { termPredicate } from '../shapes/term.ts'

const parameters = z.strictObject({
  terms: z.array(scalar),
  minimum_should_match: z.union([z.string(), z.number()]).optional(),
  minimum_should_match_field: z.string().optional(),
  minimum_should_match_script: z.unknown().optional(),
  ...clauseParameters,
})
type Parameters = z.infer<typeof parameters>

/** `terms_set`: the field holds at least so many of these values as the request, a field of the document or a script says. */
export const termsSet = defineQuery({
  name: 'terms_set',
  schema: oneField('terms_set', parameters, 'terms'),
  lower({ field, parameters: given }, context): Predicate {
    const resolved = context.field(field)
    const count = leastOf(given, context)
    if (!resolved || given.terms.length === 0) return none
    return { op: 'at-least', count, of: given.terms.map((term) => termPredicate(resolved, term, context)) }
  },
})

/** How many values a document needs; as in Lucene at least one. */
function leastOf(given: Parameters, context: LowerContext): Extract<Predicate, { op: 'at-least' }>['count'] {
  const { terms, minimum_should_match: text, minimum_should_match_field: path } = given
  const script = given.minimum_should_match_script
  const ways = [text, path, script].filter((way) => way !== undefined)
  if (ways.length > 1)
    throw illegalArgument(
      'only one of [minimum_should_match, minimum_should_match_field, minimum_should_match_script] may be given',
    )
  if (text !== undefined) return Math.max(1, minimumShouldMatch(text, terms.length, terms.length))
  if (script !== undefined) return context.computed.scripted(withCount(script, terms.length), 'double')
  if (path === undefined)
    throw new AppError(searchErrors.illegal_state_exception, 'No minimum should match has been specified')
  const found = context.field(path)
  if (!found)
    throw queryShardError(context.reportedIndex, undefined, `failed to find minimum_should_match field [${path}]`)
  const least = fieldOf(searchable(found))
  if (least.type !== 'long' && least.type !== 'unsigned' && least.type !== 'double')
    throw illegalArgument(
      `the minimum_should_match field [${path}] is of type [${found.wireType}] and holds no numbers`,
    )
  return least
}

/** A script as it was given, with the number of values among its parameters. */
function withCount(script: unknown, count: number): unknown {
  const written = typeof script === 'object' && script !== null ? script : { source: String(script) }
  const own = 'params' in written && typeof written.params === 'object' ? written.params : {}
  return { ...written, params: { ...own, num_terms: count } }
}
