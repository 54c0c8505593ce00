import { type DocumentState, tombstoneMs } from './write-decision.ts'

/** The key of a document over all indices. */
function documentKey(index: number, id: string): string {
  return `${index} ${id}`
}

const countMax = 100_000

type Deleted = Extract<DocumentState, { state: 'deleted' }>

/** Versions of documents deleted a short while ago, so that a document that comes again goes on counting. Bounded: the oldest go first. */
export class Tombstones {
  readonly #byKey = new Map<string, { readonly state: Deleted; readonly untilMs: number }>()

  set(index: number, id: string, state: Deleted, nowMs: number): void {
    const key = documentKey(index, id)
    this.#byKey.delete(key)
    this.#byKey.set(key, { state, untilMs: nowMs + tombstoneMs })
    for (const [oldest, { untilMs }] of this.#byKey) {
      if (untilMs > nowMs && this.#byKey.size <= countMax) break
      this.#byKey.delete(oldest)
    }
  }

  get(index: number, id: string, nowMs: number): Deleted | undefined {
    if (this.#byKey.size === 0) return undefined
    const found = this.#byKey.get(documentKey(index, id))
    return found !== undefined && found.untilMs > nowMs ? found.state : undefined
  }

  remove(index: number, id: string): void {
    if (this.#byKey.size > 0) this.#byKey.delete(documentKey(index, id))
  }
}
