/** A JSON object of a saved object's attributes. */
export type Json = Readonly<Record<string, unknown>>

/** A field that exports hold as text or, in packages, already decoded; an empty object when it is neither. */
export function jsonObject(value: unknown): Json {
  const parsed = typeof value === 'string' ? parse(value) : value
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Json) : {}
}

/** Like `jsonObject` for arrays. */
export function jsonArray(value: unknown): readonly Json[] {
  const parsed = typeof value === 'string' ? parse(value) : value
  return Array.isArray(parsed) ? parsed.map(jsonObject) : []
}

/** A text, or undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A number, also one written as text, or undefined. */
export function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined
}

/** The texts of an array. */
export function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Whether two values are the same JSON, whatever the order of keys. */
export function sameJson(left: unknown, right: unknown): boolean {
  return canonical(left) === canonical(right)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => {
    if (typeof held !== 'object' || held === null || Array.isArray(held)) return held
    return Object.fromEntries(Object.entries(held).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}
