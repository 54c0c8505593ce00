import {
  type Bounds,
  encodeSpan,
  none,
  type Predicate,
  type SpanKind,
  type SpanRelation,
  type Value,
} from '@logstack/rules'
import type { LowerContext } from '../define-query.ts'
import { dateValue, exactValue, type SearchableField } from './field-value.ts'
import { fieldOf, reporting } from './reporting.ts'

/** A range of a query on a range field. */
export function spanPredicate(
  field: SearchableField,
  kind: SpanKind,
  given: Bounds,
  options: {
    readonly format?: string | undefined
    readonly timeZone?: string | undefined
    readonly relation: SpanRelation
  },
  context: LowerContext,
): Predicate {
  const end: SearchableField = { ...field, wireType: kind, valueType: kind }
  const read = (value: Value, roundUp: boolean) =>
    kind === 'date'
      ? dateValue(value, end, { nowMs: context.nowMs, format: options.format, timeZone: options.timeZone, roundUp })
      : exactValue(value, end)
  return reporting(context, () => {
    const bounds: Bounds = {
      ...(given.gt === undefined ? {} : { gt: read(given.gt, true) }),
      ...(given.gte === undefined ? {} : { gte: read(given.gte, false) }),
      ...(given.lt === undefined ? {} : { lt: read(given.lt, false) }),
      ...(given.lte === undefined ? {} : { lte: read(given.lte, true) }),
    }
    const span = encodeSpan(bounds, kind)
    return span === undefined ? none : { op: 'span', field: fieldOf(field), kind, relation: options.relation, span }
  })
}

/** A value on a range field: the ranges that hold it. */
export function valueInSpan(field: SearchableField, kind: SpanKind, given: unknown, context: LowerContext): Predicate {
  const value = given as Value
  return spanPredicate(field, kind, { gte: value, lte: value }, { relation: 'intersects' }, context)
}
