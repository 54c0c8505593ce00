/** A JSON object under construction. */
export type JsonObject = Record<string, unknown>

/** Whether a parsed JSON value is an object (no list, not null). */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
