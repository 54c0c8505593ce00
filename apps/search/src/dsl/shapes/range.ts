import type { Bounds, Predicate, SpanRelation, Value } from '@logstack/rules'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import type { ResolvedField } from '../../indices/model.ts'
import type { LowerContext } from '../define-query.ts'
import { exactValue, isDate, searchable, soughtDate } from './field-value.ts'
import { illegalArgument } from './refuse.ts'
import { fieldOf, reporting } from './reporting.ts'
import { spanPredicate } from './span.ts'

/** Reads the bounds of a range by the field's type. Upper bounds and `gt` of incomplete dates mean the end of what is missing. */
export function rangePredicate(
  resolved: ResolvedField,
  given: Bounds,
  dates: { readonly format?: string | undefined; readonly timeZone?: string | undefined },
  context: LowerContext,
  more: { readonly relation?: SpanRelation } = {},
): Predicate {
  const field = searchable(resolved, 'range')
  const kind = spanKindOf(field.wireType)
  if (kind) return spanPredicate(field, kind, given, { ...dates, relation: 'intersects', ...more }, context)
  if (Object.keys(given).length === 0) return { op: 'present', field: fieldOf(field) }
  if (field.valueType === 'text') {
    context.spend('range')
    throw illegalArgument(
      `Range queries over words of the [text] field [${field.path}] are not supported; use a [keyword] field`,
    )
  }
  if (dates.timeZone !== undefined && !isDate(field))
    throw illegalArgument(`Field [${field.path}] of type [${field.wireType}] does not support custom time zones`)
  const read = (value: Value, roundUp: boolean) =>
    isDate(field) ? soughtDate(value, field, { nowMs: context.nowMs, ...dates, roundUp }) : exactValue(value, field)
  return reporting(context, () => {
    const bounds: Bounds = {
      ...(given.gt === undefined ? {} : { gt: read(given.gt, true) }),
      ...(given.gte === undefined ? {} : { gte: read(given.gte, false) }),
      ...(given.lt === undefined ? {} : { lt: read(given.lt, false) }),
      ...(given.lte === undefined ? {} : { lte: read(given.lte, true) }),
      ...(field.wireType === 'version' ? { versions: true } : {}),
    }
    return { op: 'range', field: fieldOf(field), bounds }
  })
}
