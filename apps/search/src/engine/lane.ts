import { AppError, searchErrors } from '@logstack/errors'

/** What one piece of work asks of its lane. */
export interface LaneTicket<S = unknown> {
  /** The free slot that is taken when there is a choice: one that need not be changed for this work. */
  fits?(slot: S): boolean
  /** On whose behalf: works of several owners take turns. Absent: it is its own. */
  readonly owner?: object
  /** Rejects the caller at once; `onAbandon` is told when the work has begun already. */
  readonly signal?: AbortSignal
  /** Waiting and working together; no limit when absent. */
  readonly timeMsMax?: number
  /** Called once when the caller is gone while the work still runs, so that it can be ended. */
  onAbandon?(): void
}

/** What a lane does now, and did since it was made. */
export interface LaneFigures {
  readonly name: string
  readonly slots: number
  /** Slots at work, and works that wait. */
  readonly working: number
  readonly waiting: number
  /** Owners whose works may wait. */
  readonly waitingMax: number
  /** The most slots that were at work at one time. */
  readonly workingMost: number
  readonly completed: number
  readonly rejected: number
}

/**
 * A fixed set of slots, each doing one work at a time, with a bounded queue before it: owners take turns, and the works of one are done as they came. A search of hundreds of tables
 * has statements for each, behind which no other should stand.
 */
export interface Lane<S> {
  run<T>(work: (slot: S) => Promise<T>, ticket?: LaneTicket<S>): Promise<T>
  figures(): LaneFigures
  /** Resolves when nothing runs any more; work that still waits and all later work is refused. */
  close(): Promise<void>
}

const closedError = (): AppError => new AppError(searchErrors.engine_closed, 'the engine is shutting down')
const cancelledError = (): AppError => new AppError(searchErrors.task_cancelled_exception, 'task cancelled')
const lateError = (): AppError => new AppError(searchErrors.search_timeout, 'Time exceeded')

/** One work from the moment it is given until its caller has an answer. */
class Entry<S, T> {
  readonly promise: Promise<T>
  readonly #work: (slot: S) => Promise<T>
  readonly #ticket: LaneTicket<S>
  #state: 'waiting' | 'working' | 'settled' = 'waiting'
  #resolve: (value: T) => void = () => undefined
  #reject: (reason: unknown) => void = () => undefined
  #timer: NodeJS.Timeout | undefined

  constructor(work: (slot: S) => Promise<T>, ticket: LaneTicket<S>) {
    this.#work = work
    this.#ticket = ticket
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    ticket.signal?.addEventListener('abort', this.#onAbort)
    if (ticket.timeMsMax !== undefined) this.#timer = setTimeout(() => this.#leave(lateError()), ticket.timeMsMax)
    if (ticket.signal?.aborted) this.#onAbort()
  }

  get settled(): boolean {
    return this.#state === 'settled'
  }

  /** Resolves when the work has ended; never rejects. */
  async start(slot: S): Promise<void> {
    this.#state = 'working'
    try {
      const value = await this.#work(slot)
      this.#settle(() => this.#resolve(value))
    } catch (thrown) {
      this.refuse(thrown)
    }
  }

  refuse(reason: unknown): void {
    this.#settle(() => this.#reject(reason))
  }

  readonly #onAbort = (): void => this.#leave(cancelledError())

  #leave(error: Error): void {
    const wasWorking = this.#state === 'working'
    this.refuse(error)
    if (wasWorking) this.#ticket.onAbandon?.()
  }

  #settle(finish: () => void): void {
    if (this.#state === 'settled') return
    this.#state = 'settled'
    clearTimeout(this.#timer)
    this.#ticket.signal?.removeEventListener('abort', this.#onAbort)
    finish()
  }
}

interface Waiting<S> {
  readonly settled: boolean
  start(slot: S): Promise<void>
  refuse(reason: unknown): void
}

/** Works that wait, by owner, in turns. */
class Queue<S> {
  readonly #byOwner = new Map<object, Waiting<S>[]>()

  /** How many owners have works that somebody waits for. */
  owners(): number {
    for (const [owner, works] of this.#byOwner) {
      const left = works.filter(({ settled }) => !settled)
      if (left.length === 0) this.#byOwner.delete(owner)
      else if (left.length < works.length) this.#byOwner.set(owner, left)
    }
    return this.#byOwner.size
  }

  has(owner: object): boolean {
    return this.#byOwner.has(owner)
  }

  push(owner: object, work: Waiting<S>): void {
    const works = this.#byOwner.get(owner)
    if (works) works.push(work)
    else this.#byOwner.set(owner, [work])
  }

  /** The first work of the owner whose turn it is, who is the last from then on. */
  shift(): Waiting<S> | undefined {
    for (const [owner, works] of this.#byOwner) {
      this.#byOwner.delete(owner)
      const work = works.shift()
      if (works.length > 0) this.#byOwner.set(owner, works)
      if (work) return work
    }
    return undefined
  }

  all(): Waiting<S>[] {
    return [...this.#byOwner.values()].flat()
  }
}

/** Makes a lane over `slots`; works of more than `waitingMax` waiting owners are refused with `es_rejected_execution_exception`. */
export function createLane<S>(name: string, slots: readonly S[], waitingMax: number): Lane<S> {
  const free = [...slots]
  let queue = new Queue<S>()
  let closed = false
  const counts = { completed: 0, rejected: 0, workingMost: 0 }
  let whenIdle: () => void = () => undefined

  /** The free slot that waits longest, of those that fit if there are any. */
  function take(ticket: LaneTicket<S>): S | undefined {
    const fitting = free.findIndex((slot) => ticket.fits?.(slot) ?? true)
    return free.splice(Math.max(fitting, 0), 1)[0]
  }

  /** Gives a free slot work until none waits; the slot is busy until the work itself has ended, whether or not its caller still waits. */
  async function serve(slot: S, first: Waiting<S>): Promise<void> {
    counts.workingMost = Math.max(counts.workingMost, slots.length - free.length)
    for (let next: Waiting<S> | undefined = first; next !== undefined; next = queue.shift()) {
      if (next.settled) continue
      await next.start(slot)
      counts.completed += 1
    }
    free.push(slot)
    if (closed && free.length === slots.length) whenIdle()
  }

  return {
    run(work, ticket = {}) {
      const entry = new Entry(work, ticket)
      const slot = closed || entry.settled ? undefined : take(ticket)
      if (closed) entry.refuse(closedError())
      else if (slot !== undefined) void serve(slot, entry)
      else if (!entry.settled) {
        const reason = `rejected execution on [${name}]: queue capacity [${waitingMax}] is used up`
        const owner = ticket.owner ?? entry
        if (queue.has(owner) || queue.owners() < waitingMax) queue.push(owner, entry)
        else {
          counts.rejected += 1
          entry.refuse(new AppError(searchErrors.es_rejected_execution_exception, reason))
        }
      }
      return entry.promise
    },
    figures: () => ({
      name,
      slots: slots.length,
      working: slots.length - free.length,
      waiting: queue.all().filter(({ settled }) => !settled).length,
      waitingMax,
      ...counts,
    }),
    async close() {
      closed = true
      for (const waiting of queue.all()) waiting.refuse(closedError())
      queue = new Queue()
      if (free.length < slots.length)
        await new Promise<void>((resolve) => {
          whenIdle = resolve
        })
    },
  }
}
