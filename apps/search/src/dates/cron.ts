import { AppError, searchErrors } from '@logstack/errors'

/** When something happens: seconds, minutes, hours, day of the month, month, day of the week and, if given, year; in UTC. */
export interface Cron {
  /** The first moment after another, in epoch milliseconds; undefined when there is none any more. */
  next(afterMs: number): number | undefined
}

interface FieldRule {
  readonly name: string
  readonly min: number
  readonly max: number
  readonly names?: readonly string[]
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const yearMax = 2199
const dayMs = 86_400_000

const rules = {
  seconds: { name: 'seconds', min: 0, max: 59 },
  minutes: { name: 'minutes', min: 0, max: 59 },
  hours: { name: 'hours', min: 0, max: 23 },
  days: { name: 'day of month', min: 1, max: 31 },
  months: { name: 'month', min: 1, max: 12, names: months },
  weekdays: { name: 'day of week', min: 1, max: 7, names: weekdays },
  years: { name: 'year', min: 1970, max: yearMax },
} as const satisfies Readonly<Record<string, FieldRule>>

function fault(expression: string, why: string): AppError {
  return new AppError(searchErrors.illegal_argument_exception, `invalid cron expression [${expression}]: ${why}`)
}

/** Whether a day of a month fits; `last` is the month's last day. */
type DayTest = (day: number, weekday: number, last: number) => boolean

/** Reads a cron expression. Throws `illegal_argument_exception`. */
export function parseCron(expression: string): Cron {
  const parts = expression.trim().toUpperCase().split(/\s+/u)
  if (parts.length < 6 || parts.length > 7) throw fault(expression, 'it has six or seven fields')
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = '', year = '*'] = parts
  const numbers = (text: string, rule: FieldRule) => readNumbers(text, rule, expression)
  if (day === '?' && weekday === '?')
    throw fault(expression, "'?' can only be given for the day of the month or for the day of the week")
  if (day !== '?' && weekday !== '?')
    throw fault(expression, "one of the day of the month and the day of the week must be '?'")
  const isDay = day === '?' ? readWeekdays(weekday, expression) : readDays(day, expression)
  const times = {
    seconds: numbers(second, rules.seconds),
    minutes: numbers(minute, rules.minutes),
    hours: numbers(hour, rules.hours),
  }
  const isMonth = new Set(numbers(month, rules.months))
  const isYear = new Set(numbers(year, rules.years))
  return {
    next(afterMs) {
      const start = Math.floor(afterMs / dayMs) * dayMs
      for (let at = start; new Date(at).getUTCFullYear() <= yearMax; at += dayMs) {
        const date = new Date(at)
        if (!isYear.has(date.getUTCFullYear()) || !isMonth.has(date.getUTCMonth() + 1)) continue
        const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
        if (!isDay(date.getUTCDate(), date.getUTCDay() + 1, last)) continue
        const found = firstTime(times, afterMs - at)
        if (found !== undefined) return at + found
      }
      return undefined
    },
  }
}

interface Times {
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  readonly seconds: readonly number[]
}

/** The first of a day's times beyond so many milliseconds of it. */
function firstTime({ hours, minutes, seconds }: Times, beyondMs: number): number | undefined {
  for (const hour of hours) {
    if ((hour + 1) * 3_600_000 <= beyondMs) continue
    for (const minute of minutes) {
      const base = hour * 3_600_000 + minute * 60_000
      if (base + 60_000 <= beyondMs) continue
      const second = seconds.find((one) => base + one * 1000 > beyondMs)
      if (second !== undefined) return base + second * 1000
    }
  }
  return undefined
}

function readNumber(text: string, rule: FieldRule, expression: string): number {
  const named = rule.names?.indexOf(text) ?? -1
  const value = named >= 0 ? named + rule.min : /^\d{1,4}$/u.test(text) ? Number(text) : Number.NaN
  if (value >= rule.min && value <= rule.max) return value
  throw fault(expression, `[${text}] is no ${rule.name}`)
}

/** Lists of numbers, ranges (also over the end, `22-2`) and steps. */
function readNumbers(text: string, rule: FieldRule, expression: string): readonly number[] {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', given, more] = part.split('/')
    const step = given === undefined ? 1 : Number(given)
    if (more !== undefined || (given !== undefined && !/^[1-9]\d{0,3}$/u.test(given)))
      throw fault(expression, `[${part}] is no step of the ${rule.name}`)
    const [low, high] = readRange(range, rule, expression, given !== undefined)
    const size = rule.max - rule.min + 1
    const length = high >= low ? high - low : high - low + size
    for (let at = 0; at <= length; at += step) found.add(rule.min + ((low - rule.min + at) % size))
  }
  return [...found].sort((a, b) => a - b)
}

function readRange(text: string, rule: FieldRule, expression: string, isStepped: boolean): readonly [number, number] {
  if (text === '*' || (text === '' && isStepped)) return [rule.min, rule.max]
  const [from = '', to, more] = text.split('-')
  if (more !== undefined) throw fault(expression, `[${text}] is no range of the ${rule.name}`)
  const low = readNumber(from, rule, expression)
  if (to === undefined) return [low, isStepped ? rule.max : low]
  const high = readNumber(to, rule, expression)
  if (high < low && rule === rules.years) throw fault(expression, `[${text}] ends before it begins`)
  return [low, high]
}

/** `L`, `L-3`, `LW`, `15W` and numbers. */
function readDays(text: string, expression: string): DayTest {
  if (text === 'L') return (day, _weekday, last) => day === last
  if (text === 'LW') return (day, weekday, last) => day === nearestWorkday(last, day, weekday, last)
  const [, before] = /^L-(\d{1,2})$/u.exec(text) ?? []
  if (before !== undefined && Number(before) <= 30) return (day, _weekday, last) => day === last - Number(before)
  const [, near] = /^(\d{1,2})W$/u.exec(text) ?? []
  if (near !== undefined) {
    const wanted = readNumber(near, rules.days, expression)
    return (day, weekday, last) => wanted <= last && day === nearestWorkday(wanted, day, weekday, last)
  }
  const days = new Set(readNumbers(text, rules.days, expression))
  return (day) => days.has(day)
}

/** The day from Monday to Friday of the month that is nearest to a day; told by the day of the week of some other day. */
function nearestWorkday(wanted: number, day: number, weekday: number, last: number): number {
  const of = (((weekday - 1 + wanted - day) % 7) + 7) % 7
  if (of === 6) return wanted > 1 ? wanted - 1 : wanted + 2
  if (of === 0) return wanted < last ? wanted + 1 : wanted - 2
  return wanted
}

/** `FRIL` or `6L` (the last of the month), `6#3` (the third) and numbers; Sunday is 1, `L` alone Saturday. */
function readWeekdays(text: string, expression: string): DayTest {
  if (text === 'L') return (_day, weekday) => weekday === 7
  const [, ofLast] = /^([A-Z\d]+)L$/u.exec(text) ?? []
  if (ofLast !== undefined) {
    const wanted = readNumber(ofLast, rules.weekdays, expression)
    return (day, weekday, last) => weekday === wanted && day + 7 > last
  }
  const [, of, nth] = /^([A-Z\d]+)#([1-5])$/u.exec(text) ?? []
  if (of !== undefined) {
    const wanted = readNumber(of, rules.weekdays, expression)
    return (day, weekday) => weekday === wanted && Math.ceil(day / 7) === Number(nth)
  }
  const wanted = new Set(readNumbers(text, rules.weekdays, expression))
  return (_day, weekday) => wanted.has(weekday)
}
