import { isSpan, readSpan } from '@logstack/esql'
import { once } from '../../sql/once.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { type Answer, defineFunction, type EsqlFunction } from '../define-function.ts'
import { missingReason } from '../faults.ts'
import { implicitly } from '../implicit-casts.ts'
import { finite } from '../operators.ts'
import { floorDivided, shownMoment } from '../time/calendar-sql.ts'
import { printedIso } from '../time/date-printing.ts'
import { isoForm, readMoments } from '../time/date-reading.ts'
import { readMoment } from '../time/read-moment.ts'
import { dateTypes, type EsqlType, numericTypes, shownType, spanTypes, stringTypes } from '../types.ts'
import { nullOf, refuse } from '../value.ts'
import { type Conversion, converted } from './converted.ts'
import { javaDouble } from './java-double.ts'
import { pointToText } from './points.ts'

/** A function that converts each value of a list; what cannot be converted is not in the list it makes. */
function conversion(
  name: string,
  aliases: readonly string[],
  type: EsqlType,
  from: readonly EsqlType[],
  convert: Conversion,
  shown = shownAll(from, counters[type]),
): EsqlFunction {
  return defineFunction({
    name,
    aliases,
    params: [{ name: 'field', types: from, many: true, shown }],
    ...unread(type, convert),
    compile: (call) => converted(call, type, convert),
  })
}

/** Why a value of a type is none of another: that it cannot be read, or is beyond the type. */
function unreadReason(value: Sql, from: EsqlType, type: EsqlType): Sql | undefined {
  const isText = stringTypes.includes(from)
  const shown = dateTypes.includes(from) ? sql`toString(${value})` : toText(value, from)
  const around = (before: string, after: string) => sql`concat(${str(before)}, ${shown}, ${str(after)})`
  if (type === 'ip') return around("java.lang.IllegalArgumentException: '", "' is not an IP string literal.")
  if (dateTypes.includes(type) && isText) {
    const format = type === 'date' ? 'strict_date_optional_time' : 'strict_date_optional_time_nanos'
    const unread = around(
      'java.lang.IllegalArgumentException: failed to parse date field [',
      `] with format [${format}]`,
    )
    return sql`if(empty(${value}), 'java.lang.IllegalArgumentException: cannot parse empty datetime', ${unread})`
  }
  if (type !== 'integer' && type !== 'long' && type !== 'double') return undefined
  const invalid = 'org.elasticsearch.xpack.esql.core.InvalidArgumentException: '
  return isText ? around(`${invalid}Cannot parse number [`, ']') : around(`${invalid}[`, `] out of [${type}] range`)
}

/** Tells of a conversion which values it could not convert. */
function unread(type: EsqlType, convert: Conversion): Pick<EsqlFunction, 'fault' | 'faults'> {
  return {
    fault({ values: [value] }, { sql: answer }) {
      const reason = value && !value.many ? unreadReason(value.sql, value.type, type) : undefined
      return reason && value && missingReason(answer, [value.sql], reason)
    },
    faults({ values: [value] }) {
      if (!value?.many) return undefined
      const each = sql`u`
      const reason = unreadReason(each, value.type, type)
      const one = reason && missingReason(convert(each, value.type), [each], reason)
      return one && sql`arrayMap(u -> ${one}, ${value.sql})`
    },
  }
}

/** Types that values never have here, and that messages name beside the others. */
const counters: Readonly<Partial<Record<EsqlType, readonly string[]>>> = {
  integer: ['counter_integer'],
  long: ['counter_integer', 'counter_long'],
  double: ['counter_double', 'counter_integer', 'counter_long'],
}

/** All types that a conversion takes as messages list them: in alphabetical order. */
function shownAll(from: readonly EsqlType[], others: readonly string[] = []): string {
  const isNumeric = numericTypes.every((type) => from.includes(type))
  const names = from.map((type) => {
    if (stringTypes.includes(type)) return 'string'
    return isNumeric && numericTypes.includes(type) ? 'numeric' : shownType(type)
  })
  return [...new Set([...names, ...others])].sort().join(' or ')
}

