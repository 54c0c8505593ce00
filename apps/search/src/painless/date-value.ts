import { civilToMs, dayMs, daysInMonth, isoWeekday, msToCivil } from '../dates/calendar.ts'
import type { DatePattern } from '../dates/date-pattern.ts'
import { findTimeZone, localToUtcMs, type TimeZone, utc } from '../dates/time-zone.ts'
import { months, fixedUnitsMs as unitsMs, weekdays } from './date-names.ts'
import { HostObject } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { numberOf } from './typed-number.ts'

/** A `ChronoUnit`; milliseconds, undefined for units of months. */
interface Unit {
  readonly name: string
  readonly ms: number | undefined
}

/** A `DateTimeFormatter`. */
interface Formatter {
  readonly pattern: DatePattern
}

/** A constant of an enumeration: its number from 1, its name. */
class EnumValue extends HostObject {
  override readonly className = 'java.lang.Enum'
  override readonly isValue = true
  readonly #number: number
  readonly #name: string

  constructor(number: number, name: string) {
    super()
    this.#number = number
    this.#name = name
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'getValue') return () => this.#number
    if (name === 'ordinal') return () => this.#number - 1
    if (name === 'getDisplayName') return (style) => shownName(this.#name, style)
    return name === 'toString' || name === 'name' ? () => this.#name : undefined
  }

  override text(): string {
    return this.#name
  }
}

/** `Monday` or `Mon`: what a constant is called in English, which the locales that scripts can name all write alike. */
function shownName(name: string, style: unknown): string {
  const shown = name.charAt(0) + name.slice(1).toLowerCase()
  const wanted = style instanceof EnumValue ? style.text() : ''
  if (/^FULL/u.test(wanted)) return shown
  if (/^SHORT/u.test(wanted)) return shown.slice(0, 3)
  if (/^NARROW/u.test(wanted)) return shown.slice(0, 1)
  throw new TypeError('a style of texts is needed')
}

const constants = (names: readonly string[]) =>
  Object.fromEntries(names.map((name, at) => [name, () => new EnumValue(at + 1, name)]))

const styles = ['FULL', 'FULL_STANDALONE', 'SHORT', 'SHORT_STANDALONE', 'NARROW', 'NARROW_STANDALONE']

/** The constants of `DayOfWeek` and `Month`, and what their `getDisplayName` is called with. */
export const calendarStatics = {
  DayOfWeek: constants(weekdays),
  Month: constants(months),
  TextStyle: constants(styles),
  Locale: constants(['ROOT', 'ENGLISH', 'US', 'UK']),
}

/** A time zone as a script holds it. */
export class ZoneValue extends HostObject {
  override readonly className = 'java.time.ZoneId'
  override readonly isValue = true
  readonly zone: TimeZone

  constructor(id: string) {
    super()
    const zone = findTimeZone(id)
    if (!zone) throw new JavaFault('zone_rules_exception', `Unknown time-zone ID: ${id}`)
    this.zone = zone
  }

  override method(name: string): (() => unknown) | undefined {
    return name === 'toString' || name === 'getId' ? () => this.zone.id : undefined
  }

  override text(): string {
    return this.zone.id
  }
}

const clockFields: Readonly<Record<string, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second'>> = {
  withYear: 'year',
  withMonth: 'month',
  withDayOfMonth: 'day',
  withHour: 'hour',
  withMinute: 'minute',
  withSecond: 'second',
}

/** Whether a value is a moment. */
export function isDate(value: unknown): value is DateValue {
  return value instanceof DateValue
}

/** A moment as Java's `ZonedDateTime` shows it, with the getters and shifts that scripts over dates use. */
export class DateValue extends HostObject {
  override readonly className = 'java.time.ZonedDateTime'
  override readonly isValue = true
  readonly ms: number
  readonly #nanosOfMs: number
  readonly #zone: TimeZone

  /** `nanosOfMs`: nanoseconds beyond the millisecond. */
  constructor(ms: number, nanosOfMs = 0, zone: TimeZone = utc) {
    super()
    this.ms = ms
    this.#nanosOfMs = nanosOfMs
    this.#zone = zone
  }

  override member(name: string, at: number): unknown {
    return name === 'millis' ? numberOf('long', this.ms) : super.member(name, at)
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    return this.#getter(name) ?? this.#shift(name) ?? this.#setter(name) ?? this.#comparison(name)
  }

  #civil() {
    return msToCivil(this.ms + this.#zone.offsetMs(this.ms), this.#nanosOfMs)
  }

