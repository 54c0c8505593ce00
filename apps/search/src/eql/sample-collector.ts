import {
  bytesOfEvent,
  bytesOfKey,
  type EventGroup,
  type EventRef,
  type FoundEvent,
  type JoinKey,
  pendingBytesMax,
  tooManyPending,
} from './event-ref.ts'

interface Candidates {
  readonly key: JoinKey
  readonly byFilter: EventRef[][]
  /** Whether its sample is found and nothing more is wanted of it. */
  isDone: boolean
}

/** How many samples are wanted. */
export interface SampleLimit {
  readonly count: number
  readonly perKey: number
}

/** Collects samples: for each key one event of every filter, no event twice, in no order. Throws `circuit_breaking_exception` where too many wait. */
export class SampleCollector {
  readonly #filters: readonly number[]
  readonly #limit: SampleLimit
  readonly #bytesMax: number
  readonly #keys = new Map<string, Candidates>()
  readonly #samples: EventGroup[] = []
  #bytes = 0

  constructor(filters: readonly number[], limit: SampleLimit, bytesMax = pendingBytesMax) {
    this.#filters = filters
    this.#limit = limit
    this.#bytesMax = bytesMax
  }

  /** Whether all that is wanted has been found. */
  get isDone(): boolean {
    return this.#samples.length >= this.#limit.count
  }

  /** Takes an event. */
  accept({ event, filters }: FoundEvent): void {
    // More than these cannot help: others leave as many to choose from.
    const heldMax = this.#filters.length + this.#limit.perKey
    for (const [place, filter] of this.#filters.entries()) {
      const key = filters.get(filter)
      const candidates = key && this.#candidates(key)
      const held = candidates?.byFilter[place]
      if (!candidates || candidates.isDone || !held || held.length >= heldMax) continue
      held.push(event)
      this.#bytes += bytesOfEvent(event)
      if (this.#limit.perKey === 1) this.#choose(candidates)
    }
    if (this.#bytes > this.#bytesMax) throw tooManyPending(this.#bytesMax)
  }

  /** The samples that are wanted; there are no more events. */
  finish(): EventGroup[] {
    for (const candidates of this.#keys.values()) if (!candidates.isDone) this.#choose(candidates)
    return this.#samples.slice(0, this.#limit.count)
  }

  #candidates(key: JoinKey): Candidates {
    const known = this.#keys.get(key.text)
    if (known) return known
    const made = { key, byFilter: this.#filters.map(() => []), isDone: false }
    this.#keys.set(key.text, made)
    this.#bytes += bytesOfKey(key)
    return made
  }

  #choose(candidates: Candidates): void {
    const { byFilter, key } = candidates
    if (byFilter.some(({ length }) => length === 0)) return
    const chosen = assignments(byFilter, this.#limit.perKey)
    if (chosen.length === 0) return
    this.#samples.push(...chosen.map((events) => ({ key, events })))
    candidates.isDone = true
    for (const held of byFilter) {
      for (const event of held) this.#bytes -= bytesOfEvent(event)
      held.length = 0
    }
  }
}

/** Ways to choose one event of each list, none twice; at most so many. Short lists are chosen from first, for they decide soonest. */
function assignments(lists: readonly (readonly EventRef[])[], most: number): EventRef[][] {
  const order = lists.map((_, at) => at).sort((a, b) => (lists[a]?.length ?? 0) - (lists[b]?.length ?? 0))
  const found: EventRef[][] = []
  const chosen: EventRef[] = []
  const choose = (depth: number): void => {
    const place = order[depth]
    if (place === undefined) {
      found.push([...chosen])
      return
    }
    for (const event of lists[place] ?? []) {
      if (found.length >= most) return
      if (order.slice(0, depth).some((taken) => chosen[taken] === event)) continue
      chosen[place] = event
      choose(depth + 1)
    }
  }
  choose(0)
  return found
}
