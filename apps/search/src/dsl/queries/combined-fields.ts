import { none, or, type Predicate, tokenize } from '@logstack/rules'
import { z } from 'zod'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument, queryShardError } from '../../refusals/refuse.ts'
import { boosted, type Score, scoreOf } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { fieldList } from '../shapes/field-list.ts'
import { wordsToMatch } from '../shapes/minimum-should-match.ts'
import { clauseParameters, flag, oneOrMany, scalar } from '../shapes/scalars.ts'
import { matchPredicate } from '../shapes/text-query.ts'

const lowered = z.string().transform((text) => text.toLowerCase())
const schema = z.strictObject({
  query: scalar,
  fields: oneOrMany(z.string()),
  operator: lowered.pipe(z.enum(['and', 'or'])).optional(),
  minimum_should_match: z.union([z.string(), z.number()]).optional(),
  zero_terms_query: lowered.pipe(z.enum(['none', 'all'])).optional(),
  auto_generate_synonyms_phrase_query: flag.optional(),
  ...clauseParameters,
})

/**
 * `combined_fields`: each word in any of several text fields, as if they were one. A word counts as in the field where it weighs most, while Lucene
 * adds its frequencies over all fields.
 */
export const combinedFields = defineQuery({
  name: 'combined_fields',
  schema,
  lower(body, context): Predicate {
    const { fields } = textFields(body.fields, context)
    const words = tokenize(String(body.query))
    if (words.length === 0) return body.zero_terms_query === 'all' ? { op: 'all' } : none
    const members = words.map((word) => anywhere(word, fields, context))
    const needed = body.operator === 'and' ? words.length : wordsToMatch(body.minimum_should_match, words.length)
    return needed === 1 ? or(members) : { op: 'at-least', count: needed, of: members }
  },
  score(body, context): Score {
    const { fields, boosts } = textFields(body.fields, context)
    const of = tokenize(String(body.query)).map(
      (word): Score => ({
        op: 'max',
        tie: 0,
        of: fields.map((field) =>
          boosted(scoreOf(matchPredicate(field, word, {}, context)), boosts.get(field.path) ?? 1),
        ),
      }),
    )
    return { op: 'within', when: combinedFields.lower(body, context), of: { op: 'sum', of } }
  },
})

function anywhere(word: string, fields: readonly ResolvedField[], context: LowerContext): Predicate {
  return or(fields.map((field) => matchPredicate(field, word, {}, context)))
}

function textFields(names: readonly string[], context: LowerContext) {
  const found = fieldList(names, context, undefined)
  for (const field of found.fields)
    if (field.valueType !== 'text') {
      const reason = `Field [${field.path}] of type [${field.wireType}] does not support [combined_fields] queries`
      throw queryShardError(context.reportedIndex, illegalArgument(reason), reason)
    }
  return found
}
