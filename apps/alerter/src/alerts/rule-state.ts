import { alerterStateIndex } from '@logstack/contracts'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import type { Leap, Omitted } from '../runs/checkpoints.ts'

/**
 * What a rule remembers between runs, written as one document so that it changes as a whole. `outbox` holds the alerts of the
 * last page: they are written after the state, and again by the next start, where their ids keep them single.
 */
export interface RuleState {
  /** Sequence numbers up to which each shard (by index, then number) has been read. */
  readonly checkpoints: Readonly<Record<string, readonly number[]>>
  /** Where they stood when the clock leapt; and what was left out while it was ahead, until that is read. */
  readonly leap?: Leap | undefined
  readonly omitted?: Omitted | undefined
  readonly fingerprint: string
  /** What the rule type saved. */
  readonly running?: unknown
  /** What the maker of its alerts saved: silences and gatherings. */
  readonly alerting?: unknown
  /** When it last ran (epoch ms). */
  readonly lastRun?: number | undefined
  /** The end of the last window that an aggregating rule asked for (epoch ms). */
  readonly windowEnd?: number | undefined
  readonly outbox: readonly IdentifiedAlert[]
  /** When it was written (epoch ms); only what `load` answers has it. */
  readonly savedAt?: number | undefined
}

const positions = z.record(z.string(), z.array(z.number()))

const stateSchema = z.object({
  checkpoints: positions,
  leap: z.object({ at: z.number(), lastRun: z.number(), read: positions }).optional(),
  omitted: z.object({ before: z.number(), upTo: positions }).optional(),
  fingerprint: z.string(),
  // What a rule keeps may be nothing, and JSON has no word for that.
  running: z.unknown().optional(),
  alerting: z.unknown().optional(),
  lastRun: z.number().optional(),
  windowEnd: z.number().optional(),
  outbox: z.array(z.unknown()).transform((alerts) => alerts as IdentifiedAlert[]),
})

/** Where rules keep their state. */
export interface RuleStateStore {
  load(ruleId: string): Promise<RuleState | undefined>
  save(ruleId: string, state: RuleState, now: number): Promise<void>
}

/** The state of rules in search; the hidden index must exist. */
export function ruleStateStore(client: SearchClient): RuleStateStore {
  const pathOf = (ruleId: string): string => `/${alerterStateIndex.name}/_doc/${encodeURIComponent(ruleId)}`
  return {
    load: async (ruleId) => {
      const path = pathOf(ruleId)
      const { status, body } = await client.request<{ _source?: { state: unknown; updated?: string } }>({
        method: 'GET',
        path,
        accept: [404],
      })
      if (status === 404) return undefined
      const savedAt = Date.parse(body._source?.updated ?? '')
      return { ...stateSchema.parse(body._source?.state), ...(Number.isNaN(savedAt) ? {} : { savedAt }) }
    },
    save: async (ruleId, state, now) => {
      const body = { rule: ruleId, updated: new Date(now).toISOString(), state }
      await client.request({ method: 'PUT', path: pathOf(ruleId), body })
    },
  }
}
