const wakeAtOnce = 100

/** A check-in without news. */
export interface HeldCheckin {
  readonly agentId: string
  readonly policyId: string
  readonly limitMs: number
  /** Ends when the caller went away. */
  readonly gone: AbortSignal
}

interface Held {
  readonly end: () => void
}

/** Check-ins that wait for news: kept by agent and by policy, so that news for one agent cost nothing for the thousands of others. */
export class HeldCheckins {
  readonly #byAgent = new Map<string, Set<Held>>()
  readonly #byPolicy = new Map<string, Set<Held>>()
  #count = 0

  /** When `stopping` ends, so do all. */
  constructor(stopping: AbortSignal) {
    stopping.addEventListener('abort', () => {
      for (const held of [...this.#byAgent.values()].flatMap((some) => [...some])) held.end()
    })
  }

  /** How many are held now. */
  get count(): number {
    return this.#count
  }

  /** Resolves at news for the agent or its policy, at the end of the time, or when the caller went. */
  async hold({ agentId, policyId, limitMs, gone }: HeldCheckin): Promise<void> {
    if (gone.aborted) return
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const held: Held = { end }
    const timer = setTimeout(end, limitMs)
    gone.addEventListener('abort', end)
    enter(this.#byAgent, agentId, held)
    enter(this.#byPolicy, policyId, held)
    this.#count += 1
    await ended
    this.#count -= 1
    leave(this.#byAgent, agentId, held)
    leave(this.#byPolicy, policyId, held)
    clearTimeout(timer)
    gone.removeEventListener('abort', end)
  }

  agentChanged(id: string): void {
    for (const held of this.#byAgent.get(id) ?? []) held.end()
  }

  /** Answers the agents of a policy some at a time: ten thousand copies of it in memory at once would be too many. */
  policyChanged(id: string): void {
    const waiting = [...(this.#byPolicy.get(id) ?? [])]
    const wake = (): void => {
      for (const held of waiting.splice(0, wakeAtOnce)) held.end()
      if (waiting.length > 0) setImmediate(wake)
    }
    wake()
  }
}

function enter(map: Map<string, Set<Held>>, key: string, held: Held): void {
  const some = map.get(key)
  if (some) some.add(held)
  else map.set(key, new Set([held]))
}

function leave(map: Map<string, Set<Held>>, key: string, held: Held): void {
  const some = map.get(key)
  some?.delete(held)
  if (some?.size === 0) map.delete(key)
}
