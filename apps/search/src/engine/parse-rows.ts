import { isUnsafeInteger, replaceNumbers } from '../json/json-numbers.ts'

// Looked for at the beginning of numbers only: at each digit, a time in milliseconds would be read a dozen times over.
const anyLongNumber = /(?:^|\D)\d{16}/

const quoted = (token: string): string | undefined => (isUnsafeInteger(token) ? `"${token}"` : undefined)

/**
 * Reads rows in `JSONCompactEachRow` (one JSON array a line). Integers that a JavaScript number cannot hold become strings of digits;
 * everything else is as `JSON.parse` reads it.
 */
export function parseRows(text: string): unknown[][] {
  const body = text.trimEnd()
  if (body === '') return []
  // Strings never hold a raw line end (JSON escapes it), so each one ends a row.
  const array = `[${body.replaceAll('\n', ',')}]`
  return JSON.parse(anyLongNumber.test(array) ? replaceNumbers(array, quoted) : array) as unknown[][]
}
