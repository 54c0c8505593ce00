/** Which keys of a rule are silent after a match, and until when: ElastAlert's `realert`. */
export class Silence {
  readonly #until: Map<string, number>

  /** Takes what `save` gave. */
  constructor(saved: Readonly<Record<string, number>> = {}) {
    this.#until = new Map(Object.entries(saved))
  }

  /** Whether a match of `key` at `now` (epoch ms) is heard; if so the key is silent for `realertMs` from now. */
  hears(key: string, now: number, realertMs: number): boolean {
    if (now < (this.#until.get(key) ?? now)) return false
    if (realertMs > 0) this.#until.set(key, now + realertMs)
    return true
  }

  /** The keys that are silent at `now`, as JSON. */
  save(now: number): Record<string, number> {
    for (const [key, until] of this.#until) if (until <= now) this.#until.delete(key)
    return Object.fromEntries(this.#until)
  }
}
