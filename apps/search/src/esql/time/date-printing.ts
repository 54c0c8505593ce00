import { once } from '../../sql/once.ts'
import { join, list, num, type Sql, sql, str } from '../../sql/sql.ts'
import type { EsqlType } from '../types.ts'
import { dayOfMonth, engineDate, yearOf } from './calendar-sql.ts'
import { chronoFields, type Moment, nanosOf, takenApart, unitsOf } from './date-parts.ts'
import { monthNames, type PatternPiece, patternPieces, weekdayNames } from './date-patterns.ts'

function field(name: string, moment: Moment): Sql {
  const of = chronoFields[name]
  if (!of) throw new Error(`BUG: no field ${name}`)
  return of(moment)
}

/** A number with at least so many digits. */
function padded(value: Sql, width: number): Sql {
  if (width < 2) return sql`toString(${value})`
  const digits = sql`toString(abs(${value}))`
  const filled = sql`leftPad(${digits}, greatest(length(${digits}), ${num(width)}), '0')`
  return sql`concat(if(${value} < 0, '-', ''), ${filled})`
}

function year(value: Sql, width: number): Sql {
  return width === 2 ? padded(sql`positiveModulo(${value}, 100)`, 2) : padded(value, width)
}

function name(names: readonly string[], at: Sql, width: number): Sql {
  return sql`${list(names.map((each) => str(width < 4 ? each.slice(0, 3) : each)))}[${at}]`
}

// Weeks of patterns are those of the locale that ES|QL writes in by itself, en_US: they begin on Sundays, and the first is that of January 1st.
function weekday(day: Sql): Sql {
  return sql`(toDayOfWeek(${engineDate(day)}) % 7 + 1)`
}

/** The last day of a day's week, whose year is the week's. */
function saturday(day: Sql): Sql {
  return sql`(${day} + 7 - ${weekday(day)})`
}

function weekYear(day: Sql): Sql {
  return yearOf(saturday(day))
}

function weekOf(day: Sql): Sql {
  return sql`(intDiv(toDayOfYear(${engineDate(saturday(day))}) - 1, 7) + 1)`
}

type Printer = (moment: Moment, width: number) => Sql

function digits(of: string): Printer {
  return (moment, width) => padded(field(of, moment), width)
}

const month: Printer = (moment, width) =>
  width < 3
    ? digits('month_of_year')(moment, width)
    : name(monthNames, field('month_of_year', moment), width === 3 ? 3 : 4)

function quarter(moment: Moment, width: number): Sql {
  const at = sql`(intDiv(${field('month_of_year', moment)} - 1, 3) + 1)`
  if (width < 3) return padded(at, width)
  if (width === 3) return sql`concat('Q', toString(${at}))`
  return sql`['1st quarter', '2nd quarter', '3rd quarter', '4th quarter'][${at}]`
}

// All moments are shown in UTC.
function offset(letter: 'x' | 'X' | 'Z', width: number): string {
  if (letter === 'X') return 'Z'
  if (letter === 'Z') return width === 4 ? 'GMT' : width === 5 ? 'Z' : '+0000'
  return width === 1 ? '+00' : width === 2 || width === 4 ? '+0000' : '+00:00'
}

const printers: Readonly<Record<string, Printer>> = {
  y: (moment, width) => year(field('year_of_era', moment), width),
  u: (moment, width) => year(field('year', moment), width),
  Y: ({ day }, width) => year(weekYear(day), width),
  G: (moment) => sql`if(${field('era', moment)} = 1, 'AD', 'BC')`,
  M: month,
  L: month,
  Q: quarter,
  q: quarter,
  d: digits('day_of_month'),
  D: digits('day_of_year'),
  w: ({ day }, width) => padded(weekOf(day), width),
  e: ({ day }, width) => padded(weekday(day), width),
  c: ({ day }, width) => padded(weekday(day), width),
  E: (moment, width) => name(weekdayNames, field('day_of_week', moment), width),
  a: (moment) => sql`if(${field('ampm_of_day', moment)} = 0, 'AM', 'PM')`,
  H: digits('hour_of_day'),
  k: digits('clock_hour_of_day'),
  h: digits('clock_hour_of_ampm'),
  K: digits('hour_of_ampm'),
  m: digits('minute_of_hour'),
  s: digits('second_of_minute'),
  S: (moment, width) => sql`substring(${padded(unitsOf(moment, 1, nanosOf.second), 9)}, 1, ${num(width)})`,
  n: digits('nano_of_second'),
  A: digits('milli_of_day'),
  N: digits('nano_of_day'),
  X: (_, width) => str(offset('X', width)),
  x: (_, width) => str(offset('x', width)),
  Z: (_, width) => str(offset('Z', width)),
  z: () => str('Z'),
  O: () => str('GMT'),
  W: ({ day }) =>
    sql`toString(intDiv(${dayOfMonth(day)} + ${weekday(sql`(${day} - ${dayOfMonth(day)} + 1)`)} - 2, 7) + 1)`,
  V: () => str('Z'),
}

