// By name: where a test stops the clock, a round that began before it must end all the same, or none begins any more.
import { setImmediate as atNextTurn, setTimeout as later } from 'node:timers'

/** Milliseconds that scripts may hold the thread before others have their turn. */
const heldMsMax = 50
/** Milliseconds that scripts hold the thread for after which others have as long for themselves, whether or not any is known to wait. */
const longMs = 200
/** Milliseconds that others have for themselves at most. */
const restMsMax = 1_000
/** Milliseconds between two looks whether anybody else still waits for an answer. */
const lookMs = 5

/** How long scripts held the thread since others had their turn, who waits to run further ones, and how many requests wait for an answer. */
const thread = { heldMs: 0, isHolding: false, goesRound: false, waiting: [] as Waiting[], requests: 0 }

interface Waiting {
  /** What its request has held the thread for. */
  readonly usedMs: number
  /** What its request is known by: one may wait with several of its parts. */
  readonly request: object | undefined
  readonly letOn: () => void
}

/** Counts a request until `ended` is called: while others than those with scripts are answered, these leave them half of the time. */
export function countRequest(): { ended(): void } {
  thread.requests += 1
  return {
    ended: () => {
      thread.requests -= 1
    },
  }
}

/** Has `work` hold the thread: what it takes counts against all that would hold it before others had their turn. */
export function holding<T>(work: () => T): T {
  if (thread.isHolding) return work()
  thread.isHolding = true
  const fromMs = performance.now()
  try {
    return work()
  } finally {
    thread.isHolding = false
    thread.heldMs += performance.now() - fromMs
    if (isThreadHeld()) goRound()
  }
}

/** Whether the thread was held so long that others must have their turn first. */
export function isThreadHeld(): boolean {
  return thread.heldMs >= heldMsMax
}

/**
 * Resolves when others had their turn. Who waits is let on one by one, each in a turn of its own, however many requests run scripts: first the one
 * that has held the thread least, so that a quick script never waits until slow ones are through.
 */
export function othersTurn(usedMs = 0, request?: object): Promise<void> {
  return new Promise((resolve) => {
    thread.waiting.push({ usedMs, request, letOn: resolve })
    goRound()
  })
}

function goRound(): void {
  if (thread.goesRound) return
  thread.goesRound = true
  const isLong = thread.heldMs > longMs
  const untilMs = performance.now() + Math.min(thread.heldMs, restMsMax)
  const look = (): void => {
    const isOver = performance.now() >= untilMs || !(isLong || othersWait())
    if (isOver) letOn()
    else later(look, lookMs)
  }
  // In the round that goes on now nobody is heard who asked meanwhile.
  atNextTurn(() => atNextTurn(look))
}

/** Whether others than those with scripts wait for an answer. */
function othersWait(): boolean {
  return thread.requests > new Set(thread.waiting.map(({ request }) => request)).size
}

function letOn(): void {
  thread.goesRound = false
  thread.heldMs = 0
  const least = Math.min(...thread.waiting.map(({ usedMs }) => usedMs))
  const at = thread.waiting.findIndex(({ usedMs }) => usedMs === least)
  const [next] = at < 0 ? [] : thread.waiting.splice(at, 1)
  next?.letOn()
  // Who was let on runs before the event loop goes on: the next round is after that.
  if (thread.waiting.length > 0) atNextTurn(goRound)
}
