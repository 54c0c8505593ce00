import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fromFlatRecord } from '../packages/rules/src/sigma/windows-event.testing.ts'
import { processorMs } from './process-times.ts'
import { Stack } from './stack.mjs'

// How long after an event is searchable its alert is there, with thousands of Sigma rules over a steady stream of recorded Windows events, on a
// stack of its own: `node tools/run-ts.mjs bench/alerts.ts RULES_DIR EVENTS.json RATE SECONDS`, one flat JSON object a line. Ends by itself.

const [rulesDir = '', recording = '', rateText = '1000', secondsText = '60'] = process.argv.slice(2)
const [rate, seconds] = [Number(rateText), Number(secondsText)]
const pollMs = 250
const quietMs = 15_000
const readyMsMax = 300_000
const index = 'winlogbeat-bench'

interface Hits {
  readonly hits: {
    readonly hits: readonly { readonly _id: string; readonly _source: AlertSource; readonly sort: readonly number[] }[]
  }
}
interface Bulk {
  readonly errors: boolean
  readonly items: readonly { readonly create: { readonly error?: object } }[]
}
interface AlertSource {
  readonly logstack: {
    readonly alert: { readonly rule_type: string; readonly events: readonly { readonly id: string }[] }
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'logstack-bench-alerts-'))
const stack = new Stack(process.cwd(), dataDir, 14_000 + Math.floor(Math.random() * 500) * 10)
const lines = readFileSync(recording, 'utf8').trim().split('\n')
const searchableAt = new Map<string, number>()
const delays: number[] = []
let [seen, correlated] = [-1, 0]

/** What the command said; it ends with 2 where some rules are for what is not mapped, as with all of SigmaHQ. */
async function importRules(): Promise<string> {
  try {
    return await stack.command('rules', 'import', rulesDir)
  } catch (thrown) {
    const { code, stdout } = thrown as { readonly code?: number; readonly stdout?: string }
    if (code === 2 && stdout !== undefined) return stdout
    throw thrown
  }
}

async function rulesRunning(): Promise<number> {
  const answer = await stack.send('GET', '/.logstack-alerts-rules/_count', { query: { term: { state: 'running' } } })
  return (answer as { count: number }).count
}

async function untilRulesRun(): Promise<number> {
  const end = Date.now() + readyMsMax
  for (let before = -1; Date.now() < end; await sleep(10_000)) {
    const running = await rulesRunning()
    if (running > 100 && running === before) return running
    before = running
  }
  throw new Error('the rules were not taken up')
}

/** Whole numbers that a double cannot hold stay texts, as Winlogbeat sends them: rounded, they are out of the range of a long. */
function eventOf(line: string): Record<string, unknown> {
  return JSON.parse(line.replaceAll(/:(-?\d{16,})(?=[,}])/g, ':"$1"')) as Record<string, unknown>
}

function refused({ items }: Bulk): readonly object[] {
  return items.flatMap(({ create: { error } }) => error ?? [])
}

async function send(second: number): Promise<void> {
  const now = Date.now()
  const ids: string[] = []
  let body = ''
  for (let at = 0; at < rate; at++) {
    const flat = eventOf(lines[(second * rate + at) % lines.length] ?? '{}')
    const id = `${second}-${at}`
    const document = { ...(fromFlatRecord(flat) as object), '@timestamp': new Date(now).toISOString() }
    body += `${JSON.stringify({ create: { _id: id } })}\n${JSON.stringify(document)}\n`
    ids.push(id)
  }
  const sent = Buffer.from(body)
  const answer = (await stack.send('POST', `/${index}/_bulk?refresh=true`, sent, 'application/x-ndjson')) as Bulk
  if (answer.errors) throw new Error(`not all events were taken: ${JSON.stringify(refused(answer)[0])}`)
  const answered = Date.now()
  for (const id of ids) searchableAt.set(id, answered)
}

async function lookForAlerts(): Promise<void> {
  const query = { range: { _seq_no: { gt: seen } } }
  const body = {
    size: 5000,
    query,
    sort: [{ _seq_no: 'asc' }],
    _source: ['logstack.alert.events', 'logstack.alert.rule_type'],
  }
  const { hits } = (await stack.send('POST', '/.logstack-alerts/_search', body)) as Hits
  const now = Date.now()
  for (const { _source: source, sort } of hits.hits) {
    seen = Math.max(seen, sort[0] ?? seen)
    const { events, rule_type: type } = source.logstack.alert
    const at = searchableAt.get(events.at(-1)?.id ?? '')
    if (type !== 'sigma') correlated++
    else if (at !== undefined) delays.push(Math.max(0, now - at))
  }
}

async function pidOf(part: string): Promise<number> {
  const list = JSON.parse(await stack.command('status', '--json')) as { part: string; pid?: number }[]
  return list.find((each) => each.part === part)?.pid ?? 0
}

const quantile = (share: number): number => Math.round(delays[Math.floor((delays.length - 1) * share)] ?? Number.NaN)

// As Winlogbeat's own template has it: what an event carries besides is words, whatever the first one looked like.
const template = {
  index_patterns: [index],
  template: {
    mappings: {
      dynamic_templates: [
        { data: { path_match: 'winlog.event_data.*', mapping: { type: 'keyword', ignore_above: 1024 } } },
      ],
    },
  },
}

try {
  await stack.up()
  await stack.send('PUT', '/_index_template/bench', template)
  console.log((await importRules()).trim().split('\n').slice(-2).join('\n'))
  const running = await untilRulesRun()
  await send(0)
  await sleep(quietMs)
  await lookForAlerts()
  delays.length = 0
  const pids = { alerter: await pidOf('alerter'), search: await pidOf('search') }
  const before = { alerter: processorMs(pids.alerter), search: processorMs(pids.search) }
  const started = Date.now()
  let isOver = false
  const looking = (async () => {
    while (!isOver) {
      await lookForAlerts()
      await sleep(pollMs)
    }
  })()
  for (let second = 1; second <= seconds; second++) {
    await send(second)
    await sleep(Math.max(0, started + second * 1000 - Date.now()))
  }
  const took = (Date.now() - started) / 1000
  await sleep(quietMs)
  isOver = true
  await looking
  const used = { alerter: processorMs(pids.alerter) - before.alerter, search: processorMs(pids.search) - before.search }
  delays.sort((left, right) => left - right)
  const events = rate * seconds
  console.log(
    `${running} rules run; ${events} events in ${took.toFixed(0)} s; load of the machine ${readFileSync('/proc/loadavg', 'utf8').slice(0, 4)}`,
  )
  console.log(
    `${delays.length} alerts of single events, ${correlated} of others; delay from searchable: median ${quantile(0.5)} ms, 95 % ${quantile(0.95)} ms, longest ${quantile(1)} ms`,
  )
  const micros = (used.alerter * 1000) / events
  console.log(
    `CPU: alerter ${(used.alerter / 1000).toFixed(1)} s (${micros.toFixed(0)} µs an event, ${(micros / running).toFixed(3)} µs a rule), search ${(used.search / 1000).toFixed(1)} s with taking in`,
  )
} finally {
  await stack.down()
  rmSync(dataDir, { recursive: true, force: true })
}
