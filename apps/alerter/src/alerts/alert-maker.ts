import { z } from 'zod'
import type { IdentifiedAlert } from '../channels/define-channel.ts'
import { nextTime } from '../rule-files/aggregation-schema.ts'
import type { AlertingRule } from '../rule-files/rule.ts'
import type { RuleMatch } from '../rule-types/define-rule-type.ts'
import { keyOf } from '../rule-values/field-values.ts'
import { setBackMsMax } from '../set-back.ts'
import { Silence } from '../silence.ts'
import { type AlertCircumstances, alertIdOf, alertOf } from './alert-document.ts'

/** What the making of alerts needs of the outside. */
export interface AlertSurroundings {
  readonly webhookUrl: string
  /** The silence a person set that holds for a rule's key now. */
  silencedBy(ruleId: string, key: string, now: number): AlertCircumstances['silenced']
  /** The silence that rules of one `realert_key` share. */
  sharedSilence(realertKey: string): Silence
}

const savedSchema = z.object({
  silent: z.record(z.string(), z.object({ until: z.number(), exponent: z.number(), since: z.number().optional() })),
  aggregates: z.record(z.string(), z.object({ id: z.string(), due: z.string(), since: z.number().optional() })),
})

/** Makes alerts of one rule's matches: leaves out those that `realert` silences, and gathers those that are sent together. */
export class AlertMaker {
  readonly #rule: AlertingRule
  readonly #from: AlertSurroundings
  readonly #silence: Silence
  readonly #aggregates: Map<string, { readonly id: string; readonly due: string; readonly since?: number | undefined }>

  /** Takes what `save` gave. */
  constructor(rule: AlertingRule, from: AlertSurroundings, saved: unknown) {
    this.#rule = rule
    this.#from = from
    const known = savedSchema.safeParse(saved).data
    this.#silence = new Silence(known?.silent)
    this.#aggregates = new Map(Object.entries(known?.aggregates ?? {}))
  }

  /** Whether a match would make an alert; asked once a match, as the key is silent afterwards. */
  hears(match: RuleMatch, now: number): boolean {
    const isShared = this.#rule.realertKey !== this.#rule.id
    if (isShared && this.#from.sharedSilence(this.#rule.realertKey).isSilent(match.key, now)) return false
    return this.#silence.hears(match.key, now, this.#rule.realert)
  }

  /** What `save` gave is written: only now may other rules of the same `realert_key` keep quiet for it. */
  saved(now: number): void {
    if (this.#rule.realertKey === this.#rule.id) return
    this.#from.sharedSilence(this.#rule.realertKey).join(this.#silence.save(now))
  }

  /** The alert of a match that was heard, with the fields that were looked up for it. */
  make(match: RuleMatch, now: number, found: Readonly<Record<string, unknown>>): IdentifiedAlert {
    const { webhookUrl, silencedBy } = this.#from
    const silenced = silencedBy(this.#rule.id, match.key, now)
    const aggregate = silenced ? undefined : this.#aggregateOf(match, now)
    return alertOf(this.#rule, match, { now, webhookUrl, found, silenced, aggregate })
  }

  save(now: number): unknown {
    for (const [key, { due }] of this.#aggregates) if (Date.parse(due) <= now) this.#aggregates.delete(key)
    return {
      silent: this.#silence.save(now, this.#rule.realert.exponentialMs ?? 0),
      aggregates: Object.fromEntries(this.#aggregates),
    }
  }

  #aggregateOf(match: RuleMatch, now: number): AlertCircumstances['aggregate'] {
    const { aggregation } = this.#rule
    if (!aggregation) return undefined
    const key = aggregation.key.length > 0 ? keyOf(match.event?.source, aggregation.key) : ''
    const time = aggregation.byMatchTime ? match.time : now
    const open = this.#aggregates.get(key)
    // One that was opened later than now, by a clock that was set back since, is sent already.
    const isOpen =
      open && time < Date.parse(open.due) && now < Date.parse(open.due) && now >= (open.since ?? now) - setBackMsMax
    if (isOpen) return { id: open.id, due: open.due }
    const due =
      aggregation.schedule === undefined ? time + (aggregation.afterMs ?? 0) : nextTime(aggregation.schedule, time)
    const next = { id: alertIdOf(this.#rule, match), due: new Date(Math.max(due, now)).toISOString() }
    this.#aggregates.set(key, { ...next, since: now })
    return next
  }
}
