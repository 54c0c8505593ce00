import type { Literal, Span, SpanUnit } from './ast.ts'

const units: Readonly<Record<string, SpanUnit>> = Object.fromEntries(
  (
    [
      ['millisecond', ['ms', 'millisecond', 'milliseconds']],
      ['second', ['s', 'sec', 'second', 'seconds']],
      ['minute', ['m', 'min', 'minute', 'minutes']],
      ['hour', ['h', 'hour', 'hours']],
      ['day', ['d', 'day', 'days']],
      ['week', ['w', 'week', 'weeks']],
      ['month', ['mo', 'month', 'months']],
      ['quarter', ['q', 'quarter', 'quarters']],
      ['year', ['y', 'yr', 'year', 'years']],
    ] as const
  ).flatMap(([unit, names]) => names.map((name) => [name, unit] as const)),
)

/** The span that a text such as `1 day` says; undefined where it is none. */
export function readSpan(text: string): Span | undefined {
  const found = /^\s*(-?\d+)\s*([A-Za-z]+)\s*$/u.exec(text)
  const unit = spanUnit(found?.[2] ?? '')
  return found && unit ? { amount: Number(found[1]), unit } : undefined
}

/** The unit of a name (`days`, `h`); undefined where it is none. */
export function spanUnit(name: string): SpanUnit | undefined {
  const unit = name.toLowerCase()
  return Object.hasOwn(units, unit) ? units[unit] : undefined
}

/** Whether a literal is a span of time. */
export function isSpan(value: Literal): value is Span {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
