/** What a text is as JSON, or what is wrong with it and where. */
export type ReadJson = { readonly value: unknown; readonly problem?: undefined } | { readonly problem: string }

/** Reads a text as JSON; it may stand for an object (or, where `isList`, a list) only. */
export function readJson(text: string, isList = false): ReadJson {
  try {
    const value: unknown = JSON.parse(text)
    const fits = isList ? Array.isArray(value) : typeof value === 'object' && value !== null && !Array.isArray(value)
    return fits ? { value } : { problem: isList ? 'expected a list: [ … ]' : 'expected an object: { … }' }
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/** A value as people edit it. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
