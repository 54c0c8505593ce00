import type { FieldMapping, Mapping } from '../model/mapping.ts'
import { isLeafDefinition } from './dynamic-mapping.ts'
import { type MappingLimits, totalFields } from './mapping-merge.ts'

/** What is wrong with a name in a document; undefined where nothing is. A dot at the end is passed over, as Elasticsearch does. */
export function nameFault(name: string): string | undefined {
  if (name === '') return 'field name cannot be an empty string'
  if (!name.includes('.'))
    return name.trim() === '' ? `field name cannot contain only whitespace: ['${name}']` : undefined
  const parts = name.replace(/\.+$/u, '').split('.')
  if (parts.join('') === '') return 'field name cannot contain only dots'
  return parts.some((part) => part.trim() === '') ? `field name cannot contain only whitespace: ['${name}']` : undefined
}

/** What keeps a new field, and the objects on the way to it, out of a mapping that is full with those which the document `added` before; undefined where there is room. */
export function roomFault(
  mapping: Mapping,
  added: ReadonlyMap<string, unknown>,
  names: readonly string[],
  { fieldsMax, ignoreDynamicBeyondLimit }: MappingLimits,
): string | undefined {
  if (ignoreDynamicBeyondLimit) return undefined
  const there = totalFields(mapping)
  const isNew = (path: readonly string[]) => !added.has(path.join('.')) && !isMapped(mapping, path)
  const fresh = added.size + names.filter((_, at) => isNew(names.slice(0, at + 1))).length
  if (there + fresh <= fieldsMax) return undefined
  return `Limit of total fields [${fieldsMax}] has been exceeded while adding new fields [${Math.max(0, fieldsMax - there) + 1}]`
}

/** Whether a mapping has an object or a field at a path. */
function isMapped(mapping: Mapping, path: readonly string[]): boolean {
  let level = mapping.properties
  for (const name of path) {
    const found = level !== undefined && Object.hasOwn(level, name) ? level[name] : undefined
    if (found === undefined) return false
    level = found.properties
  }
  return true
}

/** An object that a document brings. */
export const newObject: FieldMapping = { type: 'object' }

/** Notes the objects on the way to a new field among those that were `added`; false when one of them is a new leaf, which the next pass reports. */
export function noteParents(added: Map<string, FieldMapping>, names: readonly string[]): boolean {
  for (let length = 1; length < names.length; length++) {
    const path = names.slice(0, length).join('.')
    const before = added.get(path)
    if (before === undefined) added.set(path, newObject)
    else if (isLeafDefinition(before)) return false
  }
  return true
}
