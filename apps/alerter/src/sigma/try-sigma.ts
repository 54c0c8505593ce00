import type { CorrelatedEvent } from '@logstack/rules'
import { valueAt } from '../rule-files/values.ts'
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

/** What a set of Sigma rules would have found in past events, which come in their order. */
export function sigmaMatches(set: SigmaSet, events: Iterable<TriedEvent>): TriedMatch[] {
  const correlations = set.correlations(entriesMax, undefined)
  const matches: TriedMatch[] = []
  let number = 0
  for (const { time, source, index, id } of events) {
    const event = { index: index ?? '', id: id ?? String(number++), time }
    const rules = set.matcher.match(source, index)
    if (rules.length === 0) continue
    const add = (ruleId: string): void => {
      const rule = set.alerting.get(ruleId)
      if (rule) matches.push({ id: ruleId, name: rule.name, event, host: valueAt(source, 'host.name') })
    }
    for (const rule of rules) add(rule.id)
    const findings = rules.map((rule) => ({
      id: rule.id,
      name: rule.name,
      valueOf: (field: string) =>
        set.matcher
          .pathsOf(rule, field)
          .map((path) => valueAt(source, path))
          .find((value) => value !== undefined),
    }))
    for (const { correlation } of correlations.add(event, findings)) add(correlation.id)
  }
  return matches
}
