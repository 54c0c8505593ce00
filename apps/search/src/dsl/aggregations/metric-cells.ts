import { findFieldType } from '../../indices/field-types/index.ts'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import { valuesRefusal } from '../../indices/field-types/values-refusal.ts'
import { illegalArgument, numberFormatError, ofRequest } from '../../refusals/refuse.ts'
import type { Sql } from '../../sql/sql.ts'
import { num, sql } from '../../sql/sql.ts'
import { decodedWords, tokensOf, tokensOfMany } from '../../sql/text-tokens.ts'
import type { RowField, RowSource } from '../define-aggregation.ts'
import { dateValue, isDate } from '../shapes/field-value.ts'

/** A field whose values count as numbers: nullable doubles, or arrays of doubles. */
export interface NumberField {
  readonly field: RowField
  readonly sql: Sql
  readonly many: boolean
}

export const numberTypes = new Set(['long', 'unsigned', 'double', 'boolean', 'date', 'date_nanos'])

/** The numeric values of a field, `missing` filled in. Text fields and strings are refused in the aggregation's name. */
export function numberField(
  source: RowSource,
  path: string,
  aggregation: string,
  given?: number | string | undefined,
): NumberField {
  const field = source.field(path)
  const isNumber = field.type === undefined || numberTypes.has(field.type)
  if (!isNumber || findFieldType(field.field?.wireType ?? '')?.refusals) throw unsupportedType(field, aggregation)
  valued(field)
  const missing = typeof given === 'string' ? missingNumber(given, field, source.nowMs) : given
  const { many } = field
  if (many) {
    const values = sql`arrayMap(x -> toFloat64(x), ${scaled(field, sql`x`) ? sql`arrayMap(x -> intDiv(x, 1000000), ${field.sql})` : field.sql})`
    return {
      field,
      many,
      sql: missing === undefined ? values : sql`if(empty(${values}), [toFloat64(${num(missing)})], ${values})`,
    }
  }
  const value = sql`toFloat64(${field.type === undefined ? sql`CAST(NULL, 'Nullable(Float64)')` : (scaled(field, field.sql) ?? field.sql)})`
  return {
    field,
    many,
    sql: missing === undefined ? value : sql`toNullable(coalesce(${value}, toFloat64(${num(missing)})))`,
  }
}

/** What a text stands for in the place of a missing number: of dates it is one. */
function missingNumber(given: string, { field }: RowField, nowMs: number): number {
  if (!field || !isDate(field)) throw numberFormatError(given)
  const value = dateValue(given, field, { nowMs, roundUp: false })
  return typeof value === 'bigint' ? Number(value / 1_000_000n) : value
}

/** Nanoseconds are aggregated as milliseconds. */
function scaled(field: RowField, value: Sql): Sql | undefined {
  return field.type === 'date_nanos' ? sql`intDiv(${value}, 1000000)` : undefined
}

/** The refusal of a field type by an aggregation. */
export function unsupportedType(field: RowField, aggregation: string) {
  if (field.unmapped)
    return illegalArgument(
      `unmapped field with value source type [${field.field?.wireType}] is not supported for aggregation [${aggregation}]`,
    )
  return illegalArgument(
    (field.type === 'text' && field.field ? valuesRefusal(field.field, field.index ?? field.path) : undefined) ??
      findFieldType(field.field?.wireType ?? '')?.refusals?.values ??
      `Field [${field.path}] of type [${field.field?.wireType ?? 'unmapped'}] is not supported for aggregation [${aggregation}]`,
  )
}

/** A text field as a list of its words. */
export function wordsOf(field: RowField): RowField {
  return { ...field, sql: sql`arrayDistinct(${allWordsOf(field)})`, many: true, type: 'string' }
}

/** The words of a text field in order, repeated ones too. */
export function allWordsOf(field: RowField): Sql {
  const held = field.many ? tokensOfMany(field.sql) : tokensOf(field.sql)
  return field.field?.words === undefined ? held : decodedWords(held)
}

/** Refuses fields that are only analysed text, as Elasticsearch does without `fielddata`; with it, their words are their values. */
export function aggregatable(field: RowField): RowField {
  const { wireType } = field.field ?? {}
  if (wireType !== undefined && spanKindOf(wireType)) throw unsupportedType(field, 'terms')
  if (field.type === 'text' && field.field?.parameters['fielddata'] === true) return wordsOf(field)
  return valued(field)
}

/** Refuses a field that keeps no values. */
export function valued(field: RowField): RowField {
  const refusal = field.field && valuesRefusal(field.field, field.index ?? field.path)
  if (refusal !== undefined) throw illegalArgument(refusal)
  return field
}

/** Scripts are not run in aggregations. */
export function requireField(field: string | undefined): string {
  if (field === undefined)
    throw ofRequest(illegalArgument('Required one of fields [field, script], but none were specified.'))
  return field
}
