import { AppError, searchErrors } from '@logstack/errors'
import { daysInMonth } from './calendar.ts'
import { compileDatePattern } from './date-pattern.ts'
import { fastIsoMs, type Instant, type ParseOptions, parseIsoDate } from './iso-date.ts'
import { offsetText, type TimeZone, utc } from './time-zone.ts'

export type { Instant, ParseOptions } from './iso-date.ts'
export { localToUtcMs, type TimeZone, timeZone, utc } from './time-zone.ts'

/** The format of `date` fields that name none. */
export const defaultDateFormat = 'strict_date_optional_time||epoch_millis'
/** The format of `date_nanos` fields that name none. */
export const defaultDateNanosFormat = 'strict_date_optional_time_nanos||epoch_millis'

/** One date format of a mapping or request: one or more alternatives separated by `||`; the first prints. */
export interface DateFormat {
  readonly pattern: string
  /** Undefined when no alternative fits. */
  parse(text: string, options?: ParseOptions): Instant | undefined
  print(instant: Instant, zone?: TimeZone): string
}

type Single = Pick<DateFormat, 'parse' | 'print'>

const isoPrint = compileDatePattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")
const isoNanosPrint = compileDatePattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSSSSSXXX")

function isoFormat(strict: boolean, nanos: boolean): Single {
  return {
    parse(text, options) {
      const fast = fastIsoMs(text)
      if (!Number.isNaN(fast) && (text.length === 24 || options?.roundUp !== true)) return { ms: fast, nanos: 0 }
      return parseIsoDate(text, strict, options)
    },
    print(instant, zone = utc) {
      if (!nanos) return printIso(instant.ms, zone) ?? isoPrint.print(instant, zone)
      const text = isoNanosPrint.print(instant, zone)
      // Three to nine digits of a second, as many as are needed.
      return text.replace(/(\.\d{3})(\d*?)0+(?=Z|[+-])/, '$1$2')
    },
  }
}

const dayMs = 86_400_000
const firstIsoMs = Date.parse('0001-01-01T00:00:00Z')
const lastIsoMs = Date.parse('9999-12-31T23:59:59.999Z')
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
let printedDay = { day: 0, date: '1970-01-01T' }

/** A moment as ISO 8601 has it, without going by a pattern: a histogram prints thousands, of few days. Undefined for years without four digits. */
function printIso(ms: number, zone: TimeZone): string | undefined {
  const offsetMs = zone.offsetMs(ms)
  const local = ms + offsetMs
  if (!(Number.isInteger(local) && local >= firstIsoMs && local <= lastIsoMs)) return undefined
  const day = Math.floor(local / dayMs)
  if (day !== printedDay.day) printedDay = { day, date: new Date(day * dayMs).toISOString().slice(0, 11) }
  const ofDay = local - day * dayMs
  const hour = twoDigits[Math.floor(ofDay / 3_600_000)]
  const minute = twoDigits[Math.floor(ofDay / 60_000) % 60]
  const second = twoDigits[Math.floor(ofDay / 1_000) % 60]
  const millis = String(ofDay % 1_000).padStart(3, '0')
  return `${printedDay.date}${hour}:${minute}:${second}.${millis}${offsetText(offsetMs)}`
}

const epochMillis: Single = {
  parse(text, options) {
    const found = /^(-?\d{1,17})(?:\.(\d{1,6})?)?$/.exec(text)
    if (found === null) return undefined
    const given = found[2]
    const nanos = given === undefined ? (options?.roundUp ? 999_999 : 0) : Number(given.padEnd(6, '0'))
    return checked(Number(found[1]), nanos, text.startsWith('-') && given !== undefined)
  },
  print: (instant) => printDecimal(instant, 6),
}

