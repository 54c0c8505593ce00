import type { CorrelatedEvent, Correlations } from '@logstack/rules'
import { valueAt } from '../rule-values/field-values.ts'
import type { SigmaSet } from './sigma-set.ts'

/** An event that rules are tried on; without an index it is shown to all of them. */
export interface TriedEvent {
  /** Epoch milliseconds. */
  readonly time: number
  readonly source: unknown
  readonly index?: string
  readonly id?: string
}

/** A rule that would have raised an alert, and the event that made it. */
export interface TriedMatch {
  readonly id: string
  readonly name: string
  readonly event: CorrelatedEvent
  readonly host: string | undefined
}

const entriesMax = 1_000_000

/** A set of Sigma rules that is shown past events, one after the other. */
export class SigmaTrial {
  readonly #set: SigmaSet
  readonly #correlations: Correlations
  #number = 0

  constructor(set: SigmaSet) {
    this.#set = set
    this.#correlations = set.correlations({ entriesMax, forgot: () => undefined }, undefined)
  }

  /** What the rules would have found at this event, which comes after those before it. */
  add({ time, source, index, id }: TriedEvent): TriedMatch[] {
    const event = { index: index ?? '', id: id ?? String(this.#number++), time }
    const rules = this.#set.matcher.match(source, index)
    if (rules.length === 0) return []
    const findings = rules.map((rule) => ({
      id: rule.id,
      name: rule.name,
      valueOf: (field: string) =>
        this.#set.matcher
          .pathsOf(rule, field)
          .map((path) => valueAt(source, path))
          .find((value) => value !== undefined),
    }))
    const found = this.#correlations.add(event, findings).map(({ correlation }) => correlation.id)
    return [...rules.map((rule) => rule.id), ...found].flatMap((ruleId) => {
      const rule = this.#set.alerting.get(ruleId)
      return rule ? [{ id: ruleId, name: rule.name, event, host: valueAt(source, 'host.name') }] : []
    })
  }
}

/** What a set of Sigma rules would have found in past events, which come in their order. */
export function sigmaMatches(set: SigmaSet, events: Iterable<TriedEvent>): TriedMatch[] {
  const trial = new SigmaTrial(set)
  return [...events].flatMap((event) => trial.add(event))
}
