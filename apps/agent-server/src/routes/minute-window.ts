const minuteMs = 60_000

/** Lets at most `max` things a minute pass. */
export function minuteWindow(max: number): { take(now: number): boolean } {
  let start = 0
  let taken = 0
  return {
    take(now) {
      // The clock may have been set back.
      if (now < start || now - start >= minuteMs) {
        start = now
        taken = 0
      }
      if (taken >= max) return false
      taken += 1
      return true
    },
  }
}
