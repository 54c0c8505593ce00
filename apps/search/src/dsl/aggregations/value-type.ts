import type { ValueType } from '@logstack/rules'
import { illegalArgument, memberError } from '../../refusals/refuse.ts'
import { sql, str } from '../../sql/sql.ts'
import type { RowField, RowSource } from '../define-aggregation.ts'

const valueTypes: Readonly<Record<string, ValueType>> = {
  string: 'string',
  long: 'long',
  integer: 'long',
  short: 'long',
  byte: 'long',
  unsigned_long: 'unsigned',
  double: 'double',
  float: 'double',
  number: 'double',
  numeric: 'double',
  boolean: 'boolean',
  date: 'date',
  ip: 'ip',
}

/** What values of a type go together with: those of other numbers, or none but their own. */
const kinds: Readonly<Partial<Record<ValueType, string>>> = {
  string: 'string',
  text: 'string',
  long: 'number',
  unsigned: 'number',
  double: 'number',
  boolean: 'boolean',
  date: 'date',
  date_nanos: 'date',
  ip: 'ip',
}
const described: Readonly<Partial<Record<ValueType, string>>> = {
  long: 'byte|short|integer|long',
  double: 'float|double',
}

/** Aggregations of one field that take a `value_type` beside those that read it themselves. */
const typed = new Set([
  'auto_date_histogram',
  'avg',
  'boxplot',
  'cardinality',
  'date_histogram',
  'date_range',
  'diversified_sampler',
  'extended_stats',
  'histogram',
  'max',
  'median_absolute_deviation',
  'min',
  'missing',
  'percentile_ranks',
  'percentiles',
  'range',
  'rate',
  'significant_terms',
  'stats',
  'string_stats',
  'sum',
  'value_count',
])

/** The body of an aggregation without its `value_type`, and that; throws where it is none. */
export function typedBody(name: string, body: unknown): { readonly body: unknown; readonly valueType?: string } {
  const readsIt = name === 'terms' || name === 'rare_terms'
  if (!(typed.has(name) || readsIt) || body === null || typeof body !== 'object') return { body }
  const { value_type: valueType, ...rest } = body as Readonly<Record<string, unknown>>
  if (valueType === undefined) return { body }
  if (typeof valueType !== 'string' || !Object.hasOwn(valueTypes, valueType))
    throw memberError(name, 'value_type', illegalArgument(`Unknown value type [${String(valueType)}]`))
  return readsIt ? { body } : { body: rest, valueType }
}

/** The rows, whose field is of a type where no searched index maps it. */
export function typedRows(source: RowSource, valueType: string | undefined, path: string | undefined): RowSource {
  if (valueType === undefined || path === undefined) return source
  return { ...source, field: (each) => (each === path ? typedAs(source.field(each), valueType) : source.field(each)) }
}

/** The field as a `value_type` says when no searched index maps it: what `missing` stands for then counts as a value of that type. */
export function typedAs(field: RowField, valueType: string | undefined): RowField {
  if (valueType === undefined) return field
  const type = Object.hasOwn(valueTypes, valueType) ? valueTypes[valueType] : undefined
  if (type === undefined) throw illegalArgument(`Unknown value type [${valueType}]`)
  if (field.type !== undefined) {
    const isNumber = valueType === 'number' || valueType === 'numeric'
    if (kinds[field.type] !== undefined && kinds[field.type] !== kinds[type])
      throw illegalArgument(
        `Field type [${field.field?.wireType ?? field.type}] is incompatible with specified value_type [${described[isNumber ? 'long' : type] ?? valueType}]`,
      )
    return field
  }
  const stored = {
    string: 'String',
    text: 'String',
    double: 'Float64',
    unsigned: 'UInt64',
    boolean: 'Bool',
    ip: 'IPv6',
  }
  return {
    ...field,
    sql: sql`CAST(NULL, ${str(`Nullable(${Object.hasOwn(stored, type) ? stored[type as keyof typeof stored] : 'Int64'})`)})`,
    many: false,
    type,
    unmapped: true,
    field: {
      path: field.path,
      wireType: type === 'unsigned' ? 'unsigned_long' : type === 'string' ? 'keyword' : type,
      valueType: type,
      parameters: {},
      sourcePath: field.path,
    },
  }
}
