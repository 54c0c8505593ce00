import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fromPyPI, startSearch, type TempDir, type TestSearch, tempDir } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireClient } from '../testing/https-client.ts'
import { authorityFile, observer, runClient } from './run-client.testing.ts'

// ElastAlert 2 makes its indices, and as the daemon that people run it goes over the last two hours, whose alerts can be counted by hand.
const python = process.env['LOGSTACK_PYTHON'] ?? 'python3'
const version = newestFor(python)
// It needs pytz and does not ask for it.
const elastalert = await fromPyPI(python, [`elastalert2==${version}`, 'pytz==2025.2'])
const skip = elastalert.missing ?? false

let search: TestSearch
let client: WireClient
let scratch: TempDir

/** From 2.20 on it wants Python 3.12, which Debian has from release 13 on. */
function newestFor(interpreter: string): string {
  try {
    execFileSync(interpreter, ['-c', 'import sys; sys.exit(sys.version_info < (3, 12))'], { stdio: 'ignore' })
    return '2.31.0'
  } catch {
    return '2.19.0'
  }
}

const began = Math.floor(Date.now() / 60_000) * 60_000 - 120 * 60_000
const at = (minute: number, second = 0): string => new Date(began + (minute * 60 + second) * 1_000).toISOString()
const event = (time: string, kind: string, user: string, n = 1): object => ({ '@timestamp': time, kind, user, n })
const events = [
  // The day before, so that a rule on new terms knows her.
  event(at(-12 * 60), 'ok', 'ann'),
  ...Array.from({ length: 60 }, (_, minute) => event(at(minute, 30), 'hit', 'ann', minute)),
  ...Array.from({ length: 60 }, (_, step) => event(at(60, 1 + step * 5), 'hit', 'ann')),
  ...[10, 40, 90].map((minute) => event(at(minute, 30), 'root', 'ann')),
  ...[0, 10, 20, 30, 40, 50].map((second) => event(at(62, second), 'failed', 'bob')),
  event(at(100), 'ok', 'carl', 1_000),
]

const rules = {
  any: { type: 'any', filter: [{ term: { kind: 'root' } }], realert: { minutes: 0 } },
  frequency: {
    type: 'frequency',
    filter: [{ query: { query_string: { query: 'kind:fail* AND NOT user:ann' } } }],
    num_events: 5,
    timeframe: { minutes: 2 },
    query_key: 'user',
  },
  'counted frequency': {
    type: 'frequency',
    filter: [{ term: { kind: 'hit' } }],
    num_events: 40,
    timeframe: { minutes: 10 },
    use_count_query: true,
  },
  spike: {
    type: 'spike',
    filter: [{ term: { kind: 'hit' } }],
    spike_height: 3,
    spike_type: 'up',
    timeframe: { minutes: 10 },
    threshold_cur: 20,
    threshold_ref: 5,
  },
  flatline: { type: 'flatline', filter: [{ term: { kind: 'hit' } }], threshold: 1, timeframe: { minutes: 20 } },
  'new term': {
    type: 'new_term',
    filter: [],
    fields: ['user'],
    terms_window_size: { days: 1 },
    // The field is a keyword itself.
    use_keyword_postfix: false,
    realert: { minutes: 0 },
  },
  cardinality: {
    type: 'cardinality',
    filter: [],
    cardinality_field: 'user',
    max_cardinality: 2,
    timeframe: { hours: 1 },
  },
  metric: {
    type: 'metric_aggregation',
    filter: [],
    metric_agg_key: 'n',
    metric_agg_type: 'max',
    query_key: 'user',
    max_threshold: 500,
  },
  percentage: {
    type: 'percentage_match',
    filter: [{ terms: { kind: ['failed', 'hit'] } }],
    match_bucket_filter: [{ term: { kind: 'failed' } }],
    max_percentage: 5,
  },
  quiet: { type: 'any', filter: [{ term: { kind: 'nothing of that kind' } }] },
}

/** The alerts of each rule; those of counts are silent for a day after the first. */
const alertsOf: Readonly<Record<keyof typeof rules, number>> = {
  any: 3,
  frequency: 1,
  'counted frequency': 1,
  spike: 1,
  flatline: 1,
  'new term': 2,
  cardinality: 1,
  metric: 1,
  percentage: 1,
  quiet: 0,
}

