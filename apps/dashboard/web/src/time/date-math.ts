import { AppError, dashboardErrors } from '@logstack/errors'

/** A unit of date math as Elasticsearch writes it. */
export type DateUnit = 'y' | 'M' | 'w' | 'd' | 'h' | 'm' | 's'

const step = /([+-]\d{1,9}|\/)([yMwdhHms])/y

/**
 * The instant of a date-math text in the browser's zone: `now`, `now-7d/d`, `2026-11-21T10:00:00Z||-1h`, or a date.
 * `roundUp` takes the end of a rounded unit instead of its start, as the upper bound of a range does. Throws `date_math_invalid`.
 */
export function resolveDateMath(text: string, options: { now: Date; roundUp?: boolean }): Date {
  const { anchor, math } = split(text, options.now)
  const date = new Date(anchor)
  step.lastIndex = 0
  while (step.lastIndex < math.length) {
    const found = step.exec(math)
    if (!found) throw invalid(text)
    const [, operation = '/', letter = 'd'] = found
    const unit = (letter === 'H' ? 'h' : letter) as DateUnit
    if (operation !== '/') add(date, Number(operation), unit)
    else {
      startOf(date, unit)
      if (options.roundUp) {
        add(date, 1, unit)
        date.setMilliseconds(date.getMilliseconds() - 1)
      }
    }
  }
  if (Number.isNaN(date.getTime())) throw invalid(text)
  return date
}

/** Whether a text can be resolved. */
export function isDateMath(text: string): boolean {
  try {
    resolveDateMath(text, { now: new Date() })
    return true
  } catch {
    return false
  }
}

function split(text: string, now: Date): { anchor: Date; math: string } {
  if (text.startsWith('now')) return { anchor: now, math: text.slice('now'.length) }
  const [date = '', math = ''] = text.split('||')
  const anchor = new Date(date)
  if (date === '' || Number.isNaN(anchor.getTime())) throw invalid(text)
  return { anchor, math }
}

const unitMs: Readonly<Partial<Record<DateUnit, number>>> = { h: 3_600_000, m: 60_000, s: 1_000 }
const unitDays: Readonly<Partial<Record<DateUnit, number>>> = { w: 7, d: 1 }

function add(date: Date, amount: number, unit: DateUnit): void {
  const ms = unitMs[unit]
  const days = unitDays[unit]
  if (ms !== undefined) date.setTime(date.getTime() + amount * ms)
  // Days and longer follow the calendar: a day is not always 24 hours.
  else if (days !== undefined) date.setDate(date.getDate() + amount * days)
  else addMonths(date, unit === 'y' ? amount * 12 : amount)
}

// The 31st plus one month is the last day of a shorter month, never the start of the one after.
function addMonths(date: Date, amount: number): void {
  const day = date.getDate()
  date.setDate(1)
  date.setMonth(date.getMonth() + amount)
  const lastDay = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate()
  date.setDate(Math.min(day, lastDay))
}

const coarseness: readonly DateUnit[] = ['s', 'm', 'h', 'd', 'M', 'y']

function startOf(date: Date, unit: DateUnit): void {
  const level = coarseness.indexOf(unit === 'w' ? 'd' : unit)
  date.setMilliseconds(0)
  if (level >= 1) date.setSeconds(0)
  if (level >= 2) date.setMinutes(0)
  if (level >= 3) date.setHours(0)
  if (level >= 4) date.setDate(1)
  if (level >= 5) date.setMonth(0)
  // Weeks start on Monday, as in ISO 8601.
  if (unit === 'w') date.setDate(date.getDate() - ((date.getDay() + 6) % 7))
}

function invalid(text: string): AppError {
  return new AppError(
    dashboardErrors.date_math_invalid,
    `[${text}] is not a time such as now-15m or 2026-01-31T12:00:00Z`,
  )
}
