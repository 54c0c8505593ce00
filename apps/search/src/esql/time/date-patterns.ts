import { months, weekdays } from '../../painless/date-names.ts'
import { join, list, num, type Sql, sql, str } from '../../sql/sql.ts'
import { dayMs, dayOf, floorDiv, remainder } from './calendar.ts'

const padded = (value: Sql, width: number): Sql => sql`leftPad(toString(${value}), ${num(width)}, '0')`
const year = (ms: Sql): Sql => sql`toYear(${dayOf(ms)})`
const month = (ms: Sql): Sql => sql`toMonth(${dayOf(ms)})`
const dayOfMonth = (ms: Sql): Sql => sql`toDayOfMonth(${dayOf(ms)})`
const dayOfYear = (ms: Sql): Sql => sql`toDayOfYear(${dayOf(ms)})`
const hour = (ms: Sql): Sql => sql`intDiv(${remainder(ms, dayMs)}, 3600000)`
const hourOfHalf = (ms: Sql): Sql => sql`(modulo(${hour(ms)} + 11, 12) + 1)`
const minute = (ms: Sql): Sql => sql`intDiv(${remainder(ms, 3_600_000)}, 60000)`
const second = (ms: Sql): Sql => sql`intDiv(${remainder(ms, 60_000)}, 1000)`
const weekday = (ms: Sql): Sql => sql`(${remainder(sql`${floorDiv(ms, dayMs)} + 3`, 7)} + 1)`

const shown = (name: string): string => name.charAt(0) + name.slice(1).toLowerCase()
const named = (names: readonly string[], at: Sql, letters = 99): Sql =>
  sql`arrayElementOrNull(${list(names.map((name) => str(shown(name).slice(0, letters))))}, ${at})`

/** One digit or two; the engine would cut what is longer than its width. */
const atLeast = (value: Sql, width: number): Sql => (width === 1 ? sql`toString(${value})` : padded(value, width))

/** A number of one or two digits. */
const short =
  (value: (ms: Sql) => Sql): Letters =>
  (ms, width) =>
    width <= 2 ? atLeast(value(ms), width) : undefined

type Letters = (ms: Sql, width: number) => Sql | undefined

const yearOf: Letters = (ms, width) =>
  width === 2 ? padded(sql`modulo(${year(ms)}, 100)`, 2) : padded(year(ms), width)
const monthOf: Letters = (ms, width) => {
  if (width <= 2) return atLeast(month(ms), width)
  return width > 4 ? undefined : named(months, month(ms), width === 3 ? 3 : 99)
}

/** What each run of a letter of a pattern is, by how many there are. All moments are those of UTC. */
const letters: Readonly<Record<string, Letters>> = {
  y: yearOf,
  u: yearOf,
  M: monthOf,
  L: monthOf,
  d: short(dayOfMonth),
  D: (ms, width) =>
    width === 1 ? sql`toString(${dayOfYear(ms)})` : width === 3 ? padded(dayOfYear(ms), 3) : undefined,
  H: short(hour),
  h: short(hourOfHalf),
  m: short(minute),
  s: short(second),
  S: (ms, width) =>
    width <= 9 ? sql`substring(${padded(remainder(ms, 1000), 3)} || '000000', 1, ${num(width)})` : undefined,
  E: (ms, width) => (width > 4 ? undefined : named(weekdays, weekday(ms), width === 4 ? 99 : 3)),
  e: (ms, width) => (width === 1 ? sql`toString(${weekday(ms)})` : undefined),
  a: (ms, width) => (width === 1 ? sql`if(${hour(ms)} < 12, 'AM', 'PM')` : undefined),
  X: (_ms, width) => (width <= 3 ? str('Z') : undefined),
  x: (_ms, width) => (width <= 3 ? str(['+00', '+0000', '+00:00'][width - 1] ?? '') : undefined),
  Z: (_ms, width) => (width <= 3 ? str('+0000') : undefined),
}

/** The pattern that moments are shown by where none is said. */
const isoPattern = "yyyy-MM-dd'T'HH:mm:ss.SSSX"
const isoNames = new Set(['strict_date_optional_time', 'date_optional_time', 'strict_date_time', 'date_time'])

