import { ownText, resolveTimestamp, type TimeContext } from '@logstack/syslog'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const number = /^\d{9,19}(?:\.\d{1,9})?$/
// 22/Nov/2026:03:25:32 +0000 (web servers), 22-Nov-2026 03:25:32.123 (BIND)
const dayFirst =
  /^(\d{1,2})[/-]([A-Za-z]{3})[/-](\d{4})[: ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?: ?([+-]\d{2}):?(\d{2}))?$/
// Sun Nov 22 03:25:32.123456 2026 (Apache), nov/22/2026 03:25:32 (RouterOS)
const monthFirst =
  /^(?:[A-Za-z]{3} )?([A-Za-z]{3})[ /](\d{1,2})(?: (\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?) (\d{4})|[/](\d{4}) (\d{2}:\d{2}:\d{2}))$/

/** Times that say their zone, as they were read before: a web server writes many lines in one second. */
const knownTimes = new Map<string, string>()
const knownMax = 1_000

function remember(text: string, time: string): void {
  if (knownTimes.size >= knownMax) knownTimes.clear()
  knownTimes.set(ownText(text), time)
}

/** Reads the time of an event however its source writes it: seconds or smaller units since 1970, ISO 8601, web servers', Apache's, RouterOS', syslog's. */
export function eventTime(text: string, context: TimeContext): string | undefined {
  if (number.test(text)) return sinceEpoch(text)
  const known = knownTimes.get(text)
  if (known) return known
  const day = dayFirst.exec(text)
  if (day) {
    const [, date = '', month = '', year = '', clock = '', hours, minutes] = day
    const time = resolve(year, month, date, `${clock}${hours === undefined ? '' : `${hours}:${minutes}`}`, context)
    if (time !== undefined && hours !== undefined) remember(text, time)
    return time
  }
  const month = monthFirst.exec(text)
  if (month) {
    const [, name = '', date = '', clock, year, otherYear, otherClock] = month
    return resolve(year ?? otherYear ?? '', name, date, clock ?? otherClock ?? '', context)
  }
  return resolveTimestamp(text.replace(/^(\d{4})\/(\d{2})\/(\d{2})/, '$1-$2-$3'), context)
}

function resolve(year: string, month: string, day: string, clock: string, context: TimeContext): string | undefined {
  const at = months.indexOf(month.toLowerCase())
  if (at < 0) return undefined
  return resolveTimestamp(`${year}-${String(at + 1).padStart(2, '0')}-${day.padStart(2, '0')}T${clock}`, context)
}

function sinceEpoch(text: string): string | undefined {
  const [whole = '', fraction = ''] = text.split('.')
  // Ten digits are seconds until the year 2286; thirteen milliseconds, sixteen and nineteen smaller units.
  const digits = whole.length <= 11 ? `${whole}${fraction.padEnd(3, '0').slice(0, 3)}` : whole.slice(0, 13)
  const time = new Date(Number(digits))
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}
