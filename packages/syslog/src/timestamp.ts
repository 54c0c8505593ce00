const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const classic = /^([A-Z][a-z]{2}) {1,2}(\d{1,2})(?: (\d{4}))? (\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/
const dayMs = 86_400_000

/** How to read a time that does not say its year or zone. */
export interface TimeContext {
  /** Milliseconds since 1970: the year that puts a time nearest before this (at most a day after) is taken. */
  readonly now: number
  /** `+02:00`; UTC when absent. */
  readonly timezone?: string | undefined
}

/** Turns a syslog time (`Nov 21 10:00:00`, or ISO 8601) into ISO 8601 in UTC; undefined for what is no time. */
export function resolveTimestamp(text: string, context: TimeContext): string | undefined {
  const parts = classic.exec(text)
  if (parts) return resolveClassic(parts, context)
  const iso = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/.exec(text)
  if (!iso) return undefined
  const withZone = iso[1] ? text : `${text}${context.timezone ?? 'Z'}`
  const time = Date.parse(
    withZone
      .replace(' ', 'T')
      .replace(',', '.')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2'),
  )
  return isoOf(time)
}

function resolveClassic(parts: RegExpExecArray, context: TimeContext): string | undefined {
  const [, monthName = '', day = '', year, hours, minutes, seconds, fraction = ''] = parts
  const month = months.indexOf(monthName)
  if (month < 0) return undefined
  const at = (wanted: number): number =>
    Date.parse(
      `${wanted}-${String(month + 1).padStart(2, '0')}-${day.padStart(2, '0')}T${hours}:${minutes}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}${context.timezone ?? 'Z'}`,
    )
  if (year) return isoOf(at(Number(year)))
  const thisYear = new Date(context.now).getUTCFullYear()
  const latest = context.now + dayMs
  // 31 December seen on 1 January is last year's; a clock a little ahead is not. Only on the year's last days the next one has begun somewhere.
  const nextYear = new Date(latest + dayMs).getUTCFullYear() > thisYear ? at(thisYear + 1) : Number.NaN
  if (nextYear <= latest) return isoOf(nextYear)
  const time = at(thisYear)
  return isoOf(time <= latest ? time : at(thisYear - 1))
}

function isoOf(time: number): string | undefined {
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}
