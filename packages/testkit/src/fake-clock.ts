/** A clock that moves only when told. Timers fire in order of their time, then of their making. */
export interface FakeClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves when `advance` has passed `ms`. */
  sleep(ms: number): Promise<void>
  /** Calls `call` once after `ms`; the returned function cancels it. */
  after(ms: number, call: () => void): () => void
  /** Moves time on by `ms`, firing what falls due, and lets promises settle between. */
  advance(ms: number): Promise<void>
}

interface Timer {
  readonly at: number
  readonly call: () => void
}

/** Makes a fake clock that starts at `start` (milliseconds since the epoch). */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let time = start
  const timers = new Set<Timer>()
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const after = (ms: number, call: () => void): (() => void) => {
    const timer = { at: time + ms, call }
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const advance = async (ms: number): Promise<void> => {
    const end = time + ms
    await settle()
    for (let timer = next(timers, end); timer; timer = next(timers, end)) {
      timers.delete(timer)
      time = Math.max(time, timer.at)
      timer.call()
      await settle()
    }
    time = end
  }
  return { now: () => time, sleep: (ms) => new Promise((resolve) => after(ms, resolve)), after, advance }
}

function next(timers: ReadonlySet<Timer>, end: number): Timer | undefined {
  let first: Timer | undefined
  for (const timer of timers) if (timer.at <= end && (!first || timer.at < first.at)) first = timer
  return first
}
