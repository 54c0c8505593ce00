import type { ValueType } from '@logstack/rules'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql, str } from '../../sql/sql.ts'
import type { RowField } from '../define-aggregation.ts'

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

/** Types that texts and addresses are never read as. */
const numbersOnly = new Set<ValueType>(['long', 'unsigned', 'double', 'date'])
const described: Readonly<Partial<Record<ValueType, string>>> = {
  long: 'byte|short|integer|long',
  double: 'float|double',
}

/** The field as a `value_type` says when no searched index maps it: what `missing` stands for then counts as a value of that type. */
export function typedAs(field: RowField, valueType: string | undefined): RowField {
  if (valueType === undefined) return field
  const type = Object.hasOwn(valueTypes, valueType) ? valueTypes[valueType] : undefined
  if (type === undefined) throw illegalArgument(`Unknown value type [${valueType}]`)
  if (field.type !== undefined) {
    const isText = field.type === 'string' || field.type === 'text' || field.type === 'ip'
    if (isText && numbersOnly.has(type))
      throw illegalArgument(
        `Field type [${field.field?.wireType ?? field.type}] is incompatible with specified value_type [${described[type] ?? valueType}]`,
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
    field: {
      path: field.path,
      wireType: type === 'unsigned' ? 'unsigned_long' : type,
      valueType: type,
      parameters: {},
      sourcePath: field.path,
    },
  }
}
