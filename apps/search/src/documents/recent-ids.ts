/** What is known of the ids of one index since this process first wrote to it. */
interface IndexIds {
  /** Every id that sorts after this one is in `young` or `old`, or no document has it. */
  floor: string
  young: Set<string>
  old: Set<string>
  /** About where the ids of `old` had come to when it was closed. */
  oldHead: string
}

/** So many of the last ids say where all have come to: the one in the middle of them. */
const headIds = 33

function headOf(ids: ReadonlySet<string>, floor: string): string {
  const latest = [...ids].slice(-headIds).sort((a, b) => (a < b ? -1 : 1))
  return latest[latest.length >> 1] ?? floor
}

/**
 * Tells ids that no document can have yet, so that they need not be looked for: ids of events begin with their time and mostly rise, and the
 * look-up cost more than half of what storing an event does. It remembers the ids that came lately, and a floor below which it knows nothing. Wrong in
 * one direction only: an id it does not call new may be new all the same.
 */
export class RecentIds {
  readonly #lastStored: (index: number) => string | undefined
  readonly #generationMax: number
  /** Undefined for an index whose last id the store does not know: it will not know it later. */
  readonly #byIndex = new Map<number, IndexIds | undefined>()
  #young = 0

  /**
   * `lastStored` gives an id that none of the index's documents sorts after, '' for an index without documents, undefined where that is not
   * known. Between one and three times `generationMax` ids are remembered, over all indices.
   */
  constructor(lastStored: (index: number) => string | undefined, generationMax = 32_768) {
    this.#lastStored = lastStored
    this.#generationMax = generationMax
  }

  /** Whether no document of an index has this id. The id is taken as given from then on. */
  isNew(index: number, id: string): boolean {
    const ids = this.#byIndex.has(index) ? this.#byIndex.get(index) : this.#begin(index)
    if (ids === undefined || id <= ids.floor || ids.young.has(id) || ids.old.has(id)) return false
    ids.young.add(id)
    this.#young += 1
    if (this.#young >= this.#generationMax) this.#rotate()
    return true
  }

  #begin(index: number): IndexIds | undefined {
    const floor = this.#lastStored(index)
    const ids =
      floor === undefined ? undefined : { floor, young: new Set<string>(), old: new Set<string>(), oldHead: floor }
    this.#byIndex.set(index, ids)
    return ids
  }

  /** Forgets what came before the last generation, and raises the floors above it. */
  #rotate(): void {
    this.#young = 0
    for (const [index, ids] of this.#byIndex) {
      // Of an index that nothing came for, the store says as much when something comes again.
      if (ids === undefined || (ids.young.size === 0 && ids.old.size === 0)) this.#byIndex.delete(index)
      else age(ids)
    }
  }
}

/** Closes the young generation of an index, and forgets the one before it. */
function age(ids: IndexIds): void {
  // A few that run ahead of the others, because a clock is wrong, are kept instead of raising the floor above all that will come.
  const ahead = [...ids.old].filter((id) => id > ids.oldHead)
  const keeps = ahead.length * 2 <= ids.old.size
  const forgotten = keeps ? [ids.oldHead] : [ids.oldHead, ...ahead]
  for (const id of forgotten) if (id > ids.floor) ids.floor = id
  ids.oldHead = headOf(ids.young, ids.floor)
  ids.old = ids.young
  if (keeps) for (const id of ahead) ids.old.add(id)
  ids.young = new Set()
}
