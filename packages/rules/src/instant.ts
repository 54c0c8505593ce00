/** A moment in UTC: whole milliseconds since the epoch and the nanoseconds beyond them (0 … 999,999). */
export interface Instant {
  readonly ms: number
  readonly nanos: number
}

const shape =
  /^([+-]?\d{4,9})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?)?)?)?(Z|[+-]\d\d(?::?\d\d)?)?$/u

/** Reads `strict_date_optional_time` (ISO 8601, parts from the month on may be missing, UTC without an offset); undefined when it is none. */
export function parseInstant(text: string): Instant | undefined {
  const parts = shape.exec(text)
  if (!parts) return undefined
  const [year, month, day, hour, minute, second] = parts
    .slice(1, 7)
    .map((part, at) => Number(part ?? (at === 1 || at === 2 ? 1 : 0)))
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (month < 1 || month > 12 || (hour ?? 0) > 23 || (minute ?? 0) > 59 || (second ?? 0) > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour ?? 0, minute ?? 0, second ?? 0)
  const fraction = (parts[7] ?? '').padEnd(9, '0')
  const ms = date.getTime() + Number(fraction.slice(0, 3)) - offsetMs(parts[8])
  return Number.isNaN(ms) ? undefined : { ms, nanos: Number(fraction.slice(3)) }
}

/** Milliseconds that a written offset (`+02:00`, `Z`) is ahead of UTC. */
function offsetMs(text: string | undefined): number {
  if (text === undefined || text === 'Z') return 0
  const digits = text.slice(1).replace(':', '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return (text.startsWith('-') ? -minutes : minutes) * 60_000
}
