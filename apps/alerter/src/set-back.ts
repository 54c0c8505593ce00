// What the alerter makes of times that lie ahead, as the host's clock was set back since they were noted. All are epoch milliseconds.

/** A clock may be set back by so much, in milliseconds, before what was kept of its times is given up. */
export const setBackMsMax = 5 * 60_000

/** Whether something is so long ago; what lies ahead is long ago, too. */
export function isPast(time: number, ms: number, now: number): boolean {
  return now < time || now - time >= ms
}
