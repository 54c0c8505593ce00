import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import { CountWindow } from './count-window.ts'
import type { EventMark, RuleEvent, RuleMatch } from './define-rule-type.ts'
import { forgetOldest } from './forget-oldest.ts'

/** Options that `spike` and `spike_aggregation` share. */
export const spikeOptions = {
  spike_height: z.number().positive(),
  spike_type: z.enum(['up', 'down', 'both']),
  timeframe: durationSchema,
  threshold_ref: z.number().default(0),
  threshold_cur: z.number().default(0),
  alert_on_new_data: z.boolean().default(false),
} as const

/** What is compared between the windows: the sum of counts, or mean, least or most of values. */
export type SpikeMeasure = 'count' | 'mean' | 'min' | 'max'

interface SpikeRules extends z.output<z.ZodObject<typeof spikeOptions>> {
  readonly measure: SpikeMeasure
  /** Whether thresholds are left out and a window without values never matches: ElastAlert's `field_value`. */
  readonly isMean: boolean
  readonly hasKey: boolean
  readonly keysMax: number
  readonly forgot: () => void
}

interface KeyState {
  readonly reference: CountWindow
  readonly current: CountWindow
  firstTime: number | undefined
  silentUntil: number | undefined
  mark: EventMark | undefined
}

/** A spike as the two windows show it. */
export interface Spike {
  readonly key: string
  readonly time: number
  readonly current: number
  readonly reference: number
  readonly event: RuleEvent | undefined
  readonly mark: EventMark | undefined
}

const mark = z.object({ index: z.string(), id: z.string(), time: z.number() })
const savedSchema = z.object({
  filledOnce: z.boolean(),
  keys: z.array(
    z.object({
      key: z.string(),
      reference: z.unknown(),
      current: z.unknown(),
      firstTime: z.number().optional(),
      silentUntil: z.number().optional(),
      mark: mark.optional(),
    }),
  ),
})

/**
 * ElastAlert's spike: a window of `timeframe` and the one before it, for each key. It compares once both have been filled, starts over
 * after a match, and is then silent until they are filled again.
 */
export class SpikeWindows {
  readonly #rules: SpikeRules
  readonly #keys = new Map<string, KeyState>()
  #filledOnce: boolean

  constructor(rules: SpikeRules, saved: unknown) {
    this.#rules = rules
    const known = savedSchema.safeParse(saved).data
    this.#filledOnce = known?.filledOnce ?? false
    for (const { key, reference, current, ...rest } of known?.keys ?? []) {
      this.#keys.set(key, {
        reference: new CountWindow(rules.timeframe, reference),
        current: new CountWindow(rules.timeframe, current),
        firstTime: rest.firstTime,
        silentUntil: rest.silentUntil,
        mark: rest.mark,
      })
    }
  }

  /** Takes `n` events of a key with the value `value` (their number where counts are compared). */
  add(key: string, time: number, n: number, value: number, event?: RuleEvent): Spike[] {
    const state = this.#state(key)
    if (event) state.mark = { index: event.index, id: event.id, time: event.time }
    state.firstTime ??= time
    for (const shed of state.current.add(time, n, value)) state.reference.take(shed)
    if (!this.#mayMatch(state, time)) return []
    const [reference, current] = [this.#measure(state.reference), this.#measure(state.current)]
    if (!this.#isSpike(reference, current)) return []
    const spike = { key, time, current: current ?? 0, reference: reference ?? 0, event, mark: state.mark }
    state.reference.clear()
    state.firstTime = undefined
    state.silentUntil = time + this.#rules.timeframe * 2
    return [spike]
  }

  /** Moves every key on to `now`: keys without events for long are forgotten, and others may match for want of events. */
  tick(now: number): Spike[] {
    const found: Spike[] = []
    for (const [key, { reference, current }] of [...this.#keys]) {
      if (this.#rules.hasKey && reference.count === 0 && current.count === 0) this.#keys.delete(key)
      else if ((current.last ?? 0) <= now) found.push(...this.add(key, now, 0, 0))
    }
    return found
  }

  save(): unknown {
    const keys = [...this.#keys].map(([key, { reference, current, ...rest }]) => ({
      key,
      reference: reference.save(),
      current: current.save(),
      ...rest,
    }))
    return { filledOnce: this.#filledOnce, keys }
  }

  #state(key: string): KeyState {
    const known = this.#keys.get(key) ?? {
      reference: new CountWindow(this.#rules.timeframe),
      current: new CountWindow(this.#rules.timeframe),
      firstTime: undefined,
      silentUntil: undefined,
      mark: undefined,
    }
    this.#keys.delete(key)
    this.#keys.set(key, known)
    forgetOldest(this.#keys, this.#rules.keysMax, this.#rules.forgot)
    return known
  }

  #mayMatch(state: KeyState, time: number): boolean {
    if (time - (state.firstTime ?? time) >= this.#rules.timeframe * 2) {
      this.#filledOnce = true
      return true
    }
    if (!this.#filledOnce || !this.#rules.hasKey || !this.#rules.alert_on_new_data) return false
    return state.silentUntil === undefined || time >= state.silentUntil
  }

  #measure(window: CountWindow): number | undefined {
    const { measure } = this.#rules
    return window[measure]
  }

  #isSpike(reference: number | undefined, current: number | undefined): boolean {
    const { isMean, threshold_cur, threshold_ref, spike_height, spike_type } = this.#rules
    if (reference === undefined || current === undefined) return false
    if (isMean && (reference === 0 || current === 0)) return false
    if (!isMean && (current < threshold_cur || reference < threshold_ref)) return false
    const isDown = current <= reference / spike_height
    const isUp = current >= reference * spike_height
    return (isUp && spike_type !== 'down') || (isDown && spike_type !== 'up')
  }
}

/** The match of a spike; `words` say what is abnormal. */
export function spikeMatch(spike: Spike, reason: string): RuleMatch {
  const { key, time, current, reference, event, mark: known } = spike
  return {
    time,
    key,
    ...(event ? { event } : {}),
    marks: known ? [known] : [],
    count: Math.max(0, Math.round(current)),
    reason,
    fields: { spike_count: current, reference_count: reference },
  }
}
