import { type DocumentState, tombstoneMs } from './write-decision.ts'

const countMax = 100_000

type Deleted = Extract<DocumentState, { state: 'deleted' }>

/** Versions of documents deleted a short while ago, so that a document that comes again goes on counting. Bounded: the oldest go first. */
export class Tombstones {
  readonly #byKey = new Map<string, { readonly state: Deleted; readonly untilMs: number }>()

  set(key: string, state: Deleted, nowMs: number): void {
    this.#byKey.delete(key)
    this.#byKey.set(key, { state, untilMs: nowMs + tombstoneMs })
    for (const [oldest, { untilMs }] of this.#byKey) {
      if (untilMs > nowMs && this.#byKey.size <= countMax) break
      this.#byKey.delete(oldest)
    }
  }

  get(key: string, nowMs: number): Deleted | undefined {
    const found = this.#byKey.get(key)
    return found !== undefined && found.untilMs > nowMs ? found.state : undefined
  }

  remove(key: string): void {
    this.#byKey.delete(key)
  }
}
