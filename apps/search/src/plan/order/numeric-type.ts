import { isDate, type SearchableField } from '../../dsl/shapes/field-value.ts'
import type { SortCriterion } from '../../dsl/sort/read-sort.ts'
import { illegalArgument, queryShardError } from '../../refusals/refuse.ts'
import { type Sql, sql } from '../../sql/sql.ts'

/**
 * A number to sort by as one of the type that the request says, so that indices which disagree on a field's type sort alike.
 */
export function asNumericType(
  value: Sql,
  field: SearchableField,
  { numericType }: SortCriterion,
): { readonly value: Sql; readonly field: SearchableField } {
  const { valueType } = field
  const as = (made: Sql, wireType: 'date' | 'date_nanos' | 'double' | 'long') => ({
    value: made,
    field: { ...field, wireType, valueType: wireType, parameters: {} },
  })
  if (numericType === undefined || numericType === valueType) return { value, field }
  if (numericType === 'double') return as(sql`toFloat64(${value})`, 'double')
  if (numericType === 'long')
    return as(valueType === 'double' || valueType === 'boolean' ? sql`toInt64(${value})` : value, 'long')
  if (numericType === 'date')
    return as(valueType === 'date_nanos' ? sql`intDiv(${value}, 1000000)` : sql`toInt64(${value})`, 'date')
  return as(valueType === 'date' ? sql`(${value} * 1000000)` : sql`toInt64(${value})`, 'date_nanos')
}

/** Refuses a numeric type of a field that is no number. Throws `query_shard_exception`. */
export function refuseNumericType({ numericType }: SortCriterion, field: SearchableField, index: string): void {
  if (numericType === undefined) return
  const reason = `[numeric_type] option cannot be set on a non-numeric field, got ${field.wireType}`
  throw queryShardError(index, undefined, reason)
}

/** Refuses a mode that reckons with values which are no numbers. Throws `query_shard_exception`. */
export function refuseTextMode({ mode }: SortCriterion, index: string): void {
  if (mode === 'min' || mode === 'max') return
  throw queryShardError(index, undefined, 'we only support AVG, MEDIAN and SUM on number based fields')
}

/** Refuses a format of what is shown as it is: only dates are sorted by with one. Numbers become no nanoseconds either. Throws `illegal_argument_exception`. */
export function refuseFormat({ format, numericType }: SortCriterion, field: SearchableField): void {
  const { valueType, wireType, path } = field
  if (isDate(field)) return
  const isNumber = valueType === 'long' || valueType === 'unsigned' || valueType === 'double'
  if (format !== undefined)
    throw illegalArgument(
      isNumber
        ? 'require a date_time formatter; got [decimal]'
        : `Field [${path}] of type [${wireType}] does not support custom formats`,
    )
  if (numericType === 'date_nanos')
    throw illegalArgument('trying to convert a known date time formatter to a nanosecond one, wrong field used?')
}
