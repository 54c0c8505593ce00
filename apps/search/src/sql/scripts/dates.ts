import { dayMs } from '../../dates/calendar.ts'
import { fixedUnitsMs, months, weekdays } from '../../painless/date-names.ts'
import { num, type Sql, sql, str } from '../sql.ts'
import { bounded, decimal, present, type Typed, typedValue, Untranslatable, whole } from './typed-sql.ts'

/** The moments that a calendar of the interpreter reaches, in milliseconds on both sides of 1970. */
const calendarMs = 8_640_000_000_000_000
/** The years that the engine's calendar has: from 1900 to 2299, in milliseconds. */
const engineMs = { from: -2_208_988_800_000, to: 10_413_792_000_000 } as const

/** A constant of an enumeration. */
export interface EnumConstant {
  readonly kind: 'enum'
  /** From 1. */
  readonly number: Typed
  readonly names: readonly string[]
}

const remainder = (ms: Sql, by: number): Sql => sql`toInt64(positiveModulo(${ms}, ${whole(by)}))`
const days = (ms: Sql): Sql => sql`intDiv(${ms} - ${remainder(ms, dayMs)}, ${whole(dayMs)})`
/** The day as one of the engine's, of those that its calendar has. */
const day = (ms: Sql): Sql =>
  sql`toDate32(toInt32(intDiv(greatest(least(${ms}, ${whole(engineMs.to)}), ${whole(engineMs.from)}) - ${remainder(ms, dayMs)}, ${whole(dayMs)})))`

const clock: Readonly<Record<string, (ms: Sql) => Sql>> = {
  getHour: (ms) => sql`intDiv(${remainder(ms, dayMs)}, toInt64(3600000))`,
  getMinute: (ms) => sql`intDiv(${remainder(ms, 3_600_000)}, toInt64(60000))`,
  getSecond: (ms) => sql`intDiv(${remainder(ms, 60_000)}, toInt64(1000))`,
  getDayOfWeek: (ms) => sql`(toInt64(positiveModulo(${days(ms)} + 3, toInt64(7))) + 1)`,
}

const calendar: Readonly<Record<string, (ms: Sql) => Sql>> = {
  getYear: (ms) => sql`toInt64(toYear(${day(ms)}))`,
  getMonthValue: (ms) => sql`toInt64(toMonth(${day(ms)}))`,
  getDayOfMonth: (ms) => sql`toInt64(toDayOfMonth(${day(ms)}))`,
  getDayOfYear: (ms) => sql`toInt64(toDayOfYear(${day(ms)}))`,
}

const enumerations: Readonly<Record<string, readonly [getter: string, names: readonly string[]]>> = {
  getDayOfWeekEnum: ['getDayOfWeek', weekdays],
  getMonth: ['getMonthValue', months],
}

function clockField(name: string, date: Typed): Typed | undefined {
  const ms = date.sql
  const read = Object.hasOwn(clock, name) ? clock[name] : undefined
  if (read) {
    const inexact = sql`(abs(toFloat64(${ms})) > ${decimal(calendarMs)})`
    return typedValue('int', read(ms), [date], { inexact })
  }
  const ofCalendar = Object.hasOwn(calendar, name) ? calendar[name] : undefined
  if (!ofCalendar) return undefined
  const inexact = sql`(${ms} < ${num(engineMs.from)} OR ${ms} >= ${num(engineMs.to)})`
  return typedValue('int', ofCalendar(ms), [date], { inexact })
}

const comparisons: Readonly<Record<string, (one: Sql, other: Sql) => Sql>> = {
  isBefore: (one, other) => sql`(${one} < ${other})`,
  isAfter: (one, other) => sql`(${one} > ${other})`,
  isEqual: (one, other) => sql`(${one} = ${other})`,
  equals: (one, other) => sql`(${one} = ${other})`,
}

function comparedDates(name: string, date: Typed, given: Typed | undefined): Typed {
  const compare = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined
  if (!compare || given?.type !== 'date' || date.nanos || given.nanos) throw new Untranslatable('no two dates')
  const other = given
  // What is no date ends the script, null too.
  return typedValue('boolean', compare(date.sql, other.sql), [date, other], { fault: other.isNull })
}

/** Moments and shifts whose sums doubles hold exactly. */
const shiftedMs = 2 ** 51

function shifted(name: string, date: Typed, given: Typed | undefined): Typed | undefined {
  const [, way, unit = ''] = /^(plus|minus)([A-Z][a-z]+)$/u.exec(name) ?? []
  const unitMs = Object.hasOwn(fixedUnitsMs, unit) ? fixedUnitsMs[unit] : undefined
  const amount = given?.type === 'int' && given.constant ? Number(given.constant.value) : undefined
  if (unitMs === undefined || amount === undefined) return undefined
  const by = amount * unitMs * (way === 'minus' ? -1 : 1)
  if (Math.abs(by) > shiftedMs) throw new Untranslatable('too far')
  const inexact = sql`(abs(toFloat64(${date.sql})) > ${decimal(shiftedMs)})`
  return typedValue('date', sql`(${date.sql} + ${whole(by)})`, [date], {
    inexact,
    ...(date.nanos ? { nanos: true } : {}),
  })
}

/** What a method of a date gives. */
export function dateMethod(target: Typed, name: string, args: readonly Typed[]): Typed | EnumConstant {
  const date = present(target)
  if (args.length === 1) return shifted(name, date, args[0]) ?? comparedDates(name, date, args[0])
  if (args.length > 1) throw new Untranslatable('other arguments')
  switch (name) {
    case 'getMillis':
    case 'toEpochMilli':
      return typedValue('long', date.sql, [date])
    case 'getEpochSecond':
    case 'toEpochSecond':
      return typedValue('long', sql`intDiv(${date.sql} - ${remainder(date.sql, 1000)}, toInt64(1000))`, [date])
    case 'toInstant':
      return date
    default: {
      const [getter, names = []] = (Object.hasOwn(enumerations, name) ? enumerations[name] : undefined) ?? []
      const found = clockField(getter ?? name, date)
      if (!found) throw new Untranslatable('no such method of dates')
      return getter === undefined ? found : { kind: 'enum', number: found, names }
    }
  }
}

/** How texts show the constants of an enumeration: `Monday`, `Mon`. */
const styles: Readonly<Record<string, (name: string) => string>> = {
  FULL: (name) => name.charAt(0) + name.slice(1).toLowerCase(),
  SHORT: (name) => name.charAt(0) + name.slice(1, 3).toLowerCase(),
}

/** What a method of an enumeration's constant gives. `style`: of `getDisplayName`. */
export function enumMethod({ number, names }: EnumConstant, name: string, style?: string): Typed {
  if (name === 'getValue') return number
  if (name === 'ordinal') return typedValue('int', sql`(${number.sql} - 1)`, [number])
  const plain = name === 'toString' || name === 'name'
  if (plain && style !== undefined) throw new Untranslatable('other arguments')
  const print = plain ? (text: string) => text : Object.hasOwn(styles, style ?? '') ? styles[style ?? ''] : undefined
  if (!print || (!plain && name !== 'getDisplayName')) throw new Untranslatable('no such method of enumerations')
  const texts = names.map((each) => str(print(each)))
  const literal = texts.slice(1).reduce((one, other) => sql`${one}, ${other}`, texts[0] ?? str(''))
  return typedValue('String', bounded(sql`arrayElement([${literal}], ${number.sql})`), [number], { bytesMax: 16 })
}