const epochSecond: Single = {
  parse(text, options) {
    const found = /^(-?\d{1,14})(?:\.(\d{1,9})?)?$/.exec(text)
    if (found === null) return undefined
    const given = found[2]
    const nanos = given === undefined ? (options?.roundUp ? 999_999_999 : 0) : Number(given.padEnd(9, '0'))
    const sign = text.startsWith('-') && given !== undefined ? -1 : 1
    const ms = Number(found[1]) * 1000 + sign * Math.trunc(nanos / 1_000_000)
    return checked(ms, nanos % 1_000_000, sign < 0)
  },
  print: (instant) => printDecimal(instant, 9),
}

/** Nanoseconds since the epoch as a decimal number with the point `places` digits from the right. */
function printDecimal({ ms, nanos }: Instant, places: number): string {
  const total = BigInt(ms) * 1_000_000n + BigInt(nanos)
  const digits = String(total < 0n ? -total : total).padStart(places + 1, '0')
  const fraction = digits.slice(-places).replace(/0+$/, '')
  return `${total < 0n ? '-' : ''}${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`
}

function checked(ms: number, nanos: number, negative: boolean): Instant | undefined {
  if (Math.abs(ms) > 8.64e15) return undefined
  return negative && nanos > 0 ? { ms: ms - 1, nanos: 1_000_000 - nanos } : { ms, nanos }
}

/** The named formats of Elasticsearch's "Built-in formats" page that are patterns; each also exists as `strict_…`. */
const namedPatterns = new Map(
  Object.entries({
    date: 'yyyy-MM-dd',
    date_hour: "yyyy-MM-dd'T'HH",
    date_hour_minute: "yyyy-MM-dd'T'HH:mm",
    date_hour_minute_second: "yyyy-MM-dd'T'HH:mm:ss",
    date_hour_minute_second_fraction: "yyyy-MM-dd'T'HH:mm:ss.SSS",
    date_hour_minute_second_millis: "yyyy-MM-dd'T'HH:mm:ss.SSS",
    date_time: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
    date_time_no_millis: "yyyy-MM-dd'T'HH:mm:ssXXX",
    hour: 'HH',
    hour_minute: 'HH:mm',
    hour_minute_second: 'HH:mm:ss',
    hour_minute_second_fraction: 'HH:mm:ss.SSS',
    hour_minute_second_millis: 'HH:mm:ss.SSS',
    ordinal_date: 'yyyy-DDD',
    ordinal_date_time: "yyyy-DDD'T'HH:mm:ss.SSSXXX",
    ordinal_date_time_no_millis: "yyyy-DDD'T'HH:mm:ssXXX",
    time: 'HH:mm:ss.SSSXXX',
    time_no_millis: 'HH:mm:ssXXX',
    t_time: "'T'HH:mm:ss.SSSXXX",
    t_time_no_millis: "'T'HH:mm:ssXXX",
    week_date: "YYYY-'W'ww-e",
    week_date_time: "YYYY-'W'ww-e'T'HH:mm:ss.SSSXXX",
    week_date_time_no_millis: "YYYY-'W'ww-e'T'HH:mm:ssXXX",
    weekyear: 'YYYY',
    weekyear_week: "YYYY-'W'ww",
    weekyear_week_day: "YYYY-'W'ww-e",
    year: 'yyyy',
    year_month: 'yyyy-MM',
    year_month_day: 'yyyy-MM-dd',
  }),
)

/** Named formats without separators; these have no lenient form. */
const basicPatterns = new Map(
  Object.entries({
    basic_date: 'yyyyMMdd',
    basic_date_time: "yyyyMMdd'T'HHmmss.SSSXX",
    basic_date_time_no_millis: "yyyyMMdd'T'HHmmssXX",
    basic_ordinal_date: 'yyyyDDD',
    basic_ordinal_date_time: "yyyyDDD'T'HHmmss.SSSXX",
    basic_ordinal_date_time_no_millis: "yyyyDDD'T'HHmmssXX",
    basic_time: 'HHmmss.SSSXX',
    basic_time_no_millis: 'HHmmssXX',
    basic_t_time: "'T'HHmmss.SSSXX",
    basic_t_time_no_millis: "'T'HHmmssXX",
    basic_week_date: "YYYY'W'wwe",
    basic_week_date_time: "YYYY'W'wwe'T'HHmmss.SSSXX",
    basic_week_date_time_no_millis: "YYYY'W'wwe'T'HHmmssXX",
  }),
)

