import { isSigma, readSigma, readYamlMaps } from '@logstack/rules'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'
import { LookUps } from '../events/look-ups.ts'
import { pastEvents } from '../events/past-events.ts'
import { readRule } from '../rule-files/read-rule.ts'
import type { Rule } from '../rule-files/rule.ts'
import { type RulePlaces, RulesReader } from '../rule-files/rules-folder.ts'
import type { RuleMatch, RunningRule } from '../rule-types/define-rule-type.ts'
import { sigmaSet } from '../sigma/sigma-set.ts'
import { sigmaMatches } from '../sigma/try-sigma.ts'
import { Silence } from '../silence.ts'

const inputSchema = z.object({ text: z.string(), from: z.number(), to: z.number() })
const sigmaTimestamp = { field: '@timestamp', type: 'iso', format: '' } as const
const tickMs = 60_000
const matchesShownMax = 1000

/** What a rule would have raised. */
export interface TriedRule {
  readonly events: number
  readonly alerts: number
  readonly shown: readonly { readonly time: string; readonly rule: string; readonly what: string }[]
}

/** Runs a rule file (JSON `{text, from, to}`, times in epoch ms) over past events and says what it would have raised. Nothing is written. */
export async function tryRule(
  input: string,
  client: SearchClient,
  places: RulePlaces,
): Promise<TriedRule | { readonly problem: string }> {
  const { text, from, to } = inputSchema.parse(JSON.parse(input))
  const maps = readYamlMaps(text)
  if ('problem' in maps) return { problem: `${maps.problem.line}:${maps.problem.column}: ${maps.problem.message}` }
  const { mappings, channels } = await new RulesReader(places).read()
  if (maps.some(({ value }) => isSigma(value))) {
    const read = readSigma('tried', text)
    if ('problem' in read) return { problem: `${read.problem.line}:${read.problem.column}: ${read.problem.message}` }
    const set = sigmaSet(read.documents, mappings, { channels: [], levelMin: 'informational', realertMs: 0 })
    const [left] = set.leftOut
    if (left) return { problem: left.reason }
    const index = set.matcher.indices.join(',')
    const tried = []
    for await (const event of pastEvents(
      client,
      { index, filter: [], timestamp: sigmaTimestamp, queryKey: [] },
      from,
      to,
    ))
      tried.push(event)
    const matches = sigmaMatches(set, tried)
    const shown = matches.map(({ name, event, host }) => ({
      time: new Date(event.time).toISOString(),
      rule: name,
      what: `${host ?? '-'} ${event.index}/${event.id}`,
    }))
    return { events: tried.length, alerts: matches.length, shown: shown.slice(0, matchesShownMax) }
  }
  const read = readRule('tried', text, { defaults: { alert: 'debug', ...channels.defaults } })
  if (read.kind === 'broken') return { problem: `${read.problem.line}:${read.problem.column}: ${read.problem.message}` }
  if (read.kind === 'disabled') return { problem: 'the rule says is_enabled: false' }
  return tryElastAlert(read.rule, client, from, to)
}

async function tryElastAlert(rule: Rule, client: SearchClient, from: number, to: number): Promise<TriedRule> {
  const bufferMs = rule.bufferMs ?? 900_000
  const running = rule.type.start(rule.typeOptions, undefined, {
    windowEventsMax: 1_000_000,
    queryKey: rule.queryKey,
    timestampField: rule.timestamp.field,
    bufferMs,
    useTermsQuery: rule.reads === 'terms',
  })
  const silence = new Silence()
  const found: RuleMatch[] = []
  const take = (matches: readonly RuleMatch[]): void => {
    for (const match of matches) if (silence.hears(match.key, match.time, rule.realert)) found.push(match)
  }
  const events = running.windowQuery
    ? await overWindows(rule, running, client, { from, to, bufferMs }, take)
    : await overEvents(rule, running, client, { from, to }, take)
  const shown = found.slice(0, matchesShownMax).map(({ time, key, reason }) => ({
    time: new Date(time).toISOString(),
    rule: rule.name,
    what: key === '' ? reason : `${key}: ${reason}`,
  }))
  return { events, alerts: found.length, shown }
}

async function overWindows(
  rule: Rule,
  running: RunningRule,
  client: SearchClient,
  { from, to, bufferMs }: { readonly from: number; readonly to: number; readonly bufferMs: number },
  take: (matches: readonly RuleMatch[]) => void,
): Promise<number> {
  const query = running.windowQuery
  if (!query) return 0
  const lookUps = new LookUps(client)
  let windows = 0
  for (let end = from + bufferMs; end <= to; end += bufferMs) {
    take(running.addWindow?.(await lookUps.window(rule, query, end - bufferMs, end), end) ?? [])
    windows++
  }
  return windows
}

async function overEvents(
  rule: Rule,
  running: RunningRule,
  client: SearchClient,
  { from, to }: { readonly from: number; readonly to: number },
  take: (matches: readonly RuleMatch[]) => void,
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
    count++
    tickTo(event.time)
    take(running.add?.(event) ?? running.addCounts?.(event.time, [{ key: event.key, count: 1 }]) ?? [])
  }
  tickTo(to)
  return count
}
