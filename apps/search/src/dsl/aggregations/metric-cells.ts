import { fieldTypeOf, findFieldType } from '../../indices/field-types/index.ts'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import type { Sql } from '../../sql/sql.ts'
import { num, sql } from '../../sql/sql.ts'
import { decodedWords, tokensOf, tokensOfMany } from '../../sql/text-tokens.ts'
import type { RowField, RowSource } from '../define-aggregation.ts'
import { formatNumber } from '../number-format.ts'
import { illegalArgument, parsingError } from '../shapes/refuse.ts'

/** A field whose values count as numbers: nullable doubles, or arrays of doubles. */
export interface NumberField {
  readonly field: RowField
  readonly sql: Sql
  readonly many: boolean
}

const numberTypes = new Set(['long', 'unsigned', 'double', 'boolean', 'date', 'date_nanos'])

/** The numeric values of a field, `missing` filled in. Text fields and strings are refused in the aggregation's name. */
export function numberField(
  source: RowSource,
  path: string,
  aggregation: string,
  missing?: number | undefined,
): NumberField {
  const field = source.field(path)
  const isNumber = field.type === undefined || numberTypes.has(field.type)
  if (!isNumber || findFieldType(field.field?.wireType ?? '')?.refusals) throw unsupportedType(field, aggregation)
  const { many } = field
  if (many) {
    const values = sql`arrayMap(x -> toFloat64(x), ${scaled(field, sql`x`) ? sql`arrayMap(x -> intDiv(x, 1000000), ${field.sql})` : field.sql})`
    return {
      field,
      many,
      sql: missing === undefined ? values : sql`if(empty(${values}), [${num(missing)}], ${values})`,
    }
  }
  const value = sql`toFloat64(${field.type === undefined ? sql`CAST(NULL, 'Nullable(Float64)')` : (scaled(field, field.sql) ?? field.sql)})`
  return {
    field,
    many,
    sql: missing === undefined ? value : sql`toNullable(coalesce(${value}, toFloat64(${num(missing)})))`,
  }
}

/** Nanoseconds are aggregated as milliseconds. */
function scaled(field: RowField, value: Sql): Sql | undefined {
  return field.type === 'date_nanos' ? sql`intDiv(${value}, 1000000)` : undefined
}

/** The refusal of a field type by an aggregation. */
export function unsupportedType(field: RowField, aggregation: string) {
  return illegalArgument(
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
  const type = wireType === undefined ? undefined : findFieldType(wireType)
  if (type?.aggregatable === false)
    throw illegalArgument(
      type.refusals?.values ??
        `Fielddata is disabled on [${field.path}] in [${field.index ?? field.path}]. Text fields are not optimised for operations that require per-document field data like aggregations and sorting, so these operations are disabled by default. Please use a keyword field instead. Alternatively, set fielddata=true on [${field.path}] in order to load field data by uninverting the inverted index. Note that this can use significant memory.`,
    )
  return field
}

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

/** Scripts are not run in aggregations. */
export function requireField(field: string | undefined, aggregation: string): string {
  if (field === undefined)
    throw parsingError(`Required one of fields [field, script], but none were specified. [${aggregation}]`)
  return field
}

/** A cell as a number; null when there was nothing to compute. */
export function cellNumber(cell: unknown): number | null {
  if (cell === null || cell === undefined) return null
  const value = Number(cell)
  return Number.isNaN(value) ? null : value
}
