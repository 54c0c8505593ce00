import type { Collection } from '../store/store.ts'

/** What `make` makes of a collection's entries, made again at the first question after a change: thousands of records are not read for every request. */
export function keptFrom<T, R>(
  collection: Collection<T>,
  make: (entries: Iterable<readonly [key: string, value: T]>) => R,
): () => R {
  let kept: { readonly version: number; readonly made: R } | undefined
  return () => {
    const version = collection.version()
    if (kept?.version !== version) kept = { version, made: make(collection.entries()) }
    return kept.made
  }
}

/** What `make` makes of each entry of a collection, by key and in no order; after a change only what changed is read again. */
export function keptEach<T, R>(
  collection: Collection<T>,
  make: (value: T, key: string) => R,
): () => ReadonlyMap<string, R> {
  let kept: { version: number; readonly made: Map<string, R> } | undefined
  return () => {
    const version = collection.version()
    const changed = kept && collection.changedSince(kept.version)
    if (kept === undefined || changed === undefined) {
      const made = new Map<string, R>()
      for (const [key, value] of collection.entries()) made.set(key, make(value, key))
      kept = { version, made }
      return made
    }
    for (const key of changed) {
      const value = collection.get(key)
      if (value === undefined) kept.made.delete(key)
      else kept.made.set(key, make(value, key))
    }
    kept.version = version
    return kept.made
  }
}
