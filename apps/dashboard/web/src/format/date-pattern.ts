/** An instant by a pattern of moment.js (`MMM D, YYYY @ HH:mm:ss.SSS`), in a zone (`Europe/Paris`) or the browser's. Signs that mean nothing stand as they are. */
export function datePattern(ms: number, pattern: string, zone?: string): string {
  const offsetMs = offsetOf(ms, zone)
  const wall = new Date(ms + offsetMs)
  const write = (given: string): string =>
    given.replaceAll(tokens, (token) => {
      if (token.startsWith('[')) return token.slice(1, -1)
      const whole = localized[token]
      if (whole !== undefined) return write(whole)
      const part = parts[token]
      if (part) return String(part(wall, ms, offsetMs))
      return token.startsWith('S') ? fraction(wall, token.length) : token
    })
  return write(pattern)
}

// The longest first: `MM` is no two `M`.
const tokens =
  /\[[^\]]*\]|YYYY|YY|Y|MMMM|MMM|MM|Mo|M|Qo|Q|DDDD|DDDo|DDD|DD|Do|D|dddd|ddd|dd|do|d|E|e|HH|H|hh|h|kk|k|mm|m|ss|s|S+|A|a|ZZ|Z|zz|z|X|x|LTS|LT|LLLL|LLL|LL|L/g

const localized: Readonly<Record<string, string>> = {
  LT: 'h:mm A',
  LTS: 'h:mm:ss A',
  L: 'MM/DD/YYYY',
  LL: 'MMMM D, YYYY',
  LLL: 'MMMM D, YYYY h:mm A',
  LLLL: 'dddd, MMMM D, YYYY h:mm A',
}

const months = [
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
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const dayMs = 86_400_000

/** What a token says of the time on the wall, which is kept as if it were UTC, of the instant and the zone's offset in milliseconds. */
type Part = (wall: Date, ms: number, offsetMs: number) => string | number

const pad = (value: number, length = 2): string => String(value).padStart(length, '0')
const month = (wall: Date): string => months[wall.getUTCMonth()] ?? ''
const day = (wall: Date): string => days[wall.getUTCDay()] ?? ''
const dayOfYear = (wall: Date): number =>
  Math.floor((wall.getTime() - Date.UTC(wall.getUTCFullYear(), 0, 1)) / dayMs) + 1
const hour12 = (wall: Date): number => wall.getUTCHours() % 12 || 12
const quarter = (wall: Date): number => Math.floor(wall.getUTCMonth() / 3) + 1

const parts: Readonly<Record<string, Part>> = {
  YYYY: (wall) => pad(wall.getUTCFullYear(), 4),
  YY: (wall) => pad(wall.getUTCFullYear() % 100),
  Y: (wall) => wall.getUTCFullYear(),
  MMMM: month,
  MMM: (wall) => month(wall).slice(0, 3),
  MM: (wall) => pad(wall.getUTCMonth() + 1),
  Mo: (wall) => ordinal(wall.getUTCMonth() + 1),
  M: (wall) => wall.getUTCMonth() + 1,
  Qo: (wall) => ordinal(quarter(wall)),
  Q: quarter,
  DDDD: (wall) => pad(dayOfYear(wall), 3),
  DDDo: (wall) => ordinal(dayOfYear(wall)),
  DDD: dayOfYear,
  DD: (wall) => pad(wall.getUTCDate()),
  Do: (wall) => ordinal(wall.getUTCDate()),
  D: (wall) => wall.getUTCDate(),
  dddd: day,
  ddd: (wall) => day(wall).slice(0, 3),
  dd: (wall) => day(wall).slice(0, 2),
  do: (wall) => ordinal(wall.getUTCDay()),
  d: (wall) => wall.getUTCDay(),
  e: (wall) => wall.getUTCDay(),
  E: (wall) => wall.getUTCDay() || 7,
  HH: (wall) => pad(wall.getUTCHours()),
  H: (wall) => wall.getUTCHours(),
  hh: (wall) => pad(hour12(wall)),
  h: hour12,
  kk: (wall) => pad(wall.getUTCHours() || 24),
  k: (wall) => wall.getUTCHours() || 24,
  mm: (wall) => pad(wall.getUTCMinutes()),
  m: (wall) => wall.getUTCMinutes(),
  ss: (wall) => pad(wall.getUTCSeconds()),
  s: (wall) => wall.getUTCSeconds(),
  A: (wall) => (wall.getUTCHours() < 12 ? 'AM' : 'PM'),
  a: (wall) => (wall.getUTCHours() < 12 ? 'am' : 'pm'),
  Z: (_wall, _ms, offsetMs) => offset(offsetMs, ':'),
  ZZ: (_wall, _ms, offsetMs) => offset(offsetMs, ''),
  z: (_wall, _ms, offsetMs) => offset(offsetMs, ':'),
  zz: (_wall, _ms, offsetMs) => offset(offsetMs, ':'),
  X: (_wall, ms) => Math.floor(ms / 1000),
  x: (_wall, ms) => ms,
}

function fraction(wall: Date, length: number): string {
  return pad(wall.getUTCMilliseconds(), 3).padEnd(length, '0').slice(0, length)
}

function ordinal(value: number): string {
  const teens = value % 100 > 10 && value % 100 < 14
  const ending = teens ? undefined : ['th', 'st', 'nd', 'rd'][value % 10]
  return `${value}${ending ?? 'th'}`
}

function offset(offsetMs: number, between: string): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  return `${offsetMs < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}${between}${pad(minutes % 60)}`
}

/** How far the clocks of a zone are ahead of UTC at an instant; of one that nobody knows, the browser's. */
function offsetOf(ms: number, zone: string | undefined): number {
  const own = -new Date(ms).getTimezoneOffset() * 60_000
  if (zone === undefined || zone === 'Browser') return own
  try {
    const named = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(ms)
    const [, sign, hours = '0', minutes = '0'] =
      /GMT(?:([+-])(\d+):(\d+))?/.exec(named.find(({ type }) => type === 'timeZoneName')?.value ?? '') ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
  } catch {
    return own
  }
}
