/** Until when a key is silent, how often the wait was doubled, and when it began (epoch ms), which earlier versions did not save. */
interface Silent {
  readonly until: number
  readonly exponent: number
  readonly since?: number | undefined
}

/** How long a key is silent after it was heard, in milliseconds; with `exponentialMs` the wait doubles up to it while matches keep coming. */
export interface Realert {
  readonly realertMs: number
  readonly exponentialMs?: number | undefined
}

/** Which keys are silent after a match, and until when: ElastAlert's `realert`. */
export class Silence {
  readonly #silent: Map<string, Silent>

  /** Takes what `save` gave. */
  constructor(saved: Readonly<Record<string, number | Silent>> = {}) {
    this.#silent = new Map()
    this.join(saved)
  }

  /** Takes over what another one saved; the longer silence of a key stays. */
  join(saved: Readonly<Record<string, number | Silent>>): void {
    for (const [key, entry] of Object.entries(saved)) {
      const silent = typeof entry === 'number' ? { until: entry, exponent: 0 } : entry
      if (silent.until > (this.#silent.get(key)?.until ?? 0)) this.#silent.set(key, silent)
    }
  }

  /** Whether a key is silent at `now` (epoch ms). */
  isSilent(key: string, now: number): boolean {
    return now < (this.#at(key, now)?.until ?? now)
  }

  /** Whether a match of `key` at `now` (epoch ms) is heard; if so the key is silent from now. */
  hears(key: string, now: number, { realertMs, exponentialMs }: Realert): boolean {
    const before = this.#at(key, now)
    if (before && now < before.until) return false
    if (realertMs > 0) this.#silent.set(key, next(before, now, realertMs, exponentialMs))
    return true
  }

  // A clock that was set back begins the wait anew: it must not last until the time that the clock had.
  #at(key: string, now: number): Silent | undefined {
    const known = this.#silent.get(key)
    if (known?.since === undefined || now >= known.since) return known
    const again = { ...known, since: now, until: now + known.until - known.since }
    this.#silent.set(key, again)
    return again
  }

  /** The keys that are silent at `now`, and those silent until `growMs` ago, whose waits may still grow, as JSON. */
  save(now: number, growMs = 0): Record<string, Silent> {
    for (const [key, { until }] of this.#silent) if (until + growMs <= now) this.#silent.delete(key)
    return Object.fromEntries(this.#silent)
  }
}

// ElastAlert's rule: the exponent grows while matches come within the wait that was, and shrinks with each such wait that passed quietly.
function next(before: Silent | undefined, now: number, realertMs: number, exponentialMs: number | undefined): Silent {
  if (!before || exponentialMs === undefined) return { until: now + realertMs, exponent: 0, since: now }
  let { exponent } = before
  let quiet = now - before.until
  if (quiet < realertMs * 2 ** exponent) exponent++
  else
    while (quiet > realertMs * 2 ** exponent && exponent > 0) {
      quiet -= realertMs * 2 ** exponent
      exponent--
    }
  const wait = realertMs * 2 ** exponent
  return wait >= exponentialMs
    ? { until: now + exponentialMs, exponent: exponent - 1, since: now }
    : { until: now + wait, exponent, since: now }
}
