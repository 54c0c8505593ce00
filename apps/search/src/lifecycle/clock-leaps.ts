import type { Logger } from '@logstack/logging'
import type { Store } from '../store/store.ts'

const dayMs = 86_400_000

/** What counts as a leap of the host's clock, and for how long nothing is deleted by age after one; milliseconds. */
const limits = {
  /** So long a host may be off, or asleep, at a weekend: what is less is no reason to doubt the clock. */
  aheadMs: 3 * dayMs,
  behindMs: 3_600_000,
  heldMs: dayMs,
  /** How often the time is noted for the next start. */
  notedEveryMs: 600_000,
} as const

const collectionName = 'clock_leap'

interface Noted {
  /** The last time that was seen, epoch milliseconds. */
  readonly lastMs: number
  /** How far the clock is from where it should be, and since when; absent while it is trusted. */
  readonly offsetMs?: number
  readonly sinceMs?: number
}

/** A leap of the clock, as long as it is doubted. */
export interface ClockLeap {
  /** How far the clock leapt, milliseconds: above 0 ahead, below back. */
  readonly offsetMs: number
  /** When it did, and until when nothing is deleted by age; epoch milliseconds, by the clock in doubt. */
  readonly sinceMs: number
  readonly untilMs: number
}

/** Watches the clock. */
export interface ClockLeaps {
  /** The leap that is doubted now; undefined while the clock goes as it should. To be asked every few seconds. */
  look(): Promise<ClockLeap | undefined>
  /** Notes the time for the next start. */
  close(): Promise<void>
}

interface ClockLeapServices {
  readonly store: Store
  /** The host's clock, epoch milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/** The leap that was doubted when the clock was last looked at, for those who show it. */
export function clockLeap(store: Pick<Store, 'collection'>): ClockLeap | undefined {
  const noted = store.collection<Noted>(collectionName).get('clock')
  return noted && leapOf(noted)
}

function leapOf({ offsetMs, sinceMs }: Noted): ClockLeap | undefined {
  if (offsetMs === undefined || sinceMs === undefined) return undefined
  return { offsetMs, sinceMs, untilMs: sinceMs + limits.heldMs }
}

function isFar(offsetMs: number): boolean {
  return offsetMs > limits.aheadMs || offsetMs < -limits.behindMs
}

/**
 * Watches the host's clock against `steadyMs`, which only goes on (monotonic, milliseconds), and over restarts against the time that was noted last. A
 * clock that was a year ahead for the minutes until it was corrected must not make all events a year older: after a leap it is doubted for a day, or
 * until it is back. A leap that stays, as of a host that was off for long, is believed then.
 */
export function watchClock({ store, now, logger }: ClockLeapServices, steadyMs: () => number): ClockLeaps {
  const kept = store.collection<Noted>(collectionName)
  let noted = kept.get('clock')
  let last = { wallMs: noted?.lastMs ?? now(), steadyMs: steadyMs() }
  let keptMs = last.steadyMs

  async function keep(next: Noted): Promise<void> {
    noted = next
    keptMs = last.steadyMs
    await store.transaction(() => kept.put('clock', next))
  }

  async function leapt(offsetMs: number, wallMs: number): Promise<void> {
    if (isFar(offsetMs)) {
      const until = new Date(wallMs + limits.heldMs).toISOString()
      logger.warn(
        { seconds: Math.round(offsetMs / 1000), until },
        'the clock leapt: nothing is deleted by its age for now',
      )
      return keep({ lastMs: wallMs, offsetMs, sinceMs: wallMs })
    }
    logger.info('the clock is back after its leap: lifecycles go on')
    return keep({ lastMs: wallMs })
  }

  return {
    async look() {
      const wallMs = now()
      const deltaMs = wallMs - last.wallMs - (steadyMs() - last.steadyMs)
      last = { wallMs, steadyMs: steadyMs() }
      const before = noted?.offsetMs
      const offsetMs = (before ?? 0) + deltaMs
      if (isFar(deltaMs) || (before !== undefined && !isFar(offsetMs))) await leapt(offsetMs, wallMs)
      else if (noted?.sinceMs !== undefined && wallMs >= noted.sinceMs + limits.heldMs) await keep({ lastMs: wallMs })
      else if (noted === undefined || last.steadyMs - keptMs >= limits.notedEveryMs)
        await keep({ ...noted, lastMs: wallMs })
      return noted && leapOf(noted)
    },
    close: () => keep({ ...noted, lastMs: now() }),
  }
}
