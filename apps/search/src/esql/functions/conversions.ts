import { isSpan } from '@logstack/esql'
import { type Sql, sql, str } from '../../sql/sql.ts'
import { defineFunction, type EsqlFunction } from '../define-function.ts'
import { formattedDate, isoMoment, isoNanos } from '../time/date-patterns.ts'
import { dateTypes, type EsqlType, numericTypes, spanTypes, stringTypes } from '../types.ts'
import { nullOf, refuse, type Value } from '../value.ts'

const nothing = sql`NULL`

/** How one value of a type becomes one of another: NULL where it cannot. */
type Convert = (one: Sql, type: EsqlType) => Sql

/** A conversion: of a list each value, and those that cannot be converted go. */
function conversion(
  name: string,
  aliases: readonly string[],
  to: EsqlType,
  types: readonly EsqlType[],
  convert: Convert,
): EsqlFunction {
  return defineFunction({
    name,
    aliases,
    params: [{ name: 'field', types, many: true }],
    compile({ values: [value] }) {
      if (!value || value.type === 'null') return { type: to, sql: nullOf(to) }
      if (!value.many) return { type: to, sql: convert(value.sql, value.type) }
      return { type: to, sql: each(value, convert), many: true }
    },
  })
}

function each({ sql: values, type }: Value, convert: Convert): Sql {
  const converted = sql`arrayMap(v -> ${convert(sql`v`, type)}, ${values})`
  return sql`arrayMap(w -> assumeNotNull(w), arrayFilter(u -> isNotNull(u), ${converted}))`
}

/** Halves are rounded up, as Java does. */
const rounded = (value: Sql): Sql => sql`floor(${value} + 0.5)`

/** A number of a whole type; what it cannot hold is none. */
function whole(engineType: string): Convert {
  const fits = (value: Sql) => sql`accurateCastOrNull(${value}, ${str(engineType)})`
  const widened = (value: Sql) => (engineType === 'Int32' ? sql`toInt64(${fits(value)})` : fits(value))
  return (one, type) => {
    if (type === 'boolean') return widened(sql`if(${one}, 1, 0)`)
    if (type === 'double') return widened(rounded(one))
    if (!stringTypes.includes(type)) return widened(one)
    // A whole number keeps all its digits; others are doubles first.
    return sql`coalesce(${widened(sql`toInt128OrNull(${one})`)}, ${widened(rounded(sql`toFloat64OrNull(${one})`))})`
  }
}

const numbers: readonly EsqlType[] = ['boolean', ...numericTypes, ...stringTypes]

const toDouble: Convert = (one, type) => {
  if (type === 'boolean') return sql`toFloat64(if(${one}, 1, 0))`
  return stringTypes.includes(type)
    ? sql`nullIf(ifNotFinite(toFloat64OrNull(${one}), inf), inf)`
    : sql`toFloat64(${one})`
}

const toBoolean: Convert = (one, type) => {
  if (type === 'boolean') return one
  return stringTypes.includes(type) ? sql`(lower(${one}) = 'true')` : sql`(${one} != 0)`
}

const toText: Convert = (one, type) => {
  switch (type) {
    case 'boolean':
      return sql`if(${one}, 'true', 'false')`
    case 'double':
      return sql`if(match(toString(${one}), '[.e]'), toString(${one}), concat(toString(${one}), '.0'))`
    case 'date':
      return formattedDate(undefined, one) ?? nothing
    case 'date_nanos':
      return formattedDate(undefined, sql`intDiv(${one}, toInt64(1000000))`) ?? nothing
    case 'ip':
      return sql`replaceRegexpOne(toString(${one}), '^::ffff:([0-9.]+)$', '\\\\1')`
    case 'keyword':
    case 'text':
    case 'version':
      return one
    default:
      return sql`toString(${one})`
  }
}

const toDate: Convert = (one, type) => {
  if (type === 'date') return one
  if (type === 'date_nanos') return sql`intDiv(${one}, toInt64(1000000))`
  return stringTypes.includes(type) ? isoMoment(one) : whole('Int64')(one, type)
}

const toNanos: Convert = (one, type) => {
  if (type === 'date_nanos') return one
  if (type === 'date') return sql`accurateCastOrNull(toInt128(${one}) * 1000000, 'Int64')`
  return stringTypes.includes(type) ? isoNanos(one) : whole('Int64')(one, type)
}

/** A span that stands in the query; a text is read as one. */
function spanFunction(name: string, type: 'date_period' | 'time_duration'): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'field', types: spanTypes, constant: true }],
    compile({ values: [value] }) {
      const literal = value?.literal
      if (value === undefined || literal === undefined || literal === null || !isSpan(literal))
        return { type, sql: nothing }
      if (value.type !== type) refuse(value, `argument of [${name}] must be a ${type}, found [${value.text}]`)
      return { type, sql: nothing, literal }
    },
  })
}

/** Conversions from one type to another, also written `value::type`. */
export const conversionFunctions: readonly EsqlFunction[] = [
  conversion('to_boolean', ['to_bool'], 'boolean', numbers, toBoolean),
  conversion('to_integer', ['to_int'], 'integer', [...numbers, ...dateTypes], whole('Int32')),
  conversion('to_long', [], 'long', [...numbers, ...dateTypes], whole('Int64')),
  conversion('to_unsigned_long', ['to_ulong', 'to_ul'], 'unsigned_long', [...numbers, ...dateTypes], whole('UInt64')),
  conversion('to_double', ['to_dbl'], 'double', [...numbers, ...dateTypes], toDouble),
  conversion('to_string', ['to_str'], 'keyword', [...numbers, ...dateTypes, 'ip', 'version'], toText),
  conversion('to_datetime', ['to_dt'], 'date', [...dateTypes, ...numericTypes, ...stringTypes], toDate),
  conversion('to_date_nanos', ['to_datenanos'], 'date_nanos', [...dateTypes, ...numericTypes, ...stringTypes], toNanos),
  conversion('to_ip', [], 'ip', ['ip', ...stringTypes], (one, type) =>
    type === 'ip' ? one : sql`toIPv6OrNull(${one})`,
  ),
  conversion('to_version', ['to_ver'], 'version', ['version', ...stringTypes], (one) => one),
  spanFunction('to_dateperiod', 'date_period'),
  spanFunction('to_timeduration', 'time_duration'),
]
