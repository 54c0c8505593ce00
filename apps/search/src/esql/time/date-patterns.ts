/** A piece of a date pattern: text as it stands, the begin or end of a part that may be missing, or a letter as often as it is written. */
export type PatternPiece =
  | { readonly literal: string }
  | { readonly optional: 'open' | 'close' }
  | { readonly letter: string; readonly width: number }

/** The pieces of a `java.time` pattern; what is no pattern is told by its reason. */
export function patternPieces(pattern: string): readonly PatternPiece[] | { readonly reason: string } {
  const pieces: PatternPiece[] = []
  const tokens = pattern.matchAll(/'((?:[^']|'')*)'|([A-Za-z])\2*|([[\]])|([{}#'])|([^A-Za-z'[\]{}#]+)/gu)
  let depth = 0
  for (const [whole, quoted, letter, bracket, reserved] of tokens) {
    if (reserved === "'") return { reason: `Pattern ends with an incomplete string literal: ${pattern}` }
    if (reserved !== undefined) return { reason: `Pattern includes reserved character: '${reserved}'` }
    if (quoted !== undefined) pieces.push({ literal: quoted === '' ? "'" : quoted.replaceAll("''", "'") })
    else if (letter !== undefined) pieces.push({ letter, width: whole.length })
    else if (bracket !== undefined) {
      depth += bracket === '[' ? 1 : -1
      if (depth < 0) return { reason: 'Pattern invalid as it contains ] without previous [' }
      pieces.push({ optional: bracket === '[' ? 'open' : 'close' })
    } else pieces.push({ literal: whole })
  }
  return [...pieces, ...Array.from({ length: depth }, () => ({ optional: 'close' as const }))]
}

/** The names of months and days of the week, as English has them. */
export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
)
export const weekdayNames = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

/** Names of formats that stand for patterns. */
export const namedPatterns: Readonly<Record<string, string>> = {
  basic_date: 'yyyyMMdd',
  basic_date_time: "yyyyMMdd'T'HHmmss.SSSX",
  basic_date_time_no_millis: "yyyyMMdd'T'HHmmssX",
  date: 'yyyy-MM-dd',
  date_hour: "yyyy-MM-dd'T'HH",
  date_hour_minute: "yyyy-MM-dd'T'HH:mm",
  date_hour_minute_second: "yyyy-MM-dd'T'HH:mm:ss",
  date_hour_minute_second_millis: "yyyy-MM-dd'T'HH:mm:ss.SSS",
  date_time: "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  date_time_no_millis: "yyyy-MM-dd'T'HH:mm:ssXXX",
  hour_minute: 'HH:mm',
  ordinal_date: 'yyyy-DDD',
  hour_minute_second: 'HH:mm:ss',
  year: 'yyyy',
  year_month: 'yyyy-MM',
  year_month_day: 'yyyy-MM-dd',
}
