import type { ValueType } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { murmur3 } from '../../sql/murmur3.ts'
import { join, num, type Sql, sql, str } from '../../sql/sql.ts'
import { literal } from '../../sql/values.ts'
import type { KeyPart, RowField } from '../define-aggregation.ts'
import { dateValue, exactValue, isDate, searchable } from '../shapes/field-value.ts'
import { readRegexp } from '../shapes/pattern.ts'
import { scalar, whole } from '../shapes/scalars.ts'

/** `include` and `exclude` of terms: a regular expression over whole keys, a list of keys, or one of several partitions of all keys. */
export const keyFilter = z.union([
  z.string(),
  z.array(scalar),
  z.strictObject({ partition: whole, num_partitions: whole }),
])
type KeyFilter = z.infer<typeof keyFilter>

/** The seed of Elasticsearch's hash of keys. */
const partitionSeed = 31

const numeric = new Set<ValueType>(['boolean', 'date', 'date_nanos', 'double', 'long', 'unsigned'])

/** Leaves only the keys that are included and not excluded. */
export function filteredKey(
  part: KeyPart,
  field: RowField,
  filters: {
    readonly name: string
    readonly include?: KeyFilter | undefined
    readonly exclude?: KeyFilter | undefined
  },
  nowMs: number,
): KeyPart {
  const { include, exclude } = filters
  const conditions = (value: Sql) => [
    ...(include === undefined ? [] : [keyCondition(include, value, part.type, field, nowMs, filters.name)]),
    ...(exclude === undefined ? [] : [sql`NOT ${keyCondition(exclude, value, part.type, field, nowMs, filters.name)}`]),
  ]
  if (include === undefined && exclude === undefined) return part
  if (part.many) return { ...part, sql: sql`arrayFilter(x -> ${join(conditions(sql`x`), ' AND ')}, ${part.sql})` }
  return { ...part, sql: sql`if(${join(conditions(part.sql), ' AND ')}, ${part.sql}, NULL)` }
}

function keyCondition(
  filter: KeyFilter,
  value: Sql,
  type: ValueType,
  field: RowField,
  nowMs: number,
  name: string,
): Sql {
  if (typeof filter === 'object' && 'partition' in filter) {
    const { partition, num_partitions: partitions } = filter
    if (partitions < 1 || partition < 0 || partition >= partitions)
      throw illegalArgument(
        `[partition] must be at least 0 and less than [num_partitions], got [${partition}] of [${partitions}]`,
      )
    const hash =
      type === 'string' || type === 'text'
        ? murmur3(sql`assumeNotNull(${value})`, partitionSeed)
        : sql`cityHash64(toString(${value}))`
    return sql`positiveModulo(${hash}, ${num(partitions)}) = ${num(partition)}`
  }
  if (typeof filter === 'string') {
    const isText = (type === 'string' || type === 'text') && field.field?.wireType !== 'version'
    const instead = numeric.has(type)
      ? 'Use an array of numeric values for include/exclude clauses used to filter numeric fields'
      : 'Use an array of values for include/exclude clauses'
    if (!isText)
      throw illegalArgument(
        `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. ${instead}`,
      )
    return sql`match(${value}, ${str(`^(?s:${readRegexp(filter)})$`)})`
  }
  const wanted = filter.map((given) => literal(keyValue(given, field, nowMs), type))
  return wanted.length === 0 ? sql`0` : sql`${value} IN (${join(wanted, ', ')})`
}

function keyValue(given: z.infer<typeof scalar>, field: RowField, nowMs: number) {
  if (!field.field) return String(given)
  const value = isDate(field.field)
    ? dateValue(given, field.field, { nowMs, roundUp: false })
    : exactValue(given, searchable(field.field))
  return typeof value === 'bigint' && field.type === 'date_nanos' ? value / 1_000_000n : value
}

/** Gives rows without a value the key `missing`. */
export function withMissing(
  part: KeyPart,
  field: RowField,
  missing: z.infer<typeof scalar> | undefined,
  nowMs: number,
): KeyPart {
  if (missing === undefined) return part
  const key = literal(keyValue(missing, field, nowMs), part.type)
  return {
    ...part,
    sql: part.many ? sql`if(empty(${part.sql}), [${key}], ${part.sql})` : sql`ifNull(${part.sql}, ${key})`,
  }
}
