import { type Field, none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import type { ResolvedField } from '../../model/mapping.ts'
import { queryShardError } from '../../refusals/refuse.ts'
import { scoreOf } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { searchableFeature } from '../shapes/feature.ts'
import { oneField } from '../shapes/one-field.ts'
import { clauseParameters, flag, scalar } from '../shapes/scalars.ts'
import { termPredicate } from '../shapes/term.ts'

const schema = oneField(
  'term',
  z.strictObject({ value: scalar, case_insensitive: flag.optional(), ...clauseParameters }),
  'value',
)

/** `term`: the field holds exactly this value; not analysed. */
export const term = defineQuery({
  name: 'term',
  schema,
  lower: lowerTerm,
  score(body, context) {
    const resolved = context.field(body.field)
    const feature = resolved && featureNamed(resolved, body.parameters.value, context)
    return feature
      ? { op: 'feature', field: feature, shape: { kind: 'linear' }, boost: 1 }
      : scoreOf(lowerTerm(body, context))
  },
})

function lowerTerm({ field, parameters }: z.output<typeof schema>, context: LowerContext): Predicate {
  if (field === '_source' && context.hasIndex)
    throw queryShardError(context.reportedIndex, undefined, 'The _source field is not searchable')
  const resolved = context.field(field)
  if (!resolved) return none
  const feature = featureNamed(resolved, parameters.value, context)
  if (feature) return { op: 'present', field: feature }
  return termPredicate(resolved, parameters.value, context, parameters.case_insensitive)
}

/** Of `rank_features` fields: the feature of that name, whose number is the score. */
function featureNamed({ wireType, path }: ResolvedField, name: unknown, context: LowerContext): Field | undefined {
  const feature = wireType === 'rank_features' ? context.feature(`${path}.${String(name)}`) : undefined
  return feature && searchableFeature(feature)
}
