import type { ResolvedField } from '../model/mapping.ts'

/** Between the key and the value of an entry. A key that holds it could not be told from its value, and no log has one. */
const separator = '\0'

/** What one leaf of a `flattened` field is kept as beside its value, so that it can be found by its key: `host.os` and `linux`. */
export function keyedEntry(key: string, value: string): string {
  return `${key}${separator}${value}`
}

/** The key of an entry. */
export function entryKey(entry: string): string {
  return entry.slice(0, entry.indexOf(separator))
}

/** What the entries of a key begin with. */
export function keyedPrefix(key: string): string {
  return keyedEntry(key, '')
}

/** The path of the column of a `flattened` field's entries. No field of a mapping can be called so: the field above has no fields. */
export function keyedPath(path: string): string {
  return `${path}._keyed`
}

/** The field that a path below a `flattened` field stands for: the values of one of its keys. Undefined for other paths. */
export function keyedField(fields: ReadonlyMap<string, ResolvedField>, path: string): ResolvedField | undefined {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const above = fields.get(path.slice(0, dot))
    if (above === undefined) continue
    if (!isFlattened(above)) return undefined
    const key = path.slice(dot + 1)
    return { ...above, path, sourcePath: `${above.sourcePath}.${key}`, keyed: { column: keyedPath(above.path), key } }
  }
  return undefined
}

/** Whether paths below a field stand for its keys. */
export function hasKeys(field: ResolvedField): boolean {
  return isFlattened(field) || field.wireType === 'rank_features'
}

function isFlattened({ wireType }: ResolvedField): boolean {
  return wireType === 'flattened' || wireType === 'flat_object'
}

/** The field that a path below a `rank_features` field stands for: one of its features. Undefined for other paths. */
export function featureField(fields: ReadonlyMap<string, ResolvedField>, path: string): ResolvedField | undefined {
  const dot = path.lastIndexOf('.')
  const above = dot > 0 ? fields.get(path.slice(0, dot)) : undefined
  if (above?.wireType !== 'rank_features') return undefined
  const key = path.slice(dot + 1)
  // Its own column has the entries.
  return { ...above, path, sourcePath: `${above.sourcePath}.${key}`, keyed: { column: above.path, key } }
}