  #getter(name: string): ((...args: unknown[]) => unknown) | undefined {
    const days = () => Math.floor((this.ms + this.#zone.offsetMs(this.ms)) / dayMs)
    const getters: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
      getMillis: () => numberOf('long', this.ms),
      toEpochMilli: () => numberOf('long', this.ms),
      getEpochSecond: () => numberOf('long', Math.floor(this.ms / 1000)),
      toEpochSecond: () => numberOf('long', Math.floor(this.ms / 1000)),
      toInstant: () => new DateValue(this.ms, this.#nanosOfMs),
      getYear: () => this.#civil().year,
      getMonthValue: () => this.#civil().month,
      getMonth: () => new EnumValue(this.#civil().month, months[this.#civil().month - 1] ?? ''),
      getDayOfMonth: () => this.#civil().day,
      getDayOfYear: () => days() - Math.floor(civilToMs({ ...this.#civil(), month: 1, day: 1 }) / dayMs) + 1,
      getDayOfWeek: () => isoWeekday(days()),
      getDayOfWeekEnum: () => new EnumValue(isoWeekday(days()), weekdays[isoWeekday(days()) - 1] ?? ''),
      getHour: () => this.#civil().hour,
      getMinute: () => this.#civil().minute,
      getSecond: () => this.#civil().second,
      getNano: () => this.#civil().nanos,
      toString: () => this.text(),
      withZoneSameInstant: (zone) => {
        if (!(zone instanceof ZoneValue)) throw new TypeError('a zone is needed')
        return new DateValue(this.ms, this.#nanosOfMs, zone.zone)
      },
      atZone: (zone) => {
        if (!(zone instanceof ZoneValue)) throw new TypeError('a zone is needed')
        return new DateValue(this.ms, this.#nanosOfMs, zone.zone)
      },
    }
    return Object.hasOwn(getters, name) ? getters[name] : undefined
  }

  /** `plusDays(1)`, `minusMonths(2)`, …: by the clock of its zone. */
  #shift(name: string): ((...args: unknown[]) => unknown) | undefined {
    const found = /^(plus|minus)(Weeks|Days|Hours|Minutes|Seconds|Months|Years)$/u.exec(name)
    if (!found) return undefined
    const [, way, unit = ''] = found
    return (given) => {
      const amount = Number(given) * (way === 'minus' ? -1 : 1)
      const unitMs = unitsMs[unit]
      if (unitMs !== undefined && unitMs < dayMs) return this.#moved(this.ms + amount * unitMs)
      const civil = this.#civil()
      const local =
        unitMs === undefined
          ? shiftedMonths(civil, unit === 'Years' ? amount * 12 : amount)
          : civilToMs(civil) + amount * unitMs
      return this.#moved(localToUtcMs(local, this.#zone) + (((this.ms % 1000) + 1000) % 1000))
    }
  }

  /** `withHour(0)`, …, `truncatedTo(ChronoUnit.DAYS)` and `format`: by the clock of its zone. */
  #setter(name: string): ((...args: unknown[]) => unknown) | undefined {
    if (name === 'truncatedTo') return (unit) => this.#truncated(unit as Unit)
    if (name === 'format') return (formatter) => this.printedBy(formatter as Formatter)
    const field = Object.hasOwn(clockFields, name) ? clockFields[name] : undefined
    if (field === undefined) return undefined
    return (given) => {
      const civil = { ...this.#civil(), [field]: Number(given) }
      const ms = localToUtcMs(civilToMs(civil), this.#zone) + (((this.ms % 1000) + 1000) % 1000)
      const made = new DateValue(ms, this.#nanosOfMs, this.#zone)
      if (made.#civil()[field] === civil[field]) return made
      throw new JavaFault('date_time_exception', `Invalid value for ${field}: ${civil[field]}`)
    }
  }

  #truncated({ ms: unitMs, name }: Unit): DateValue {
    if (unitMs === undefined || unitMs > dayMs)
      throw new JavaFault('unsupported_temporal_type_exception', 'Unit is too large to be used for truncation')
    const local = this.clockMsIn(this)
    const cut = Math.floor(local / unitMs) * unitMs
    return new DateValue(name === 'MILLIS' ? this.ms : localToUtcMs(cut, this.#zone), 0, this.#zone)
  }

  /** What the clock of another date's zone shows now, read as UTC, in milliseconds. */
  clockMsIn(other: DateValue): number {
    return this.ms + other.#zone.offsetMs(this.ms)
  }

  /** Whole months to another date by the clock of this one's zone, cut towards zero. */
  monthsUntil(other: DateValue): number {
    const [from, to] = [this.clockMsIn(this), other.clockMsIn(this)]
    const [start, end] = [msToCivil(from), msToCivil(to)]
    const months = (end.year - start.year) * 12 + end.month - start.month
    const rest = (civil: ReturnType<typeof msToCivil>, ms: number) =>
      civil.day * dayMs + (((ms % dayMs) + dayMs) % dayMs)
    const apart = rest(end, to) - rest(start, from)
    if (months > 0 && apart < 0) return months - 1
    return months < 0 && apart > 0 ? months + 1 : months
  }

  printedBy({ pattern }: Formatter): string {
    return pattern.print({ ms: this.ms, nanos: this.#nanosOfMs }, this.#zone)
  }

  #moved(ms: number): DateValue {
    return new DateValue(ms, this.#nanosOfMs, this.#zone)
  }

  #comparison(name: string): ((...args: unknown[]) => unknown) | undefined {
    const against = (compare: (order: number) => unknown) => (other: unknown) => {
      if (!(other instanceof DateValue)) throw new TypeError('a date is needed')
      return compare(this.ms - other.ms || this.#nanosOfMs - other.#nanosOfMs)
    }
    if (name === 'isBefore') return against((order) => order < 0)
    if (name === 'isAfter') return against((order) => order > 0)
    if (name === 'equals' || name === 'isEqual') return against((order) => order === 0)
    return name === 'compareTo' ? against(Math.sign) : undefined
  }

  override text(): string {
    const { year, month, day, hour, minute, second, nanos } = this.#civil()
    const two = (part: number) => String(part).padStart(2, '0')
    const fraction =
      nanos === 0
        ? ''
        : `.${String(nanos)
            .padStart(9, '0')
            .replace(/(000){1,2}$/u, '')}`
    const zone = this.#zone.fixedOffsetMs === undefined ? `[${this.#zone.id}]` : this.#zone.id
    return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}${
      second === 0 && nanos === 0 ? '' : `:${two(second)}${fraction}`
    }${zone}`
  }
}

function shiftedMonths(civil: ReturnType<typeof msToCivil>, by: number): number {
  const place = civil.year * 12 + civil.month - 1 + by
  const year = Math.floor(place / 12)
  const month = place - year * 12 + 1
  return civilToMs({ ...civil, year, month, day: Math.min(civil.day, daysInMonth(year, month)) })
}
