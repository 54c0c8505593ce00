import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import type { MarkerName } from '../places/paths.ts'
import { readJsonFile } from '../places/read-json-file.ts'
import { writeFileAtomically } from '../places/write-file.ts'
import type { Stack } from '../stack.ts'
import { earlierContents } from './earlier-objects.ts'

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
  /** What `contentHash` makes of it. */
  readonly hash: string
  /** Its line of NDJSON. */
  readonly line: string
}

const hashDigits = 16

/** `contents`: the content of each object that is stored as it was imported, or was when it was changed. */
const importedSchema = z.object({
  imported: z.array(z.string()),
  contents: z.record(z.string(), z.string()).optional(),
})

interface Reference {
  readonly name?: string
  readonly type: string
  readonly id: string
}

/** What makes the content of a saved object, in a file and in the dashboard. */
export interface ObjectContent {
  readonly attributes?: unknown
  readonly references?: readonly Reference[] | undefined
}

interface Line extends ObjectContent {
  readonly type?: string
  readonly id?: string
}

/** A hash of what a person can change of a saved object; the same for a line of a file and for what the dashboard made of it. */
export function contentHash({ attributes, references = [] }: ObjectContent): string {
  const content = { attributes, references: references.map(({ name, type, id }) => ({ name, type, id })) }
  return createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('hex')
    .slice(0, hashDigits)
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]))
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
  const object = JSON.parse(line) as Line
  const { type, id, references = [] } = object
  if (!type || !id) return []
  const hash = contentHash(object)
  return [{ key: `${type}/${id}`, type, id, references: references.map((one) => `${one.type}/${one.id}`), hash, line }]
}

/**
 * What an import must bring: what is neither there nor was imported before, as that a person deleted. When nothing is there but index patterns,
 * which are made anew without an import, nobody chose so: the index of saved objects was lost.
 */
export function missingAmong(
  shipped: readonly ShippedObject[],
  present: { has(key: string): boolean },
  importedBefore: ReadonlySet<string>,
): ShippedObject[] {
  const isAnyThere = shipped.some(({ key, type }) => type !== 'index-pattern' && present.has(key))
  const before = isAnyThere ? importedBefore : new Set()
  return shipped.filter(({ key }) => !present.has(key) && !before.has(key))
}

/** What became of shipped objects that are there with another content than the shipped one. */
export interface Differing {
  /** Nobody changed them since they were imported: a newer version may take their place. */
  readonly outdated: readonly ShippedObject[]
  /** Somebody did, and a newer version was shipped since: they are kept. */
  readonly kept: readonly ShippedObject[]
}

/** Compares what is shipped with what is there (hashes by key) and with what was imported once. */
export function differing(
  shipped: readonly ShippedObject[],
  present: ReadonlyMap<string, string>,
  imported: ImportedObjects,
): Differing {
  const others = shipped.filter(({ key, hash }) => present.has(key) && present.get(key) !== hash)
  const earlierOf = (key: string): readonly string[] => {
    const last = imported.contents.get(key)
    return last === undefined ? (earlierContents[key] ?? []) : [last, ...(earlierContents[key] ?? [])]
  }
  const isUnchanged = ({ key }: ShippedObject): boolean => earlierOf(key).includes(present.get(key) ?? '')
  const isNewer = ({ key, hash }: ShippedObject): boolean => {
    const [last] = earlierOf(key)
    return last !== undefined && last !== hash
  }
  return {
    outdated: others.filter(isUnchanged),
    kept: others.filter((object) => !isUnchanged(object) && isNewer(object)),
  }
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

/** What is known of the imports of a folder. */
export interface ImportedObjects {
  /** The keys that were imported once. */
  readonly keys: ReadonlySet<string>
  /** By key, the hash of what was imported last. */
  readonly contents: ReadonlyMap<string, string>
}

/** What was imported once; nothing where nobody wrote it down; `file_invalid` when it cannot be read. */
export function importedBefore(stack: Stack, folder: ShippedFolder): ImportedObjects {
  const file = importedFileOf(stack, folder)
  if (!existsSync(file)) return { keys: new Set(), contents: new Map() }
  const fix = `mv "${file}" "${file}.broken"; what a person deleted of the shipped dashboards is imported again then`
  const { imported, contents = {} } = readJsonFile(file, importedSchema, fix)
  return { keys: new Set(imported), contents: new Map(Object.entries(contents)) }
}

/** Forgets what was imported once: another search has none of it, and nobody deleted it there. */
export function forgetImported(stack: Stack): void {
  for (const folder of Object.keys(shippedFolders) as ShippedFolder[])
    rmSync(importedFileOf(stack, folder), { force: true })
}

/** Whether what was imported of a folder is written down as it would be now. */
export function isWritten(stack: Stack, folder: ShippedFolder, present: ReadonlyMap<string, string>): boolean {
  const file = importedFileOf(stack, folder)
  return existsSync(file) && readFileSync(file, 'utf8') === importedText(stack, folder, present)
}

/** Writes down that everything that is shipped now was imported once, and which of it is there (hashes by key) as it is shipped. */
export function writeImported(stack: Stack, folder: ShippedFolder, present: ReadonlyMap<string, string>): void {
  writeFileAtomically(importedFileOf(stack, folder), importedText(stack, folder, present))
}

function importedText(stack: Stack, folder: ShippedFolder, present: ReadonlyMap<string, string>): string {
  const before = importedBefore(stack, folder)
  const shipped = shippedIn(stack, folder)
  const imported = [...new Set([...before.keys, ...shipped.map(({ key }) => key)])].sort()
  const asShipped = shipped
    .filter(({ key, hash }) => present.get(key) === hash)
    .map(({ key, hash }) => [key, hash] as const)
  const contents = [...new Map([...before.contents, ...asShipped])].sort(([one], [other]) => (one < other ? -1 : 1))
  return `${JSON.stringify({ version: 2, imported, contents: Object.fromEntries(contents) }, undefined, 2)}\n`
}
