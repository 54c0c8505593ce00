import { fieldTypeOf } from '../../indices/field-types/index.ts'
import type { RowField } from '../define-aggregation.ts'
import { formatNumber } from '../number-format.ts'

/** A number as the field's type shows it, for `value_as_string`; undefined for plain numbers. */
export function asString(field: RowField, value: number | null, format?: string | undefined): string | undefined {
  if (value === null) return undefined
  if (format !== undefined && field.type !== 'date' && field.type !== 'date_nanos') return formatNumber(format, value)
  if (!field.field) return undefined
  if (field.type === 'boolean') return value === 0 ? 'false' : 'true'
  if (field.type === 'date')
    return String(fieldTypeOf(field.field.wireType).show(Math.trunc(value), field.field, format))
  if (field.type === 'date_nanos')
    return String(fieldTypeOf(field.field.wireType).show(BigInt(Math.trunc(value)) * 1_000_000n, field.field, format))
  return undefined
}

/** A cell as a number; null when there was nothing to compute. */
export function cellNumber(cell: unknown): number | null {
  if (cell === null || cell === undefined) return null
  const value = Number(cell)
  return Number.isNaN(value) ? null : value
}
