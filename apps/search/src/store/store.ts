/** A named set of documents in the catalogue's store. Reads see the last committed state. */
export interface Collection<T> {
  get(key: string): T | undefined
  entries(): Iterable<readonly [key: string, value: T]>
  /** The first keys in their order, at most `max`. */
  firstKeys(max: number): string[]
  /** Another number after each change, begun or committed: what was made of the entries before may be wrong. */
  version(): number
  /**
   * The keys whose values may be others than those read at that version: changed since, or by a transaction that has not ended, which readers inside and
   * outside of it see differently. Undefined where that is too long ago to be known.
   */
  changedSince(version: number): ReadonlySet<string> | undefined
  /** Only inside `Store.transaction`. */
  put(key: string, value: T): void
  /** Only inside `Store.transaction`. */
  remove(key: string): void
}

/**
 * The small transactional store under search (lmdb). Carries a format version and migrates at open; a store written by a newer version is
 * refused. A transaction is atomic over all collections and on disk when its promise resolves.
 */
export interface Store {
  collection<T>(name: string): Collection<T>
  transaction<T>(work: () => T): Promise<T>
  close(): Promise<void>
}
