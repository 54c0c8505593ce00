import type { SearchClient } from '@logstack/search-client'
import { LookUps } from '../events/look-ups.ts'
import { pastEvents } from '../events/past-events.ts'
import type { Rule } from '../rule-files/rule.ts'
import type { RuleMatch, RunningRule } from '../rule-types/define-rule-type.ts'
import { Silence } from '../silence.ts'

/** Takes what the rule found, and says when the trial has to end. */
export interface Trial {
  /** False when the time is over; `at` is the time, epoch ms, of what is looked at. */
  goesOn(at: number): boolean
  found(time: number, rule: string, what: string): void
}

const tickMs = 60_000

interface Span {
  readonly from: number
  readonly to: number
}

/** Shows a rule of ElastAlert's form the events between two times (epoch ms); answers how many events, or windows, it looked at. */
export async function tryElastAlert(rule: Rule, client: SearchClient, span: Span, trial: Trial): Promise<number> {
  const bufferMs = rule.bufferMs ?? 900_000
  const running = rule.type.start(rule.typeOptions, undefined, {
    windowEventsMax: 1_000_000,
    forgot: () => undefined,
    queryKey: rule.queryKey,
    timestampField: rule.timestamp.field,
    bufferMs,
    useTermsQuery: rule.reads === 'terms',
  })
  const silence = new Silence()
  const take = (matches: readonly RuleMatch[]): void => {
    for (const { time, key, reason } of matches) {
      if (silence.hears(key, time, rule.realert))
        trial.found(time, rule.name, key === '' ? reason : `${key}: ${reason}`)
    }
  }
  if (running.windowQuery) return await overWindows(rule, running, client, { ...span, bufferMs }, take, trial)
  return await overEvents(rule, running, client, span, take, trial)
}

async function overWindows(
  rule: Rule,
  running: RunningRule,
  client: SearchClient,
  { from, to, bufferMs }: Span & { readonly bufferMs: number },
  take: (matches: readonly RuleMatch[]) => void,
  trial: Trial,
): Promise<number> {
  const query = running.windowQuery
  if (!query) return 0
  const lookUps = new LookUps(client)
  let windows = 0
  for (let end = from + bufferMs; end <= to && trial.goesOn(end); end += bufferMs) {
    take(running.addWindow?.(await lookUps.window(rule, query, end - bufferMs, end), end) ?? [])
    windows++
  }
  return windows
}

async function overEvents(
  rule: Rule,
  running: RunningRule,
  client: SearchClient,
  { from, to }: Span,
  take: (matches: readonly RuleMatch[]) => void,
  trial: Trial,
): Promise<number> {
  const wanted = running.baseline?.()
  if (wanted) {
    await new LookUps(client).baseline(rule, wanted, from, (field, values, time) =>
      running.addBaseline?.(field, values, time),
    )
  }
  let count = 0
  let ticked = from
  const tickTo = (time: number): void => {
    for (; running.tick && ticked + tickMs <= time; ticked += tickMs) take(running.tick(ticked + tickMs))
  }
  for await (const event of pastEvents(client, rule, from, to)) {
    if (!trial.goesOn(event.time)) return count
    count++
    tickTo(event.time)
    take(running.add?.(event) ?? running.addCounts?.(event.time, [{ key: event.key, count: 1 }]) ?? [])
  }
  tickTo(to)
  return count
}
