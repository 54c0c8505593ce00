import { all, encodeSpan, or, type Predicate } from '@logstack/rules'
import { findFieldType } from '../../indices/field-types/index.ts'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument, queryShardError } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import { fieldOf } from './reporting.ts'

const everywhere = { kind: 'box', top: 90, bottom: -90, left: -180, right: 180 } as const
const alwaysThere = new Set(['_id', '_index', '_seq_no', '_version'])

/** Documents with a value in a field, in any field of an object, or in any field that a wildcard names. */
export function existsPredicate(path: string, context: LowerContext): Predicate {
  if (alwaysThere.has(path)) return all
  if (path === '_source') throw queryShardError(context.reportedIndex, undefined, 'The _source field is not searchable')
  const field = context.field(path)
  if (field) return present([field])
  return present(context.fieldsMatching(path.includes('*') ? path : `${path}.*`))
}

function present(fields: readonly ResolvedField[]): Predicate {
  return or(
    fields.flatMap((field): Predicate[] => {
      const { valueType } = field
      if (valueType === undefined) return []
      const refusal = findFieldType(field.wireType)?.refusals?.exists
      if (refusal !== undefined) throw illegalArgument(refusal)
      const shape = fieldOf({ ...field, valueType })
      const kind = spanKindOf(field.wireType)
      // Of ranges each lies within all there is.
      const span = kind && encodeSpan({}, kind)
      if (kind && span) return [{ op: 'span', field: shape, kind, relation: 'within', span }]
      if (field.wireType === 'geo_point') return [{ op: 'geo', field: shape, shape: everywhere }]
      return [{ op: 'present', field: shape }]
    }),
  )
}
