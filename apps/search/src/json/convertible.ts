/** Texts that may hold a member of these names, written out or with escapes. */
const mayHold = /toString|valueOf|\\u/

/** What JavaScript makes of an object without members of these names. */
function ordinary(hint: string): string | number {
  return hint === 'number' ? Number.NaN : '[object Object]'
}

/**
 * Lets objects that were read from a text be converted like any other: a member `toString` that is no function would have each conversion of its object throw, wherever an error shows what it was
 * given. `text` is what it was read from. Answers the value itself.
 */
export function convertible(value: unknown, text: string): unknown {
  if (mayHold.test(text)) mend(value)
  return value
}

function mend(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && (Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf')))
    Object.defineProperty(value, Symbol.toPrimitive, { value: ordinary })
  for (const inner of Object.values(value)) mend(inner)
}
