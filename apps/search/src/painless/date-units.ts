import { AppError } from '@logstack/errors'
import { compileDatePattern, type DatePattern } from '../dates/date-pattern.ts'
import { type DateValue, isDate } from './date-value.ts'
import { HostObject, ownMethod } from './host-object.ts'
import { JavaFault } from './java-fault.ts'
import { numberOf } from './typed-number.ts'

type Method = (...args: unknown[]) => unknown

/** Milliseconds of the units of a fixed length, and the months of the others. */
const units: Readonly<Record<string, { readonly ms?: number; readonly months?: number }>> = {
  MILLIS: { ms: 1 },
  SECONDS: { ms: 1000 },
  MINUTES: { ms: 60_000 },
  HOURS: { ms: 3_600_000 },
  DAYS: { ms: 86_400_000 },
  WEEKS: { ms: 604_800_000 },
  MONTHS: { months: 1 },
  YEARS: { months: 12 },
}

const asDate = (value: unknown): DateValue => {
  if (isDate(value)) return value
  throw new TypeError('a date is needed')
}

/** `ChronoUnit.DAYS`: how long dates are apart. */
export class UnitValue extends HostObject {
  override readonly className = 'java.time.temporal.ChronoUnit'
  override readonly isValue = true
  readonly name: string

  constructor(name: string) {
    super()
    this.name = name
  }

  /** Milliseconds; undefined for units of months. */
  get ms(): number | undefined {
    return units[this.name]?.ms
  }

  override method(name: string): Method | undefined {
    const methods: Readonly<Record<string, Method>> = {
      between: (from, to) => numberOf('long', this.#between(asDate(from), asDate(to))),
      name: () => this.name,
      toString: () => this.text(),
    }
    return ownMethod(methods, name)
  }

  /** Whole units, cut towards zero. By the clock from days on. */
  #between(from: DateValue, to: DateValue): number {
    const { ms = 0, months } = units[this.name] ?? {}
    if (months !== undefined) return Math.trunc(from.monthsUntil(to) / months)
    const apart = ms >= 86_400_000 ? to.clockMsIn(from) - from.clockMsIn(from) : to.ms - from.ms
    return Math.trunc(apart / ms)
  }

  override text(): string {
    return `${this.name.charAt(0)}${this.name.slice(1).toLowerCase()}`
  }
}

/** The constants of `ChronoUnit`. */
export const unitStatics: Readonly<Record<string, () => UnitValue>> = Object.fromEntries(
  Object.keys(units).map((name) => [name, () => new UnitValue(name)]),
)

/** A length of time in milliseconds: `Duration`. */
class DurationValue extends HostObject {
  override readonly className = 'java.time.Duration'
  override readonly isValue = true
  readonly #ms: number

  constructor(ms: number) {
    super()
    this.#ms = ms
  }

  override method(name: string): Method | undefined {
    const whole = (unitMs: number) => () => numberOf('long', Math.floor(this.#ms / unitMs))
    const methods: Readonly<Record<string, Method>> = {
      toMillis: whole(1),
      getSeconds: whole(1000),
      toMinutes: whole(60_000),
      toHours: whole(3_600_000),
      toDays: whole(86_400_000),
      isNegative: () => this.#ms < 0,
      isZero: () => this.#ms === 0,
    }
    return ownMethod(methods, name)
  }

  override text(): string {
    const total = Math.abs(this.#ms) / 1000
    const parts = [
      [Math.floor(total / 3600), 'H'],
      [Math.floor((total % 3600) / 60), 'M'],
      [total % 60, 'S'],
    ] as const
    const sign = this.#ms < 0 ? '-' : ''
    const shown = parts.filter(([amount]) => amount !== 0).map(([amount, letter]) => `${sign}${amount}${letter}`)
    return `PT${shown.join('') || '0S'}`
  }
}

/** The static methods of `Duration`. */
export const durationStatics = {
  between: (from: unknown, to: unknown) => new DurationValue(asDate(to).ms - asDate(from).ms),
  ofMillis: (amount: unknown) => new DurationValue(Number(amount)),
  ofSeconds: (amount: unknown) => new DurationValue(Number(amount) * 1000),
  ofMinutes: (amount: unknown) => new DurationValue(Number(amount) * 60_000),
  ofHours: (amount: unknown) => new DurationValue(Number(amount) * 3_600_000),
  ofDays: (amount: unknown) => new DurationValue(Number(amount) * 86_400_000),
}

/** `DateTimeFormatter`: prints dates by a pattern. */
export class FormatterValue extends HostObject {
  override readonly className = 'java.time.format.DateTimeFormatter'
  readonly pattern: DatePattern

  /** Throws a `JavaFault` for a pattern that is none. */
  constructor(pattern: string) {
    super()
    try {
      this.pattern = compileDatePattern(pattern)
    } catch (thrown) {
      if (thrown instanceof AppError) throw new JavaFault('illegal_argument_exception', thrown.message)
      throw thrown
    }
  }

  override method(name: string): Method | undefined {
    return name === 'format' ? (date) => asDate(date).printedBy(this) : undefined
  }

  override text(): string {
    return this.className
  }
}
