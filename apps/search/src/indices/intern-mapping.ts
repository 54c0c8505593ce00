import type { FieldMapping, Mapping } from '../model/mapping.ts'

const fields = new Map<string, WeakRef<FieldMapping>>()
const mappings = new Map<string, WeakRef<Mapping>>()
const entriesMax = 10_000

function intern<T extends object>(known: Map<string, WeakRef<T>>, value: T): T {
  const key = JSON.stringify(value)
  const found = known.get(key)?.deref()
  if (found !== undefined) return found
  if (known.size >= entriesMax) known.clear()
  known.set(key, new WeakRef(value))
  return value
}

/**
 * The same object for equal mappings, and for equal top-level fields of different ones: the daily indices of one template then share their
 * ten thousand fields, compiled form included.
 */
export function internMapping(mapping: Mapping): Mapping {
  if (mapping.properties === undefined) return intern(mappings, mapping)
  const properties = Object.fromEntries(
    Object.entries(mapping.properties).map(([name, field]) => [name, intern(fields, field)]),
  )
  return intern(mappings, { ...mapping, properties })
}
