import type { TriedRule } from '@logstack/contracts'
import { isSigma, readSigma, readYamlMaps } from '@logstack/rules'
import type { SearchClient } from '@logstack/search-client'
import { z } from 'zod'
import { pastEvents } from '../events/past-events.ts'
import { readRule } from '../rule-files/read-rule.ts'
import type { RulesFolder } from '../rule-files/rules-folder.ts'
import { sigmaSet } from '../sigma/sigma-set.ts'
import { SigmaTrial } from '../sigma/try-sigma.ts'
import type { Trial } from './try-elastalert.ts'
import { tryElastAlert } from './try-elastalert.ts'

const sigmaTimestamp = { field: '@timestamp', type: 'iso', format: '' } as const

/** What is tried: a rule file's text on the events between two times, epoch ms. */
export const trialInputSchema = z.object({ text: z.string(), from: z.number(), to: z.number() })

/** How much a trial may look at and answer. */
export interface TrialLimits {
  readonly shownMax: number
  /** Epoch ms; what comes later is left out. */
  readonly until: number
  readonly now: () => number
  /** Whether somebody wrote it in the dashboard. */
  readonly isFromPeople?: boolean
}

/** Runs a rule file over past events and says what it would have raised, with the settings of a rules folder. Nothing is written. */
export async function tryRule(
  { text, from, to }: z.output<typeof trialInputSchema>,
  client: SearchClient,
  { mappings, channels, placeholders }: Pick<RulesFolder, 'mappings' | 'channels' | 'placeholders'>,
  limits: TrialLimits,
): Promise<TriedRule> {
  const maps = readYamlMaps(text)
  if ('problem' in maps) return maps
  const shown: { time: string; rule: string; what: string }[] = []
  let [alerts, cutAt]: [number, string | undefined] = [0, undefined]
  const trial: Trial = {
    goesOn: (at) => {
      if (limits.now() <= limits.until) return true
      cutAt ??= new Date(at).toISOString()
      return false
    },
    found: (time, rule, what) => {
      alerts++
      if (shown.length < limits.shownMax) shown.push({ time: new Date(time).toISOString(), rule, what })
    },
  }
  const answer = (events: number): TriedRule => ({ events, alerts, shown, ...(cutAt === undefined ? {} : { cutAt }) })
  if (maps.some(({ value }) => isSigma(value))) {
    const read = readSigma('tried', maps, placeholders)
    if ('problem' in read) return read
    const set = sigmaSet(read.documents, mappings, { channels: [], levelMin: 'informational', realertMs: 0 })
    const [left] = set.leftOut
    if (left) return { problem: { line: 1, column: 1, message: left.reason } }
    return answer(await trySigma(new SigmaTrial(set), set.matcher.indices.join(','), client, { from, to }, trial))
  }
  const { isFromPeople = false } = limits
  const defaults = { alert: 'debug', ...channels.defaults }
  const read = readRule('tried', text, { defaults, isFromPeople })
  if (read.kind === 'broken') return { problem: read.problem }
  if (read.kind === 'disabled')
    return { problem: { line: 1, column: 1, message: 'the rule says is_enabled: false, so it raises nothing' } }
  return answer(await tryElastAlert(read.rule, client, { from, to }, trial))
}

async function trySigma(
  rules: SigmaTrial,
  index: string,
  client: SearchClient,
  { from, to }: { readonly from: number; readonly to: number },
  trial: Trial,
): Promise<number> {
  let events = 0
  const source = { index, filter: [], timestamp: sigmaTimestamp, queryKey: [] }
  for await (const event of pastEvents(client, source, from, to)) {
    if (!trial.goesOn(event.time)) break
    events++
    for (const { name, event: matched, host } of rules.add(event))
      trial.found(matched.time, name, `${host ?? '-'} ${matched.index}/${matched.id}`)
  }
  return events
}
