import type { StoredDocument } from '../../documents/documents.ts'
import { parseSource } from '../../json/source-json.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'

/**
 * The fields of a document that were asked for by `stored_fields` and are mapped with `store: true`, each as the list of its values in the
 * source, where this engine keeps them. Fields the caller may not see are left out.
 */
export function storedFields(
  scope: Scope,
  fields: ReadonlyMap<string, ResolvedField>,
  document: StoredDocument,
  wanted: readonly string[],
  index: string,
): Record<string, unknown[]> {
  const source = parseSource(document.source)
  const found: Record<string, unknown[]> = {}
  for (const path of wanted) {
    const field = fields.get(path)
    if (!field || !isStored(field.parameters['store']) || !scope.canSeeField(index, path)) continue
    const values = valuesAt(source, field.sourcePath.split('.'))
    if (values.length > 0) found[path] = values
  }
  return found
}

function isStored(given: unknown): boolean {
  return given === true || given === 'true'
}

/** All values under a path, through lists; names with dots in them are tried whole, too. */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, path))
  if (path.length === 0) return value === null || value === undefined ? [] : [value]
  if (typeof value !== 'object' || value === null) return []
  const members = value as Readonly<Record<string, unknown>>
  return path.flatMap((_, at) => {
    const name = path.slice(0, at + 1).join('.')
    return Object.hasOwn(members, name) ? valuesAt(members[name], path.slice(at + 1)) : []
  })
}
