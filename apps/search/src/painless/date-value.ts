import { civilToMs, dayMs, daysInMonth, isoWeekday, msToCivil } from '../indices/dates/calendar.ts'
import { findTimeZone, localToUtcMs, type TimeZone, utc } from '../indices/dates/time-zone.ts'
import { HostObject } from './host-object.ts'

const weekdays = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY']
const months = [
  'JANUARY',
  'FEBRUARY',
  'MARCH',
  'APRIL',
  'MAY',
  'JUNE',
  'JULY',
  'AUGUST',
  'SEPTEMBER',
  'OCTOBER',
  'NOVEMBER',
  'DECEMBER',
]
const unitsMs: Readonly<Record<string, number>> = {
  Weeks: 7 * dayMs,
  Days: dayMs,
  Hours: 3_600_000,
  Minutes: 60_000,
  Seconds: 1000,
}

/** A constant of an enumeration: its number from 1, its name. */
class EnumValue extends HostObject {
  override readonly className = 'java.lang.Enum'
  readonly #number: number
  readonly #name: string

  constructor(number: number, name: string) {
    super()
    this.#number = number
    this.#name = name
  }

  override method(name: string): (() => unknown) | undefined {
    if (name === 'getValue') return () => this.#number
    if (name === 'ordinal') return () => this.#number - 1
    return name === 'toString' || name === 'name' ? () => this.#name : undefined
  }

  override text(): string {
    return this.#name
  }
}

/** A time zone as a script holds it. */
export class ZoneValue extends HostObject {
  override readonly className = 'java.time.ZoneId'
  readonly zone: TimeZone

  constructor(id: string) {
    super()
    const zone = findTimeZone(id)
    if (!zone) throw new SyntaxError(`Unknown time-zone ID: ${id}`)
    this.zone = zone
  }

  override method(name: string): (() => unknown) | undefined {
    return name === 'toString' || name === 'getId' ? () => this.zone.id : undefined
  }

  override text(): string {
    return this.zone.id
  }
}

/** A moment as Java's `ZonedDateTime` shows it, with the getters and shifts that scripts over dates use. */
export class DateValue extends HostObject {
  override readonly className = 'java.time.ZonedDateTime'
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
    return name === 'millis' ? this.ms : super.member(name, at)
  }

  override method(name: string): ((...args: unknown[]) => unknown) | undefined {
    return this.#getter(name) ?? this.#shift(name) ?? this.#comparison(name)
  }

  #civil() {
    return msToCivil(this.ms + this.#zone.offsetMs(this.ms), this.#nanosOfMs)
  }

  #getter(name: string): ((...args: unknown[]) => unknown) | undefined {
    const days = () => Math.floor((this.ms + this.#zone.offsetMs(this.ms)) / dayMs)
    const getters: Readonly<Record<string, (...args: unknown[]) => unknown>> = {
      getMillis: () => this.ms,
      toEpochMilli: () => this.ms,
      getEpochSecond: () => Math.floor(this.ms / 1000),
      toEpochSecond: () => Math.floor(this.ms / 1000),
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
