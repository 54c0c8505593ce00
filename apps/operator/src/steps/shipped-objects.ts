import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { MarkerName } from '../places/paths.ts'
import { readJsonFile } from '../places/read-json-file.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'

/** The folders of `dashboards/` whose objects are shipped, each with its marker. */
export const shippedFolders = {
  search: 'search-dashboards',
  endpoint: 'endpoint-dashboards',
} as const satisfies Record<string, MarkerName>

/** A folder of `dashboards/`. */
export type ShippedFolder = keyof typeof shippedFolders

/** A saved object as it stands in a shipped file. */
export interface ShippedObject {
  /** `type/id`. */
  readonly key: string
  readonly type: string
  readonly id: string
  /** The keys of the objects it needs. */
  readonly references: readonly string[]
  /** Its line of NDJSON. */
  readonly line: string
}

const importedSchema = z.object({ imported: z.array(z.string()) })

interface Line {
  readonly type?: string
  readonly id?: string
  readonly references?: readonly { readonly type: string; readonly id: string }[]
}

/** The NDJSON files that are shipped in a folder of `dashboards/`. */
function filesOf(stack: Stack, folder: ShippedFolder): string[] {
  const dir = join(stack.paths.programDir, 'dashboards', folder)
  if (!existsSync(dir)) return []
  return readdirSync(dir)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => join(dir, name))
}

/** Every object that is shipped in a folder, once each, though some stand in several files. */
export function shippedIn(stack: Stack, folder: ShippedFolder): ShippedObject[] {
  const objects = filesOf(stack, folder).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .flatMap(objectOf),
  )
  return [...new Map(objects.map((object) => [object.key, object])).values()]
}

function objectOf(line: string): ShippedObject[] {
  const { type, id, references = [] } = JSON.parse(line) as Line
  if (!type || !id) return []
  return [{ key: `${type}/${id}`, type, id, references: references.map((one) => `${one.type}/${one.id}`), line }]
}

/**
 * What an import must bring: what is neither there nor was imported before, as that a person deleted. When nothing is there but index patterns,
 * which are made anew without an import, nobody chose so: the index of saved objects was lost.
 */
export function missingAmong(
  shipped: readonly ShippedObject[],
  present: ReadonlySet<string>,
  importedBefore: ReadonlySet<string>,
): ShippedObject[] {
  const isAnyThere = shipped.some(({ key, type }) => type !== 'index-pattern' && present.has(key))
  const before = isAnyThere ? importedBefore : new Set()
  return shipped.filter(({ key }) => !present.has(key) && !before.has(key))
}

/** Objects and all the shipped ones they need, those first that are needed by others: an import refuses what refers to nothing. */
export function withReferences(wanted: readonly ShippedObject[], shipped: readonly ShippedObject[]): ShippedObject[] {
  const all = new Map(shipped.map((object) => [object.key, object]))
  const taken = new Set<ShippedObject>()
  const visited = new Set<string>()
  const visit = (object: ShippedObject): void => {
    if (visited.has(object.key)) return
    visited.add(object.key)
    for (const key of object.references) {
      const needed = all.get(key)
      if (needed) visit(needed)
    }
    taken.add(object)
  }
  for (const object of wanted) visit(object)
  return [...taken]
}

/** The file that says which objects of a folder were imported once: what of them is not there any more, a person deleted. */
export function importedFileOf(stack: Stack, folder: ShippedFolder): string {
  return join(dirname(stack.paths.markers[shippedFolders[folder]]), 'imported.json')
}

/** The keys that were imported once; none where nobody wrote them down; `file_invalid` when it cannot be read. */
export function importedBefore(stack: Stack, folder: ShippedFolder): Set<string> {
  const file = importedFileOf(stack, folder)
  if (!existsSync(file)) return new Set()
  const fix = `mv "${file}" "${file}.broken"; what a person deleted of the shipped dashboards is imported again then`
  const { imported } = readJsonFile(file, importedSchema, fix)
  return new Set(imported)
}

/** Forgets what was imported once: another search has none of it, and nobody deleted it there. */
export function forgetImported(stack: Stack): void {
  for (const folder of Object.keys(shippedFolders) as ShippedFolder[])
    rmSync(importedFileOf(stack, folder), { force: true })
}

/** Writes down that everything that is shipped now was imported once. */
export function writeImported(stack: Stack, folder: ShippedFolder): void {
  const keys = [...importedBefore(stack, folder), ...shippedIn(stack, folder).map(({ key }) => key)]
  const imported = [...new Set(keys)].sort()
  writeFileAtomically(importedFileOf(stack, folder), `${JSON.stringify({ version: 1, imported }, undefined, 2)}\n`)
}