/** The pieces of a pattern: runs of a letter, quoted text, and signs. */
function piecesOf(pattern: string): readonly string[] {
  const written = isoNames.has(pattern) ? isoPattern : pattern
  return written.match(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']+/gu) ?? []
}

/** A moment (milliseconds) as a text by a pattern of Java's `DateTimeFormatter`; undefined for a pattern that is not known. NULL beyond the years 1900 to 2299. */
export function formattedDate(pattern: string | undefined, ms: Sql): Sql | undefined {
  const pieces = piecesOf(pattern ?? isoPattern).map((each) => {
    if (each.startsWith("'")) return str(each === "''" ? "'" : each.slice(1, -1).replaceAll("''", "'"))
    return /^[A-Za-z]/u.test(each) ? letters[each[0] ?? '']?.(ms, each.length) : str(each)
  })
  const known = pieces.filter((each) => each !== undefined)
  if (known.length < pieces.length || known.length === 0) return undefined
  // A pattern of text alone still has no text of no moment.
  return sql`if(isNull(${ms}), NULL, concat(${join([str(''), ...known], ', ')}))`
}

/** Letters that the engine reads texts by, as Java does. */
const readable = /^(?:y+|M{1,4}|d{1,2}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|S{1,9}|a|E{1,4}|Z{1,3}|D{1,3})$/u

/** The moment, in milliseconds, that a text says by a pattern; NULL where it says none. Undefined for a pattern that cannot be read by. */
export function parsedDate(pattern: string | undefined, text: Sql): Sql | undefined {
  if (pattern === undefined || isoNames.has(pattern)) return isoMoment(text)
  const isReadable = piecesOf(pattern).every((each) => /^[^A-Za-z]/u.test(each) || readable.test(each))
  if (!isReadable || pattern === '') return undefined
  return sql`toUnixTimestamp64Milli(parseDateTime64InJodaSyntaxOrNull(${text}, ${str(pattern.replaceAll('u', 'y'))}, 'UTC'))`
}

/** Year, month, day, hour, minute, second, fraction and offset of a moment as ISO 8601 has it; what follows may be left out from the end. */
const isoText =
  '^(-?\\d{4})(?:-(\\d{2})(?:-(\\d{2})(?:T(?:(\\d{2})(?::(\\d{2})(?::(\\d{2})(?:[.,](\\d{1,9}))?)?)?)?(Z|[+-]\\d{2}(?::?\\d{2})?)?)?)?)?$'

/** The moment, in milliseconds, of a text in the form of ISO 8601; NULL where it is none. */
export function isoMoment(text: Sql): Sql {
  return isoValue(text, sql`toInt64(1000)`, 3)
}

/** The moment, in nanoseconds, of a text in the form of ISO 8601; NULL where it is none, or beyond the years 1970 to 2262. */
export function isoNanos(text: Sql): Sql {
  return sql`accurateCastOrNull(${isoValue(text, sql`toInt128(1000000000)`, 9)}, 'Int64')`
}

/** A moment in parts of a second, of which there are ten to the power of `digits`. Its text has that of the value once. */
function isoValue(text: Sql, perSecond: Sql, digits: number): Sql {
  const part = (at: number, otherwise: number) => sql`toInt32OrDefault(g[${num(at)}], toInt32(${num(otherwise)}))`
  const [y, mo, d, h, mi, s] = [part(1, 0), part(2, 1), part(3, 1), part(4, 0), part(5, 0), part(6, 0)]
  const date = sql`makeDate32(${y}, ${mo}, ${d})`
  const offset = sql`if(g[8] IN ('', 'Z'), 0, if(startsWith(g[8], '-'), -60, 60) * (toInt32OrZero(substring(g[8], 2, 2)) * 60 + toInt32OrZero(right(replaceAll(substring(g[8], 4), ':', ''), 2))))`
  const seconds = sql`(toInt64(toInt32(${date})) * 86400 + ${h} * 3600 + ${mi} * 60 + ${s} - ${offset})`
  const fraction = sql`toInt64OrZero(substring(rightPad(g[7], 9, '0'), 1, ${num(digits)}))`
  const isDate = sql`length(g) = 8 AND ${y} BETWEEN 1900 AND 2299 AND toMonth(${date}) = ${mo} AND toDayOfMonth(${date}) = ${d} AND ${h} < 24 AND ${mi} < 60 AND ${s} < 60`
  return sql`arrayMap(g -> if(${isDate}, toNullable(${seconds} * ${perSecond} + ${fraction}), NULL), [extractGroups(ifNull(${text}, ''), ${str(isoText)})])[1]`
}
