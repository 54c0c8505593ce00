/** Bounds of the slow-down after failed logins. */
const limits = {
  /** Failures of one user from one address that cost nothing. */
  freeFailures: 5,
  firstDelayMs: 250,
  delayMsMax: 30_000,
  /** A key is forgotten this long after its last failure. */
  forgetAfterMs: 15 * 60_000,
  keysMax: 10_000,
  /** Wrong passwords of one key that are known again. */
  triesMax: 16,
} as const

interface Failures {
  count: number
  lastAtMs: number
  nextAllowedAtMs: number
  /** What was tried, newest last. */
  readonly tries: readonly string[]
}

/**
 * Slows guessing: after some failures of one user from one address each further try must wait, twice as long every time. The same wrong
 * password again is no guess and costs nothing: a script that still has yesterday's must not keep out who knows today's.
 */
export interface LoginLimit {
  /** Milliseconds until a try is allowed; 0 when it is now. */
  waitMs(key: string): number
  /** `tried` tells what was tried from other tries, and nothing else. */
  failed(key: string, tried: string): void
  succeeded(key: string): void
}

/**
 * Makes a slow-down with a bounded memory: the key that failed longest ago is forgotten first. It goes by milliseconds that only go on, or a clock that is
 * set back would lock people out until it is there again.
 */
export function createLoginLimit(steadyMs: () => number): LoginLimit {
  const failures = new Map<string, Failures>()
  const current = (key: string): Failures | undefined => {
    const known = failures.get(key)
    if (known && steadyMs() - known.lastAtMs > limits.forgetAfterMs) failures.delete(key)
    return failures.get(key)
  }
  return {
    waitMs: (key) => Math.max(0, (current(key)?.nextAllowedAtMs ?? 0) - steadyMs()),
    failed(key, tried) {
      const before = current(key)
      if (before?.tries.includes(tried)) {
        before.lastAtMs = steadyMs()
        return
      }
      const count = (before?.count ?? 0) + 1
      const over = count - limits.freeFailures
      const delayMs = over < 0 ? 0 : Math.min(limits.delayMsMax, limits.firstDelayMs * 2 ** over)
      failures.delete(key)
      const tries = [...(before?.tries ?? []), tried].slice(-limits.triesMax)
      failures.set(key, { count, lastAtMs: steadyMs(), nextAllowedAtMs: steadyMs() + delayMs, tries })
      const oldest = failures.keys().next().value
      if (failures.size > limits.keysMax && oldest !== undefined) failures.delete(oldest)
    },
    succeeded: (key) => void failures.delete(key),
  }
}
