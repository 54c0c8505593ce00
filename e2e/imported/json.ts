/** A JSON object of an export. */
export type Json = Readonly<Record<string, unknown>>

/** An object, also one written as text; empty where there is none. */
export function object(value: unknown): Json {
  const parsed: unknown = typeof value === 'string' && value !== '' ? JSON.parse(value) : value
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Json) : {}
}

/** A list, also one written as text; empty where there is none. */
export function list(value: unknown): readonly Json[] {
  const parsed: unknown = typeof value === 'string' && value !== '' ? JSON.parse(value) : value
  return Array.isArray(parsed) ? (parsed as Json[]) : []
}

/** A text; empty where there is none. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
