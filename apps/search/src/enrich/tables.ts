import { AppError, searchErrors } from '@logstack/errors'
import type { Store } from '../store/store.ts'
import type { Keying, TableShape } from './keys/keying.ts'

/** The most documents one lookup answers with. */
export const matchesMax = 128
/** The most documents that stand under one key where each is looked at before it counts. */
const candidatesMax = 4096

/** One document for a table. */
export interface EnrichRow {
  /** The values of its match field. */
  readonly values: readonly unknown[]
  /** The document as it is kept, as JSON. */
  readonly json: string
}

type ReadStore = Pick<Store, 'collection'>

const documentKey = (at: number) => `d${at}`
const listKey = (key: string) => `k${key}`
const collectionOf = (version: number) => `enrich_rows/${version}`

/** Puts documents into a table, in order; only inside a transaction. The shape grows with the sizes that the keys bring. */
export function putRows(
  store: ReadStore,
  version: number,
  keying: Keying,
  start: { readonly at: number; readonly shape: TableShape },
  rows: readonly EnrichRow[],
): TableShape {
  const documents = store.collection<string>(collectionOf(version))
  const lists = store.collection<number[]>(collectionOf(version))
  const sizes = new Set(start.shape.sizes)
  const changed = new Map<string, number[]>()
  rows.forEach((row, offset) => {
    const at = start.at + offset
    const keys = new Set<string>()
    for (const value of row.values) {
      const made = keying.rowKeys(value, start.shape)
      for (const key of made.keys) keys.add(listKey(key))
      for (const size of made.sizes ?? []) sizes.add(size)
    }
    for (const key of keys) {
      const list = changed.get(key) ?? lists.get(key) ?? []
      changed.set(key, list)
      addTo(list, at, keying)
    }
    documents.put(documentKey(at), row.json)
  })
  for (const [key, list] of changed) lists.put(key, list)
  return { ...start.shape, ...(sizes.size === 0 ? {} : { sizes: [...sizes].sort((a, b) => a - b) }) }
}

/** The first documents are those that a lookup would answer with, so that no others need be noted. */
function addTo(list: number[], at: number, keying: Keying): void {
  if (!keying.holds) {
    if (list.length < matchesMax) list.push(at)
    return
  }
  if (list.length >= candidatesMax) {
    const reason = `more than ${candidatesMax} shapes lie in one place: a policy cannot tell them apart`
    throw new AppError(searchErrors.illegal_argument_exception, reason)
  }
  list.push(at)
}

/** The numbers of the documents that stand under one of the keys, in the order in which they were put. */
export function placesUnder(store: ReadStore, version: number, keys: readonly string[]): readonly number[] {
  const lists = store.collection<number[]>(collectionOf(version))
  return [...new Set(keys.flatMap((key) => lists.get(listKey(key)) ?? []))].sort((a, b) => a - b)
}

/** A document by its number, as JSON. */
export function rowAt(store: ReadStore, version: number, at: number): string | undefined {
  return store.collection<string>(collectionOf(version)).get(documentKey(at))
}

/** The documents, as JSON, that stand under one of the keys, in the order in which they were put. */
export function* readRows(store: ReadStore, version: number, keys: readonly string[]): Iterable<string> {
  for (const at of placesUnder(store, version, keys)) {
    const json = rowAt(store, version, at)
    if (json !== undefined) yield json
  }
}

const removedAtOnce = 2_000

/** Versions whose rows are in the store, complete or not. */
function versionsIn(store: ReadStore) {
  return store.collection<string>('enrich_version')
}

/** A number for a new version, noted so that a crash leaves no rows that nobody knows of. */
export async function newVersion(store: Store, policy: string): Promise<number> {
  const counter = store.collection<number>('enrich_counter')
  return store.transaction(() => {
    const id = (counter.get('version') ?? 0) + 1
    counter.put('version', id)
    versionsIn(store).put(String(id), policy)
    return id
  })
}

/** Removes versions piece by piece, so that nothing waits long for the store. */
export async function dropVersions(store: Store, isDropped: (id: number, policy: string) => boolean): Promise<void> {
  const dropped = [...versionsIn(store).entries()].filter(([id, policy]) => isDropped(Number(id), policy))
  for (const [id] of dropped) {
    const rows = store.collection<unknown>(collectionOf(Number(id)))
    for (let keys = rows.firstKeys(removedAtOnce); keys.length > 0; keys = rows.firstKeys(removedAtOnce)) {
      await store.transaction(() => {
        for (const key of keys) rows.remove(key)
      })
    }
    await store.transaction(() => versionsIn(store).remove(id))
  }
}
