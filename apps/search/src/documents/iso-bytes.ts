import { civilToMs, daysInMonth } from '../dates/calendar.ts'

function digits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let next = at; next < at + count; next += 1) {
    const digit = (bytes[next] ?? 0) - 0x30
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

let lastDay = -1
let lastDayMs = 0

/** Epoch milliseconds of the beginning of a day, `yyyymmdd` as a number; logs bring the same day again and again. NaN for none. */
function dayMs(day: number): number {
  if (day === lastDay) return lastDayMs
  const [year, month, date] = [Math.floor(day / 10_000), Math.floor(day / 100) % 100, day % 100]
  if (month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month)) return Number.NaN
  lastDay = day
  lastDayMs = civilToMs({ year, month, day: date, hour: 0, minute: 0, second: 0 })
  return lastDayMs
}

/**
 * Epoch milliseconds of `2026-11-21T10:11:12[.123]Z` in the bytes from `from` up to `to`; NaN for every other form, valid or not. The same forms as
 * `fastIsoMs` of texts.
 */
export function isoMsOfBytes(bytes: Uint8Array, from: number, to: number): number {
  const size = to - from
  if ((size !== 24 && size !== 20) || bytes[to - 1] !== 0x5a) return Number.NaN
  if (bytes[from + 4] !== 0x2d || bytes[from + 7] !== 0x2d || bytes[from + 10] !== 0x54) return Number.NaN
  if (bytes[from + 13] !== 0x3a || bytes[from + 16] !== 0x3a) return Number.NaN
  // Not taken apart as lists: those are made anew for every date.
  const year = digits(bytes, from, 4)
  const month = digits(bytes, from + 5, 2)
  const day = digits(bytes, from + 8, 2)
  const hour = digits(bytes, from + 11, 2)
  const minute = digits(bytes, from + 14, 2)
  const second = digits(bytes, from + 17, 2)
  if (year < 0 || month < 0 || day < 0 || hour < 0 || minute < 0 || second < 0) return Number.NaN
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN
  let millis = 0
  if (size === 24) {
    if (bytes[from + 19] !== 0x2e) return Number.NaN
    millis = digits(bytes, from + 20, 3)
    if (millis < 0) return Number.NaN
  }
  return dayMs(year * 10_000 + month * 100 + day) + ((hour * 60 + minute) * 60 + second) * 1000 + millis
}