beforeAll(async () => {
  if (skip) return
  search = await startSearch()
  client = observer(search)
  scratch = tempDir('logstack-elastalert')
  const { hostname, port } = new URL(search.url)
  const configuration = {
    rules_folder: join(scratch.path, 'rules'),
    run_every: { minutes: 60 },
    buffer_time: { minutes: 15 },
    es_host: hostname,
    es_port: Number(port),
    use_ssl: true,
    verify_certs: true,
    ca_certs: await authorityFile(),
    es_username: search.username,
    es_password: search.password,
    writeback_index: 'elastalert_status',
    alert_time_limit: { days: 2 },
  }
  mkdirSync(join(scratch.path, 'rules'))
  // YAML is a superset of JSON.
  writeFileSync(join(scratch.path, 'config.yaml'), JSON.stringify(configuration), { mode: 0o600 })
  const alert = { alert: ['debug', 'command'], command: ['tee', '-a', alertsFile()], pipe_match_json: true }
  for (const [name, rule] of Object.entries(rules)) {
    const whole = { name, index: 'watched-*', realert: { days: 1 }, ...alert, ...rule }
    writeFileSync(join(scratch.path, 'rules', `${name.replaceAll(' ', '-')}.yaml`), JSON.stringify(whole))
  }
  const properties = {
    '@timestamp': { type: 'date' },
    kind: { type: 'keyword' },
    user: { type: 'keyword' },
    n: { type: 'long' },
  }
  await client.send('/watched-2026', { method: 'PUT', body: { mappings: { properties } } })
  const body = events.map((one) => `{"index":{}}\n${JSON.stringify(one)}\n`).join('')
  const headers = { 'content-type': 'application/x-ndjson' }
  await client.send('/watched-2026/_bulk?refresh=true', { method: 'POST', body, headers })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
  scratch?.remove()
})

/** What the command of each alert appends its match to. */
const alertsFile = (): string => join(scratch.path, 'alerts.json')

async function command(program: string, ...argv: string[]) {
  const folder = await elastalert.folder()
  const env = { PATH: process.env['PATH'], PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: '1', HOME: scratch.path }
  return { env, argv: [join(folder, 'bin', program), '--config', join(scratch.path, 'config.yaml'), ...argv] }
}

/** Runs the daemon until it has been over every rule once; what it said. */
async function watchOnce(): Promise<string> {
  const { env, argv } = await command('elastalert', '--verbose', '--start', at(0).slice(0, 19))
  const daemon = spawn(python, argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [daemon.stdout, daemon.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk
    })
  try {
    const wanted = Object.keys(rules).toSorted()
    await expect
      .poll(
        async () => {
          if (daemon.exitCode !== null) return log
          const states = await documents('elastalert_status_status')
          return [...new Set(states.map((state) => String(state['rule_name'])))].toSorted()
        },
        { timeout: 150_000, interval: 500 },
      )
      .toEqual(wanted)
  } finally {
    if (daemon.exitCode === null && daemon.kill('SIGINT')) await once(daemon, 'exit')
  }
  return log
}

async function documents(index: string): Promise<Record<string, unknown>[]> {
  const body = { size: 1_000, sort: [{ '@timestamp': 'asc' }] }
  const answer = (await client.send(`/${index}/_search`, { method: 'POST', body })).json() as {
    readonly hits: { readonly hits: readonly { readonly _source: Record<string, unknown> }[] }
  }
  return answer.hits.hits.map(({ _source }) => _source)
}

describe.skipIf(skip)(`ElastAlert 2${skip ? ` (${skip})` : ''}`, { timeout: 200_000 }, () => {
  it('makes its indices', async () => {
    const { env, argv } = await command('elastalert-create-index')
    const { code, stdout, stderr } = await runClient([python, ...argv], { env: { ...env, PATH: env.PATH ?? '' } })
    expect(code, stderr).toBe(0)
    expect(stdout).toContain('Done!')
    const found = (await client.send('/_cat/indices/elastalert_*?h=index&s=index&format=json')).json()
    const names = ['', '_error', '_past', '_silence', '_status'].map((end) => ({ index: `elastalert_status${end}` }))
    expect(found).toEqual(names)
    expect((await client.send('/elastalert_status/_mapping')).json()).toMatchObject({
      elastalert_status: { mappings: { properties: { match_body: { type: 'object', enabled: false } } } },
    })
  })

  it('raises the alerts of its rules, no other, and keeps them and its state in search', async () => {
    const log = await watchOnce()
    expect(await documents('elastalert_status_error'), log).toEqual([])
    const alerts = await documents('elastalert_status')
    const of = (rule: string) => alerts.filter((alert) => alert['rule_name'] === rule)
    expect(Object.fromEntries(Object.keys(rules).map((name) => [name, of(name).length])), log).toEqual(alertsOf)
    expect(alerts.every((alert) => alert['alert_sent'] === true)).toBe(true)
    const found = (rule: string) => of(rule).map((alert) => alert['match_body'])
    // The fifth of the failures makes the alert.
    expect(found('frequency')).toMatchObject([
      { user: 'bob', kind: 'failed', '@timestamp': at(62, 40).replace('.000', '') },
    ])
    expect(found('new term').map((body) => (body as { user: string }).user)).toEqual(['bob', 'carl'])
    expect(found('cardinality')).toMatchObject([{ user: 'carl' }])
    expect(found('metric')).toMatchObject([{ metric_n_max: 1_000, user: 'carl' }])
    expect(found('percentage')).toMatchObject([{ denominator: expect.any(Number) }])
    const told = readFileSync(alertsFile(), 'utf8')
    expect(told.match(/"num_matches"/gu)).toHaveLength(alerts.length)
    const silences = await documents('elastalert_status_silence')
    const silent = new Set(silences.map((silence) => silence['rule_name']))
    expect([...silent]).toEqual(expect.arrayContaining(['spike', 'frequency.bob', 'metric.carl']))
  })
})
