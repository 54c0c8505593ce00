import { and, none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { parentOf, parentPath } from '../../indices/field-types/join.ts'
import { queryShardError } from '../../refusals/refuse.ts'
import { type Score, scoreOf } from '../../scores/score.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { ofRelations, required } from '../shapes/join-clause.ts'
import { clauseParameters, flag, scalar } from '../shapes/scalars.ts'

const schema = z.strictObject({
  type: z.string().nullish(),
  id: scalar.optional(),
  ignore_unmapped: flag.optional(),
  ...clauseParameters,
})
type Body = z.infer<typeof schema>

/** `parent_id`: the children of a relation that one document has. */
export const parentId = defineQuery({
  name: 'parent_id',
  schema,
  lower: (body, context) => and(conditions(body, context)),
  score(body, context): Score {
    const [ofParent = none, ofType = none] = conditions(body, context)
    return { op: 'within', when: ofType, of: scoreOf(ofParent) }
  },
})

function conditions({ type, id, ignore_unmapped: quiet }: Body, context: LowerContext): readonly Predicate[] {
  context.spend('joining')
  const wanted = String(required(id, 'parent_id', 'id'))
  const child = required(type, 'parent_id', 'type')
  const join = context.join()
  const parent = join && parentOf(join.relations, child)
  if (!join || parent === undefined) {
    if (quiet === true || !context.hasIndex) return [none]
    const why = join
      ? `no relation found for child [${child}]`
      : `no join field found for index [${context.reportedIndex}]`
    throw queryShardError(context.reportedIndex, undefined, `[parent_id] ${why}`)
  }
  return [ofRelations(parentPath(join.path, parent), [wanted], context), ofRelations(join.path, [child], context)]
}