const specialFormats = new Map(
  Object.entries({
    strict_date_optional_time: isoFormat(true, false),
    strict_date_optional_time_nanos: isoFormat(true, true),
    date_optional_time: isoFormat(false, false),
    iso8601: isoFormat(true, false),
    epoch_millis: epochMillis,
    epoch_second: epochSecond,
  }),
)

function single(name: string): Single {
  const special = specialFormats.get(name)
  if (special !== undefined) return special
  const plain = name.startsWith('strict_') ? name.slice('strict_'.length) : name
  const basic = basicPatterns.get(plain)
  if (basic !== undefined) return compileDatePattern(basic, { named: true })
  const named = namedPatterns.get(plain)
  if (named !== undefined) return withZone(compileDatePattern(named, { named: true, lenient: plain === name }))
  if (name === '') throw new AppError(searchErrors.illegal_argument_exception, 'No date pattern provided')
  return withZone(compileDatePattern(name))
}

function withZone(pattern: ReturnType<typeof compileDatePattern>): Single {
  return { parse: pattern.parse, print: (instant, zone = utc) => pattern.print(instant, zone) }
}

const formats = new Map<string, DateFormat>()

/** The format of that pattern, compiled once. Throws `illegal_argument_exception` for an unknown one. */
export function dateFormat(pattern: string): DateFormat {
  const known = formats.get(pattern)
  if (known !== undefined) return known
  const alternatives = pattern.split('||').map((name) => single(name.trim()))
  const first = alternatives[0]
  if (first === undefined) throw new Error('BUG: splitting gives at least one part')
  const format: DateFormat = {
    pattern,
    parse(text, options) {
      for (const alternative of alternatives) {
        const instant = alternative.parse(text, options)
        if (instant !== undefined) return instant
      }
      return undefined
    },
    print: (instant, zone = utc) => first.print(instant, zone),
  }
  if (formats.size >= 1000) formats.clear()
  formats.set(pattern, format)
  return format
}

/** A moment as Java shows it: without the parts of a second it has none of. */
export function shownInstant(instant: Instant): string {
  return dateFormat('strict_date_optional_time_nanos')
    .print(instant)
    .replace(/\.(?:000)+Z$/u, 'Z')
}

const monthNames = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ')

/** What is wrong with a text that is a date but for its day, which the month does not have. */
function dayFault(text: string): string | undefined {
  const [, year = '', month = '', day = ''] = /^(\d{4})-(\d\d)-(\d\d)(?:T|$)/u.exec(text) ?? []
  const name = monthNames[Number(month) - 1]
  if (name === undefined || Number(day) > 31 || Number(day) <= daysInMonth(Number(year), Number(month)))
    return undefined
  return name === 'FEBRUARY' && day === '29'
    ? `Invalid date 'February 29' as '${year}' is not a leap year`
    : `Invalid date '${name} ${Number(day)}'`
}

/** Why a text is no date in a format: the cause Elasticsearch gives for documents and queries alike. */
export function dateParseError(text: string, format: DateFormat): AppError {
  if (text === '') return new AppError(searchErrors.illegal_argument_exception, 'cannot parse empty datetime')
  const noSuchDay = dayFault(text)
  if (noSuchDay !== undefined) return new AppError(searchErrors.date_time_exception, noSuchDay)
  const several = format.pattern.includes('||')
  const why = several ? 'Failed to parse with all enclosed parsers' : `Text '${text}' could not be parsed at index 0`
  const cause = new AppError(searchErrors.date_time_parse_exception, why)
  const reason = `failed to parse date field [${text}] with format [${format.pattern}]`
  return new AppError(searchErrors.illegal_argument_exception, reason, { cause })
}
