import { AppError, searchErrors } from '@logstack/errors'
import { boundedRegExp } from '@logstack/rules'
import { watchPattern } from '../patterns/pattern-watch.ts'
import {
  type CivilTime,
  civilToMs,
  dayMs,
  daysFromCivil,
  daysFromWeek,
  isoWeek,
  isoWeekday,
  msToCivil,
  type WeekRules,
} from './calendar.ts'
import { type FoundParts, fractionNanos, type Instant, instantOf, type ParseOptions } from './iso-date.ts'
import { offsetText, type TimeZone, zoneInDate } from './time-zone.ts'

/** How a pattern is read beyond its letters: the named formats are wider than the same letters written by a user. */
export interface PatternOptions {
  /** Two-digit components may have one digit. */
  readonly lenient?: boolean
  /** `SSS` takes one to nine digits, a zone letter any spelling of an offset. */
  readonly named?: boolean
}

type Component =
  | 'year'
  | 'yearOfCentury'
  | 'month'
  | 'monthName'
  | 'day'
  | 'dayOfYear'
  | 'hour'
  | 'hour12'
  | 'hour24'
  | 'half'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'zone'
  | 'weekdayName'
  | 'weekday'
  | 'weekYear'
  | 'week'

interface Shown {
  readonly civil: CivilTime
  readonly days: number
  readonly zone: TimeZone
  readonly offsetMs: number
}

type Element =
  | { readonly literal: string }
  | { readonly optional: 'open' | 'close' }
  | { readonly component: Component; readonly accepts: string; readonly show: (moment: Shown) => string }

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const weekdayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const short = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3))

const pad = (value: number, width: number): string => {
  const digits = String(Math.abs(value)).padStart(width, '0')
  return value < 0 ? `-${digits}` : digits
}

function digits(
  component: Component,
  width: number,
  options: PatternOptions,
  value: (moment: Shown) => number,
): Element {
  const accepts = width > 1 && !options.lenient ? `\\d{${width}}` : `\\d{1,${Math.max(width, 2)}}`
  return { component, accepts, show: (moment) => pad(value(moment), width) }
}

function year(
  component: 'year' | 'weekYear',
  width: number,
  options: PatternOptions,
  value: (moment: Shown) => number,
): Element {
  if (width === 2)
    return {
      component: 'yearOfCentury',
      accepts: '\\d{2}',
      show: (moment) => pad(((value(moment) % 100) + 100) % 100, 2),
    }
  const accepts = options.lenient || width === 1 ? '[+-]?\\d{1,9}' : `\\d{${width}}|[+-]\\d{${width},9}`
  return { component, accepts, show: (moment) => pad(value(moment), width) }
}

function names(component: Component, all: readonly string[], width: number, at: (moment: Shown) => number): Element {
  const shown = width >= 4 ? all : short(all)
  return { component, accepts: shown.join('|'), show: (moment) => shown[at(moment)] ?? '' }
}

function fraction(width: number, options: PatternOptions): Element {
  const accepts = options.named ? '\\d{1,9}' : `\\d{${width}}`
  return { component: 'fraction', accepts, show: (moment) => pad(moment.civil.nanos, 9).slice(0, width) }
}

function offset(letter: string, width: number, options: PatternOptions): Element {
  const colon = letter === 'Z' ? width === 5 : width === 3 || width === 5
  const zero = letter === 'X' || (letter === 'Z' && width === 5)
  const exact = colon
    ? '[+-]\\d{2}:\\d{2}(?::\\d{2})?'
    : letter !== 'Z' && width === 1
      ? '[+-]\\d{2}(?:\\d{2})?'
      : '[+-]\\d{4}'
  const accepts = options.named ? 'Z|[+-]\\d{2}(?::?\\d{2})?' : zero ? `Z|${exact}` : exact
  return {
    component: 'zone',
    accepts,
    show: ({ offsetMs }) => {
      if (offsetMs === 0) return zero ? 'Z' : colon ? '+00:00' : letter !== 'Z' && width === 1 ? '+00' : '+0000'
      const text = offsetText(offsetMs, colon ? ':' : '')
      return letter !== 'Z' && width === 1 && text.endsWith('00') ? text.slice(0, 3) : text
    },
  }
}

const zoneName = { component: 'zone', accepts: '[A-Za-z+\\-][A-Za-z0-9_+\\-/:]*' } as const