/** A double to the nearest whole number as Java rounds: halves go up. */
function rounded(value: Sql): Sql {
  return sql`floor(${value} + 0.5)`
}

/** What Java's `Double.parseDouble` reads, without its hexadecimal digits. */
function parsedDouble(value: Sql): Sql {
  return finite(
    sql`toFloat64OrNull(replaceRegexpOne(trimBoth(${value}), '^([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)[dDfF]$', '\\\\1'))`,
  )
}

/** A double without a fraction, of which 2^63 is the greatest long, as in Java. */
function heldLong(value: Sql): Sql {
  return once('long_of', value, (of) => sql`if(${of} = 9223372036854775808., 9223372036854775807, toInt256(${of}))`)
}

/** A whole number of an engine type: doubles are rounded, and what the type does not hold is NULL. */
function whole(engineType: 'Int32' | 'Int64' | 'UInt64'): Conversion {
  const held = (value: Sql) => sql`accurateCastOrNull(${value}, ${str(engineType)})`
  const cell = (value: Sql) => (engineType === 'Int32' ? sql`toInt64(${held(value)})` : held(value))
  return (value, from) => {
    if (from === 'boolean') return cell(sql`toUInt8(${value})`)
    if (from === 'double') return cell(engineType === 'Int64' ? heldLong(rounded(value)) : rounded(value))
    if (!stringTypes.includes(from)) return cell(value)
    // Digits beyond 2^53 would be lost on the way over a double.
    const trimmed = sql`trimBoth(${value})`
    const read = rounded(parsedDouble(value))
    return sql`ifNull(${cell(trimmed)}, ${cell(engineType === 'Int64' ? heldLong(read) : read)})`
  }
}

function toMoment(unit: 'ms' | 'ns'): Conversion {
  return (value, from) => {
    if (from === (unit === 'ms' ? 'date' : 'date_nanos')) return value
    if (stringTypes.includes(from)) {
      const read = readMoments(value, isoForm, unit)
      return unit === 'ms' ? shownMoment(read) : nanosHeld(read)
    }
    if (from === 'date_nanos') return floorDivided(value, 1_000_000n)
    if (from === 'date') return nanosHeld(sql`toInt128(${value}) * 1000000`)
    const number = whole('Int64')(value, from)
    if (unit === 'ms') return shownMoment(number)
    return from === 'double' ? sql`if(${value} < 0, NULL, ${nanosHeld(number)})` : nanosHeld(number)
  }
}

/** Moments in nanoseconds begin with 1970. */
function nanosHeld(value: Sql): Sql {
  return sql`accurateCastOrNull(accurateCastOrNull(${value}, 'UInt64'), 'Int64')`
}

function toText(value: Sql, from: EsqlType): Sql {
  // What a comparison says is a number to the engine, and what is not known is neither; the cast makes a truth of it.
  if (from === 'boolean') return sql`toString(CAST(${value}, 'Nullable(Bool)'))`
  if (from === 'double') return javaDouble(value)
  if (from === 'date' || from === 'date_nanos') return printedIso(value, from)
  if (from === 'geo_point') return pointToText(value)
  // Addresses of version 4 are kept as such of version 6.
  if (from === 'ip') return sql`replaceRegexpOne(toString(${value}), '^::ffff:([0-9.]+)$', '\\\\1')`
  return stringTypes.includes(from) || from === 'version' ? value : sql`toString(${value})`
}

const fromMost: readonly EsqlType[] = ['boolean', ...numericTypes, 'date', 'date_nanos', ...stringTypes]

function angle(name: string, of: Sql): EsqlFunction {
  return conversion(name, [], 'double', numericTypes, (value) => finite(sql`${of}(toFloat64(${value}))`), 'numeric')
}

