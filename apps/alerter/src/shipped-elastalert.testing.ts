import { leavesAt } from '@logstack/rules'
import { z } from 'zod'
import { contextOf } from './rule-context.testing.ts'
import type { Rule } from './rule-files/rule.ts'
import type { RuleEvent, RuleMatch } from './rule-types/define-rule-type.ts'
import { eventTime } from './rule-values/event-time.ts'
import { keyOf, valueAt } from './rule-values/field-values.ts'

const tickMs = 60_000

/** An event of a test, at its time, epoch ms. */
export interface TestedEvent {
  readonly time: number
  readonly source: unknown
}

/**
 * What a rule of ElastAlert's form finds in events and in the minutes of silence after them. Knows filters of `term`, `terms` and `bool`, and the
 * metric `max`.
 */
export function elastAlertMatches(rule: Rule, tested: readonly TestedEvent[], thenMinutes: number): RuleMatch[] {
  const events = tested.filter(({ source }) => rule.filter.every((clause) => passes(clause, source))).map(eventOf(rule))
  const context = contextOf({ queryKey: rule.queryKey, useTermsQuery: rule.reads === 'terms' })
  const running = rule.type.start(rule.typeOptions, undefined, context)
  const end = (tested.at(-1)?.time ?? 0) + thenMinutes * tickMs
  if (running.windowQuery) {
    const highest = new Map<string, number>()
    const field = String(rule.raw['metric_agg_key'])
    for (const { key, source } of events)
      highest.set(key, Math.max(highest.get(key) ?? Number.NEGATIVE_INFINITY, Number(valueAt(source, field))))
    const name = Object.keys(running.windowQuery.aggs)[0] ?? ''
    const answers = [...highest].map(([key, value]) => ({ key, time: end, aggregations: { [name]: { value } } }))
    return [...(running.addWindow?.(answers, end) ?? [])]
  }
  const found: RuleMatch[] = []
  for (const event of events) {
    const counted = [{ key: rule.reads === 'terms' ? event.key : '', count: 1 }]
    found.push(...((rule.reads === 'events' ? running.add?.(event) : running.addCounts?.(event.time, counted)) ?? []))
  }
  const last = tested.at(-1)?.time ?? 0
  for (let now = last; now <= end; now += tickMs) found.push(...(running.tick?.(now) ?? []))
  return found
}

function eventOf(rule: Rule): (tested: TestedEvent, at: number) => RuleEvent {
  return ({ time, source }, at) => ({
    index: 'logs-test',
    id: String(at),
    seqNo: at,
    time: eventTime(rule.timestamp, source) ?? time,
    key: rule.queryKey.length === 0 ? '' : keyOf(source, rule.queryKey),
    source,
  })
}

const clausesSchema = z.array(z.record(z.string(), z.unknown()))
const boolSchema = z.strictObject({ must: clausesSchema.default([]), must_not: clausesSchema.default([]) })
const valuesSchema = z.record(z.string(), z.union([z.array(z.unknown()), z.unknown().transform((value) => [value])]))

function passes(clause: Readonly<Record<string, unknown>>, source: unknown): boolean {
  const [[kind, body] = []] = Object.entries(clause)
  if (kind === 'bool') {
    const { must, must_not } = boolSchema.parse(body)
    return must.every((each) => passes(each, source)) && !must_not.some((each) => passes(each, source))
  }
  if (kind !== 'term' && kind !== 'terms')
    throw new Error(`BUG: the tests of shipped rules do not know the filter [${kind}]`)
  return Object.entries(valuesSchema.parse(body)).every(([field, values]) =>
    leavesAt(source, field).some((leaf) => values.some((value) => String(leaf) === String(value))),
  )
}