const letters: Readonly<Record<string, (width: number, options: PatternOptions) => Element>> = {
  y: (width, options) => year('year', width, options, ({ civil }) => civil.year),
  u: (width, options) => year('year', width, options, ({ civil }) => civil.year),
  Y: (width, options) => year('weekYear', width, options, ({ civil, days }) => isoWeek(days, civil.year).weekYear),
  M: (width, options) =>
    width < 3
      ? digits('month', width, options, ({ civil }) => civil.month)
      : names('monthName', monthNames, width, ({ civil }) => civil.month - 1),
  L: (width, options) => letter('M')(width, options),
  d: (width, options) => digits('day', width, options, ({ civil }) => civil.day),
  D: (width, options) =>
    digits('dayOfYear', width, options, ({ civil, days }) => days - daysFromCivil(civil.year, 1, 1) + 1),
  H: (width, options) => digits('hour', width, options, ({ civil }) => civil.hour),
  k: (width, options) => digits('hour24', width, options, ({ civil }) => civil.hour || 24),
  h: (width, options) => digits('hour12', width, options, ({ civil }) => civil.hour % 12 || 12),
  K: (width, options) => digits('hour12', width, options, ({ civil }) => civil.hour % 12),
  a: () => ({ component: 'half', accepts: 'AM|PM|am|pm', show: ({ civil }) => (civil.hour < 12 ? 'AM' : 'PM') }),
  m: (width, options) => digits('minute', width, options, ({ civil }) => civil.minute),
  s: (width, options) => digits('second', width, options, ({ civil }) => civil.second),
  S: fraction,
  n: () => fraction(9, {}),
  w: (width, options) => digits('week', width, options, ({ civil, days }) => isoWeek(days, civil.year).week),
  e: () => ({ component: 'weekday', accepts: '[1-7]', show: ({ days }) => String(isoWeekday(days)) }),
  E: (width) => names('weekdayName', weekdayNames, width, ({ days }) => isoWeekday(days) - 1),
  Z: (width, options) => offset('Z', width, options),
  X: (width, options) => offset('X', width, options),
  x: (width, options) => offset('x', width, options),
  z: () => ({ ...zoneName, show: ({ zone }) => (zone.id === 'Z' ? 'UTC' : zone.id) }),
  V: () => ({ ...zoneName, show: ({ zone }) => zone.id }),
}

function letter(name: string): (width: number, options: PatternOptions) => Element {
  const found = letters[name]
  if (found === undefined) throw new Error(`BUG: no pattern letter ${name}`)
  return found
}

function invalid(pattern: string, reason: string): AppError {
  const cause = new AppError(searchErrors.illegal_argument_exception, reason)
  return new AppError(searchErrors.illegal_argument_exception, `Invalid format: [${pattern}]: ${reason}`, { cause })
}

function readQuoted(pattern: string, start: number): { literal: string; end: number } {
  let literal = ''
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") literal += pattern[at]
    else if (pattern[at + 1] === "'") {
      literal += "'"
      at++
    } else return { literal: literal === '' ? "'" : literal, end: at + 1 }
  }
  throw invalid(pattern, 'Pattern ends with an incomplete string literal')
}

function elementsOf(pattern: string, options: PatternOptions): Element[] {
  const elements: Element[] = []
  let at = 0
  while (at < pattern.length) {
    const char = pattern.charAt(at)
    if (char === "'") {
      const { literal, end } = readQuoted(pattern, at)
      elements.push({ literal })
      at = end
    } else if (char === '[' || char === ']') {
      elements.push({ optional: char === '[' ? 'open' : 'close' })
      at++
    } else if (/[A-Za-z]/.test(char)) {
      const make = letters[char]
      if (make === undefined) throw invalid(pattern, `Unknown pattern letter: ${char}`)
      let end = at
      while (pattern[end] === char) end++
      elements.push(make(end - at, options))
      at = end
    } else {
      elements.push({ literal: char })
      at++
    }
  }
  return elements
}

function isDigits(element: Element | undefined): boolean {
  return element !== undefined && 'accepts' in element && element.accepts.includes('\\d')
}

function expressionOf(pattern: string, elements: readonly Element[]): RegExp {
  let depth = 0
  const source = elements.map((element, at) => {
    if ('literal' in element) return element.literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    if ('component' in element) {
      // Next to other digits (`yyyyMMdd`) a year has exactly the width of its letters.
      const glued = element.component === 'year' && isDigits(elements[at + 1])
      return `(${glued ? '\\d{4}' : element.accepts})`
    }
    depth += element.optional === 'open' ? 1 : -1
    if (depth < 0) throw invalid(pattern, 'Pattern invalid as it contains ] without previous [')
    return element.optional === 'open' ? '(?:' : ')?'
  })
  return boundedRegExp(`^${source.join('')}${')?'.repeat(depth)}$`, '')
}