function spanOf(name: string, type: 'date_period' | 'time_duration'): EsqlFunction {
  return defineFunction({
    name,
    params: [{ name: 'field', types: [type, ...stringTypes], constant: true, shown: `${type} or string` }],
    compile({ values: [value], text }) {
      if (!value || value.type === 'null') return { type, sql: sql`NULL` }
      if (spanTypes.includes(value.type)) return { type, sql: sql`NULL`, literal: value.literal ?? null }
      const span = readSpan(String(value.literal))
      const read = span && implicitly(value, [type])
      if (read?.type === type && read.literal && isSpan(read.literal))
        return { type, sql: sql`NULL`, literal: read.literal }
      return refuse(value, `argument of [${text}] must be a constant [${type}], received [${value.text}]`)
    },
  })
}

/** A text that stands in the query is read once and for all, with whatever zones and forms are known there. */
function moments(name: string, aliases: readonly string[], type: 'date' | 'date_nanos'): EsqlFunction {
  const from: readonly EsqlType[] = [
    type,
    ...(['date', 'date_nanos', 'double', 'long', 'unsigned_long', ...stringTypes] as const),
    ...(type === 'date' ? (['integer'] as const) : []),
  ]
  return defineFunction({
    name,
    aliases,
    params: [{ name: 'field', types: from, many: true, shown: shownAll(from) }],
    ...unread(type, toMoment(type === 'date' ? 'ms' : 'ns')),
    compile(call) {
      const [value] = call.values
      if (typeof value?.literal === 'string' && stringTypes.includes(value.type)) return readOnce(value.literal, type)
      if (typeof value?.literal === 'bigint' && value.type === type)
        return { type, sql: value.sql, literal: value.literal }
      return converted(call, type, toMoment(type === 'date' ? 'ms' : 'ns'))
    },
  })
}

function readOnce(text: string, type: 'date' | 'date_nanos'): Answer {
  const nanos = readMoment(text)
  const literal =
    type === 'date_nanos' || nanos === undefined
      ? nanos
      : (nanos - (((nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n
  const none = literal === undefined || (type === 'date_nanos' && (literal < 0n || literal >= 2n ** 63n))
  return none ? { type, sql: nullOf(type) } : { type, sql: sql`toInt64(${num(literal)})`, literal }
}

/** Functions that make values of one type of those of others. */
export const conversionFunctions: readonly EsqlFunction[] = [
  conversion('to_boolean', ['to_bool'], 'boolean', ['boolean', ...numericTypes, ...stringTypes], (value, from) =>
    from === 'boolean'
      ? value
      : stringTypes.includes(from)
        ? sql`CAST(lower(${value}) = 'true', 'Nullable(Bool)')`
        : sql`CAST(${value} != 0, 'Nullable(Bool)')`,
  ),
  conversion('to_integer', ['to_int'], 'integer', fromMost, whole('Int32')),
  conversion('to_long', [], 'long', fromMost, whole('Int64')),
  conversion('to_unsigned_long', ['to_ul', 'to_ulong'], 'unsigned_long', fromMost, whole('UInt64')),
  conversion('to_double', ['to_dbl'], 'double', fromMost, (value, from) =>
    stringTypes.includes(from) ? parsedDouble(value) : sql`toFloat64(${value})`,
  ),
  conversion('to_string', ['to_str'], 'keyword', [...fromMost, 'ip', 'version', 'geo_point'], toText),
  conversion('to_ip', [], 'ip', ['ip', ...stringTypes], (value, from) =>
    from === 'ip' ? value : sql`toIPv6OrNull(${value})`,
  ),
  conversion('to_version', ['to_ver'], 'version', ['version', ...stringTypes], (value) => value),
  moments('to_datetime', ['to_dt'], 'date'),
  moments('to_date_nanos', [], 'date_nanos'),
  angle('to_degrees', sql`degrees`),
  angle('to_radians', sql`radians`),
  spanOf('to_dateperiod', 'date_period'),
  spanOf('to_timeduration', 'time_duration'),
]
