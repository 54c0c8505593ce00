import { alerterStateIndex } from '@logstack/contracts'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import type { Leap, Omitted } from '../events/checkpoints.ts'

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

/** A store that is told which rules will start. */
export interface ExpectingStateStore extends RuleStateStore {
  /** Rules whose state is soon asked for: those that were not told of before are read together, as one request a rule takes minutes for a thousand. */
  expect(ruleIds: readonly string[]): void
}

/** States of one request. Few of them are large, and they are kept until their rules start. */
const together = 50
const index = alerterStateIndex.name

interface Written {
  readonly _source?: { readonly state: unknown; readonly updated?: string } | undefined
}

/** The state of rules in search; the hidden index must exist. */
export function ruleStateStore(client: SearchClient): ExpectingStateStore {
  return new SearchStateStore(client)
}

class SearchStateStore implements ExpectingStateStore {
  readonly #client: SearchClient
  readonly #told = new Set<string>()
  /** Rules that were told of and not asked for yet. */
  readonly #expected = new Set<string>()
  /** What was read ahead, until it is asked for or written. */
  readonly #ahead = new Map<string, Promise<ReadonlyMap<string, Written> | undefined>>()

  constructor(client: SearchClient) {
    this.#client = client
  }

  expect(ruleIds: readonly string[]): void {
    for (const id of ruleIds) {
      if (!this.#told.has(id)) this.#expected.add(id)
      this.#told.add(id)
    }
  }

  async load(ruleId: string): Promise<RuleState | undefined> {
    if (this.#expected.has(ruleId)) this.#readAhead(ruleId)
    const ahead = this.#ahead.get(ruleId)
    this.#ahead.delete(ruleId)
    const found = (await ahead)?.get(ruleId)
    return stateOf(found ?? (await this.#read(ruleId)))
  }

  async save(ruleId: string, state: RuleState, now: number): Promise<void> {
    this.#expected.delete(ruleId)
    this.#ahead.delete(ruleId)
    const body = { rule: ruleId, updated: new Date(now).toISOString(), state }
    await this.#client.request({ method: 'PUT', path: pathOf(ruleId), body })
  }

  #readAhead(first: string): void {
    this.#expected.delete(first)
    const ids = [first, ...[...this.#expected].slice(0, together - 1)]
    const read = this.#readMany(ids)
    for (const id of ids) {
      this.#expected.delete(id)
      this.#ahead.set(id, read)
    }
  }

  /** Undefined where search does not give them together, as they are too large for one answer. */
  async #readMany(ids: readonly string[]): Promise<ReadonlyMap<string, Written> | undefined> {
    try {
      const { body } = await this.#client.request<{ docs: (Written & { _id: string; found?: boolean })[] }>({
        method: 'POST',
        path: `/${index}/_mget`,
        body: { ids },
      })
      // One that could not be read says an error in place of whether it was found.
      return new Map(body.docs.filter(({ found }) => found !== undefined).map((document) => [document._id, document]))
    } catch {
      return undefined
    }
  }

  async #read(ruleId: string): Promise<Written> {
    const { status, body } = await this.#client.request<Written>({
      method: 'GET',
      path: pathOf(ruleId),
      accept: [404],
    })
    return status === 404 ? {} : body
  }
}

function pathOf(ruleId: string): string {
  return `/${index}/_doc/${encodeURIComponent(ruleId)}`
}

function stateOf({ _source: source }: Written): RuleState | undefined {
  if (source === undefined) return undefined
  const savedAt = Date.parse(source.updated ?? '')
  return { ...stateSchema.parse(source.state), ...(Number.isNaN(savedAt) ? {} : { savedAt }) }
}