function hourOf(found: ReadonlyMap<Component, string>): number | undefined {
  const hour = found.get('hour') ?? found.get('hour24')
  if (hour !== undefined) return Number(hour) === 24 && found.has('hour24') ? 0 : Number(hour)
  const twelve = found.get('hour12')
  if (twelve === undefined) return undefined
  const afternoon = found.get('half')?.toLowerCase() === 'pm'
  return (Number(twelve) % 12) + (afternoon ? 12 : 0)
}

function dateOf(
  found: ReadonlyMap<Component, string>,
  weeks: WeekRules | undefined,
): Pick<FoundParts, 'year' | 'month' | 'day'> {
  const century = found.get('yearOfCentury')
  const yearText = found.get('year') ?? (century === undefined ? undefined : `20${century}`)
  const dayNumber = dayNumberOf(found, Number(yearText ?? 1970), weeks)
  if (dayNumber !== undefined) return msToCivil(dayNumber * dayMs)
  const name = found.get('monthName')?.slice(0, 3)
  const month = name === undefined ? found.get('month') : short(monthNames).indexOf(name) + 1
  return { year: numberOf(yearText), month: numberOf(month), day: numberOf(found.get('day')) }
}

function dayNumberOf(
  found: ReadonlyMap<Component, string>,
  yearNumber: number,
  weeks: WeekRules | undefined,
): number | undefined {
  const dayOfYear = found.get('dayOfYear')
  if (dayOfYear !== undefined) return daysFromCivil(yearNumber, 1, 1) + Number(dayOfYear) - 1
  const weekYear = found.get('weekYear')
  if (weekYear === undefined || found.has('month')) return undefined
  return daysFromWeek(Number(weekYear), Number(found.get('week') ?? 1), Number(found.get('weekday') ?? 1), weeks)
}

function numberOf(text: string | number | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

/** Letters of a pattern, and its optional parts. */
const patternLettersMax = 1_000
const optionalMax = 50
/** No date is longer. */
const textLettersMax = 2_000

/** A compiled `java.time` pattern; English names, ISO weeks unless a text is read by other rules. */
export interface DatePattern {
  parse(text: string, options?: ParseOptions): Instant | undefined
  print(instant: Instant, zone: TimeZone): string
}

/** Compiles a `java.time` pattern. Throws `illegal_argument_exception` for one that is not supported. */
export function compileDatePattern(pattern: string, options: PatternOptions = {}): DatePattern {
  if (pattern.length > patternLettersMax) throw invalid(`${pattern.slice(0, patternLettersMax)}…`, 'it is too long')
  const elements = elementsOf(pattern, options)
  const optional = elements.filter((element) => 'optional' in element && element.optional === 'open')
  if (optional.length > optionalMax) throw invalid(pattern, `more than [${optionalMax}] parts are optional`)
  const components = elements.flatMap((element) => ('component' in element ? [element.component] : []))
  const expression = expressionOf(pattern, elements)
  const watch = watchPattern(expression)
  return {
    parse(text, parseOptions) {
      if (text.length > textLettersMax) return undefined
      const match = watch(text, () => expression.exec(text))
      if (match === null) return undefined
      const found = new Map<Component, string>()
      for (const [at, component] of components.entries()) {
        const value = match[at + 1]
        if (value !== undefined) found.set(component, value)
      }
      const zone = found.has('zone') ? zoneInDate(found.get('zone') ?? '') : undefined
      if (found.has('zone') && zone === undefined) return undefined
      const digitsOfSecond = found.get('fraction')
      const parts = {
        ...dateOf(found, parseOptions?.weeks),
        hour: hourOf(found),
        minute: numberOf(found.get('minute')),
        second: numberOf(found.get('second')),
        nanos: digitsOfSecond === undefined ? undefined : fractionNanos(digitsOfSecond),
        zone,
      }
      return instantOf(parts, parseOptions)
    },
    print(instant, zone) {
      const offsetMs = zone.offsetMs(instant.ms)
      const civil = msToCivil(instant.ms + offsetMs, instant.nanos)
      const moment = { civil, days: Math.floor(civilToMs(civil) / dayMs), zone, offsetMs }
      return elements
        .map((element) => ('literal' in element ? element.literal : 'component' in element ? element.show(moment) : ''))
        .join('')
    },
  }
}
