/** Changes that are remembered by key; who asks for older ones reads everything. */
const rememberedMax = 1_000

/** What changed in one collection, and when. */
export class CollectionChanges {
  #version = 0
  /** The keys of the last changes, the oldest first: the last of them made today's version. */
  #keys: string[] = []
  /** Keys that transactions which have not ended changed, with how many of them did. */
  readonly #begun = new Map<string, number>()

  /** How often the collection changed. */
  get version(): number {
    return this.#version
  }

  /** See `Collection.changedSince`. */
  since(version: number): ReadonlySet<string> | undefined {
    const count = this.#version - version
    if (count > this.#keys.length) return undefined
    return new Set([...this.#keys.slice(this.#keys.length - count), ...this.#begun.keys()])
  }

  /** The first change of a key in a transaction; `end` when that has ended. */
  begin(key: string): void {
    this.#begun.set(key, (this.#begun.get(key) ?? 0) + 1)
    this.changed(key)
  }

  end(key: string): void {
    const others = (this.#begun.get(key) ?? 0) - 1
    if (others > 0) this.#begun.set(key, others)
    else this.#begun.delete(key)
    this.changed(key)
  }

  /** Another change of a key that has begun. */
  changed(key: string): void {
    this.#version += 1
    this.#keys.push(key)
    // Not at every change: each would move all of them.
    if (this.#keys.length >= 2 * rememberedMax) this.#keys = this.#keys.slice(-rememberedMax)
  }
}

/** What one transaction changed in all collections. */
export class TransactionChanges {
  readonly #keys = new Map<CollectionChanges, Set<string>>()

  add(changes: CollectionChanges, key: string): void {
    const keys = this.#keys.get(changes) ?? new Set()
    this.#keys.set(changes, keys)
    if (keys.has(key)) changes.changed(key)
    else changes.begin(key)
    keys.add(key)
  }

  /** Others read the state of before until here, whether the transaction was committed or not. */
  end(): void {
    for (const [changes, keys] of this.#keys) for (const key of keys) changes.end(key)
  }
}
