import { once } from '../../sql/once.ts'
import { num, type Sql, sql, str } from '../../sql/sql.ts'
import { dayNumber, engineDateOf } from './calendar-sql.ts'
import { monthNames, patternPieces } from './date-patterns.ts'

type Component =
  | 'year'
  | 'yearOfCentury'
  | 'month'
  | 'monthName'
  | 'day'
  | 'dayOfYear'
  | 'hour'
  | 'hour12'
  | 'half'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'zone'

/** How texts are read as moments: a regular expression of the engine, and what each of its groups is. */
export interface DateForm {
  readonly regexp: string
  readonly groups: readonly Component[]
}

const zone = 'Z|[+-][0-9]{2}(?::?[0-9]{2})?'

/** `strict_date_optional_time`: a year and whatever follows it, the offset last. */
export const isoForm: DateForm = {
  regexp: `^([0-9]{4}|[+-][0-9]{4,9})(?:-([0-9]{2})(?:-([0-9]{2})(?:T(?:([0-9]{2})(?::([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?)?(${zone})?)?)?)?)?$`,
  groups: ['year', 'month', 'day', 'hour', 'minute', 'second', 'fraction', 'zone'],
}

const digits = (width: number): string => (width > 1 ? `[0-9]{${width}}` : '[0-9]{1,2}')

const readers: Readonly<Record<string, (width: number) => readonly [Component, string]>> = {
  y: (width) =>
    width === 2 ? ['yearOfCentury', '[0-9]{2}'] : ['year', width === 1 ? '[0-9]{1,9}' : `[0-9]{${width}}`],
  M: (width) => (width < 3 ? ['month', digits(width)] : ['monthName', names(width)]),
  d: (width) => ['day', digits(width)],
  D: (width) => ['dayOfYear', width > 1 ? `[0-9]{${width}}` : '[0-9]{1,3}'],
  H: (width) => ['hour', digits(width)],
  h: (width) => ['hour12', digits(width)],
  a: () => ['half', 'AM|PM|am|pm'],
  m: (width) => ['minute', digits(width)],
  s: (width) => ['second', digits(width)],
  S: (width) => ['fraction', `[0-9]{${width}}`],
  X: () => ['zone', zone],
  x: () => ['zone', zone],
  Z: () => ['zone', zone],
}
const sameAs: Readonly<Record<string, string>> = { u: 'y', L: 'M' }

function names(width: number): string {
  return monthNames.map((name) => (width === 3 ? name.slice(0, 3) : name)).join('|')
}

/** The form of a `java.time` pattern; what it has that cannot be read is told by its reason. */
export function formOf(pattern: string): DateForm | { readonly reason: string } {
  const pieces = patternPieces(pattern)
  if ('reason' in pieces) return pieces
  const groups: Component[] = []
  let regexp = '^'
  for (const piece of pieces) {
    if ('literal' in piece) regexp += piece.literal.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&')
    else if ('optional' in piece) regexp += piece.optional === 'open' ? '(?:' : ')?'
    else {
      const read = readers[sameAs[piece.letter] ?? piece.letter]
      if (!read) return { reason: `Unknown or unsupported pattern letter: ${piece.letter}` }
      const [component, accepted] = read(piece.width)
      if (groups.includes(component)) return { reason: `[${piece.letter}] stands twice` }
      groups.push(component)
      regexp += `(${accepted})`
    }
  }
  return groups.length === 0 ? { reason: 'it has no letters' } : { regexp: `${regexp}$`, groups }
}

/** What a text says, as epoch milliseconds or nanoseconds; NULL where it is not of the form, or no moment. */
export function readMoments(text: Sql, form: DateForm, unit: 'ms' | 'ns'): Sql {
  const found = sql`extractGroups(ifNull(${text}, ''), ${str(form.regexp)})`
  return once('read_parts', found, (parts) => {
    const part = (component: Component): Sql | undefined => {
      const at = form.groups.indexOf(component)
      return at < 0 ? undefined : sql`${parts}[${num(at + 1)}]`
    }
    const number = (component: Component, missing: number): Sql => {
      const found = part(component)
      return found ? sql`ifNull(toInt64OrNull(${found}), ${num(missing)})` : sql`toInt64(${num(missing)})`
    }
    const month = part('monthName')
    const monthNumber = month
      ? sql`greatest(indexOf(${namesArray()}, substring(${month}, 1, 3)), 1)`
      : number('month', 1)
    const century = part('yearOfCentury')
    const year = century ? sql`(2000 + ${number('yearOfCentury', 0)})` : number('year', 1970)
    const moment = once('read_year', year, (yearNumber) =>
      once('read_month', sql`toInt64(${monthNumber})`, (monthOfYear) =>
        completed({ year: yearNumber, month: monthOfYear, day: number('day', 1) }, { part, number }, unit),
      ),
    )
    return sql`if(empty(${parts}), NULL, ${moment})`
  })
}

function namesArray(): Sql {
  return sql`[${str(monthNames[0]?.slice(0, 3) ?? '')}${monthNames
    .slice(1)
    .map((name) => sql`, ${str(name.slice(0, 3))}`)
    .reduce((all, each) => sql`${all}${each}`, sql``)}]`
}

interface Parts {
  part(component: Component): Sql | undefined
  number(component: Component, missing: number): Sql
}

function completed(
  { year, month, day }: { readonly year: Sql; readonly month: Sql; readonly day: Sql },
  { part, number }: Parts,
  unit: 'ms' | 'ns',
): Sql {
  const half = part('half')
  const hour = part('hour12')
    ? sql`(${number('hour12', 0)} % 12 + ${half ? sql`if(lower(${half}) = 'pm', 12, 0)` : sql`0`})`
    : number('hour', 0)
  const [minute, second] = [number('minute', 0), number('second', 0)]
  const one = sql`1`
  const exists = part('dayOfYear')
    ? sql`${number('dayOfYear', 1)} BETWEEN 1 AND 366`
    : sql`${month} BETWEEN 1 AND 12 AND toDayOfMonth(${engineDateOf(year, sql`least(greatest(${month}, 1), 12)`, sql`least(greatest(${day}, 1), 31)`)}) = ${day}`
  const dayAt = part('dayOfYear')
    ? sql`(${dayNumber(year, one, one)} + ${number('dayOfYear', 1)} - 1)`
    : dayNumber(year, sql`least(greatest(${month}, 1), 12)`, sql`least(greatest(${day}, 1), 31)`)
  const seconds = sql`(${dayAt} * 86400 + ${hour} * 3600 + ${minute} * 60 + ${second}${offsetOf(part('zone'))})`
  const fraction = part('fraction')
  const nanos = fraction ? sql`toInt64OrZero(rightPad(${fraction}, 9, '0'))` : sql`0`
  const value =
    unit === 'ms'
      ? sql`(${seconds} * 1000 + intDiv(${nanos}, 1000000))`
      : sql`accurateCastOrNull(toInt128(${seconds}) * 1000000000 + ${nanos}, 'Int64')`
  return sql`if(${exists} AND ${hour} < 24 AND ${minute} < 60 AND ${second} < 60, ${value}, NULL)`
}

/** What an offset takes from the seconds of the clock beside it. */
function offsetOf(zonePart: Sql | undefined): Sql {
  if (!zonePart) return sql``
  const figures = sql`replaceAll(${zonePart}, ':', '')`
  const away = sql`(toInt64OrZero(substring(${figures}, 2, 2)) * 3600 + toInt64OrZero(substring(${figures}, 4, 2)) * 60)`
  return sql` + if(startsWith(${zonePart}, '-'), ${away}, -${away})`
}
