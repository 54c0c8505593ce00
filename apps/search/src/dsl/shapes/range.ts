import type { Bounds, Predicate, SpanRelation, Value } from '@logstack/rules'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import { printDouble } from '../../json/print-json.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { illegalArgument, ofShard } from '../../refusals/refuse.ts'
import type { LowerContext } from '../define-query.ts'
import { exactValue, isDate, type SearchableField, searchable, soughtDate } from './field-value.ts'
import { fieldOf, reporting } from './reporting.ts'
import { spanPredicate } from './span.ts'

const wholeTypes: Readonly<Record<string, readonly [name: string, low: number, high: number]>> = {
  byte: ['an integer', -(2 ** 31), 2 ** 31 - 1],
  short: ['an integer', -(2 ** 31), 2 ** 31 - 1],
  integer: ['an integer', -(2 ** 31), 2 ** 31 - 1],
  long: ['a long', -(2 ** 63), 2 ** 63],
}

/** A bound of whole numbers, which must be within what their type is compared as. */
function wholeBound(bound: Value, given: Value, { wireType }: SearchableField): Value {
  const [name, low, high] = wholeTypes[wireType] ?? []
  const isNumber = typeof bound === 'number' || typeof bound === 'bigint'
  if (name === undefined || !isNumber || (bound >= (low ?? 0) && bound <= (high ?? 0))) return bound
  const shown = typeof given === 'number' && !Number.isSafeInteger(given) ? printDouble(given) : String(given)
  throw illegalArgument(`Value [${shown}] is out of range for ${name}`)
}

/** Reads the bounds of a range by the field's type. Bounds beyond what whole numbers of the type are compared as are refused where that is asked for. Upper bounds and `gt` of incomplete dates mean the end of what is missing. */
export function rangePredicate(
  resolved: ResolvedField,
  given: Bounds,
  dates: { readonly format?: string | undefined; readonly timeZone?: string | undefined },
  context: LowerContext,
  more: { readonly relation?: SpanRelation; readonly refusesFarBounds?: boolean } = {},
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
    isDate(field)
      ? // A date is read when it is looked whether the index can hold it, before there is a query for the index.
        ofShard(() => soughtDate(value, field, { nowMs: context.nowMs, ...dates, roundUp }))
      : more.refusesFarBounds === true
        ? wholeBound(exactValue(value, field), value, field)
        : exactValue(value, field)
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
