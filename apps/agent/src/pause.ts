/** Resolves after `ms`, or at once when `signal` ends the wait. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

/**
 * Resolves at one of the moments that lie `periodMs` apart, counted from the start of this process, at least half a period from now, or when `signal` ends
 * the wait. All that wait for the same moment wake the process once, and what they find is sent together.
 */
export function pauseUntilNext(periodMs: number, signal: AbortSignal): Promise<void> {
  const leftMs = periodMs - (performance.now() % periodMs)
  // Timers may come a moment too early; and what is measured over a moment says nothing.
  return pause(Math.ceil(leftMs < periodMs / 2 ? leftMs + periodMs : leftMs), signal)
}
