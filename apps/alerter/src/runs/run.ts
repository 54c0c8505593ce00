import type { AlertSurroundings } from '../alerts/alert-maker.ts'
import type { AlertStore } from '../alerts/alert-store.ts'
import type { RuleState, RuleStateStore } from '../alerts/rule-state.ts'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import type { LookUps } from '../events/look-ups.ts'
import type { EventReader } from '../events/read-events.ts'
import type { ShardCheckpoint } from '../events/shards.ts'
import { setBackMsMax } from '../set-back.ts'

/** What a run needs of the outside. */
export interface RunSurroundings extends AlertSurroundings {
  readonly now: () => number
  /** When the round began (epoch ms): what rules ask alike is asked once where the time in it is the same. */
  readonly startedAt: number
  readonly states: RuleStateStore
  readonly alerts: AlertStore
  readonly reader: Pick<EventReader, 'readEvents' | 'countEvents'>
  readonly lookUps: Pick<LookUps, 'window' | 'baseline' | 'topCounts' | 'related'>
  /** Takes over alerts that were written and are to be notified of. */
  deliver(alerts: readonly IdentifiedAlert[]): void
  readonly windowEventsMax: number
  readonly pageEventsMax: number
  readonly firstLookbackMs: number
  readonly catchUpMsMax: number
  readonly bufferMs: number
  readonly runEveryMs: number
}

/** A rule, or a set of rules that read together, at work. After an error it is dropped and made anew from its written state. */
export interface Run {
  /** Does what there is to do now. `shards` are those behind its index pattern. */
  round(shards: readonly ShardCheckpoint[], from: RunSurroundings): Promise<void>
  /** What people should know of it though it runs, as a sentence; the same words while it is the same. */
  readonly notice?: string | undefined
  /** The same of single rules of a set, by their ids. */
  readonly notices?: ReadonlyMap<string, string>
  /** Writes what is not written yet, for an orderly stop. */
  stop(): Promise<void>
}

/** Whether a state was written later than now: by a clock that was ahead. Windows with its times would let go of everything until then. */
export function isOfFuture(saved: Pick<RuleState, 'savedAt'> | undefined, now: number): boolean {
  return (saved?.savedAt ?? now) > now + setBackMsMax
}

/** How long reads that found nothing stay unwritten: reading them again finds nothing again. */
export const idleSaveMs = 30_000
