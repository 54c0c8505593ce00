/** Where a text stands in a value: keys and places from the outside. */
export type Hole = readonly (string | number)[]

/** Every place of a value that holds a text. */
export function holesOf(value: unknown): readonly Hole[] {
  if (typeof value === 'string') return [[]]
  if (typeof value !== 'object' || value === null) return []
  const inner: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return inner.flatMap(([key, held]) => holesOf(held).map((hole) => [key, ...hole]))
}

/** The value with another text in one of its places. */
export function withHole(value: unknown, [key, ...rest]: Hole, text: string): unknown {
  if (key === undefined) return text
  if (Array.isArray(value)) return value.map((held: unknown, at) => (at === key ? withHole(held, rest, text) : held))
  const entries = Object.entries(value as Readonly<Record<string, unknown>>)
  return Object.fromEntries(entries.map(([name, held]) => [name, name === key ? withHole(held, rest, text) : held]))
}
