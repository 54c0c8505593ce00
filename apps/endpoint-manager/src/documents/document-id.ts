const timeDigits = 12
const offsetDigits = 10

/**
 * The id of an event: time (milliseconds, hexadecimal) first, so that a look-up for duplicates touches only recent data, then who counted it and
 * its number there. The same event sent again has the same id.
 */
export function documentId(parts: {
  readonly time: number
  readonly counter: string
  readonly number: number
}): string {
  const time = parts.time.toString(16).padStart(timeDigits, '0')
  return `${time}-${parts.counter}-${parts.number.toString(36).padStart(offsetDigits, '0')}`
}