/** What a pattern has that cannot be printed; undefined where it has nothing such. */
export function unprintable(pattern: string): string | undefined {
  const pieces = patternPieces(pattern)
  if ('reason' in pieces) return pieces.reason
  for (const piece of pieces) {
    if (!('letter' in piece)) continue
    if (!printers[piece.letter]) return `Unknown pattern letter: ${piece.letter}`
    if (piece.letter === 'S' && piece.width > 9) return `Too many pattern letters: S`
  }
  return undefined
}

/** A moment as a `java.time` pattern prints it, in UTC; the pattern must be one that can be printed. */
export function printed(moment: Sql, type: EsqlType, pattern: string): Sql {
  const found = patternPieces(pattern)
  const pieces: readonly PatternPiece[] = 'reason' in found ? [] : found
  return once('shown', moment, (shown) => printedParts(takenApart(shown, type), pieces))
}

function printedParts({ day, nanos }: Moment, pieces: readonly PatternPiece[]): Sql {
  return once('shown_day', day, (shownDay) =>
    once('shown_time', nanos, (time) => {
      const texts = pieces.flatMap((piece) => {
        if ('optional' in piece) return []
        if ('literal' in piece) return [str(piece.literal)]
        const print = printers[piece.letter]
        return print ? [print({ day: shownDay, nanos: time }, piece.width)] : []
      })
      // A NULL of the moment must not vanish where the pattern is text only.
      return sql`if(isNull(${shownDay}), NULL, concat('', ${join(texts.length > 0 ? texts : [str('')], ', ')}))`
    }),
  )
}

/** A moment as ISO 8601 has it, with milliseconds whatever its type. */
export function printedMillis(moment: Sql, type: EsqlType): Sql {
  return signedYear(printed(moment, type, "uuuu-MM-dd'T'HH:mm:ss.SSSX"))
}

/** A year of more than four figures has a sign. */
function signedYear(text: Sql): Sql {
  return sql`replaceRegexpOne(${text}, '^([0-9]{5})', '+\\1')`
}

/** A moment as the number of milliseconds or seconds that a format of that name is, with the fraction it has; undefined for another format. */
export function printedEpoch(moment: Sql, type: EsqlType, format: string): Sql | undefined {
  if (format !== 'epoch_millis' && format !== 'epoch_second') return undefined
  const digits = (format === 'epoch_second' ? 3 : 0) + (type === 'date_nanos' ? 6 : 0)
  return once('epoch_of', moment, (at) => {
    if (digits === 0) return sql`toString(${at})`
    const units = num(10n ** BigInt(digits))
    const fraction = sql`leftPad(toString(abs(${at}) % ${units}), ${num(digits)}, '0')`
    const text = sql`concat(if(${at} < 0, '-', ''), toString(intDiv(abs(${at}), ${units})), '.', ${fraction})`
    return sql`replaceRegexpOne(${text}, '[.]?0+$', '')`
  })
}

/** A moment as ISO 8601 has it: with milliseconds, and of `date_nanos` with as many digits as it needs. */
export function printedIso(moment: Sql, type: EsqlType): Sql {
  const text = printed(moment, type, `uuuu-MM-dd'T'HH:mm:ss.${type === 'date_nanos' ? 'SSSSSSSSS' : 'SSS'}X`)
  if (type !== 'date_nanos') return signedYear(text)
  return sql`replaceRegexpOne(${text}, '([.][0-9]{3}[0-9]*?)0+Z$', '\\\\1Z')`
}
