import type { Collection } from './store.ts'

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
