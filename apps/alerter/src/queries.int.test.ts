import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type AlertDocument, accountOf, alertsIndex } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { SearchClient, sendBulk } from '@logstack/search-client'
import { LiveSettings } from '@logstack/settings'
import { startSearch, type TempDir, type TestSearch, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tryRule } from './commands/try-rule.ts'
import { alerterSettings } from './settings.ts'
import { startAlerter } from './start-alerter.ts'

// The alerter under its own least role on a real search, with rules whose filters are EQL and ES|QL.

const password = 'password-of-the-alerter'
const pageEventsMax = 3
const common = `
index: logs-*
realert: {minutes: 0}
alert: debug
`
const rules: Readonly<Record<string, string>> = {
  eql: `
type: any
filter:
- eql: 'process where process.name : "PowerShell*"'
- term: {host.name: web1}
${common}`,
  esql: `
type: any
filter:
- esql: |
    FROM logs-*
    | EVAL name = TO_LOWER(process.name) // what is computed serves the condition
    | WHERE name LIKE "powershell*" AND process.args IS NOT NULL
    | MV_EXPAND process.args
    | KEEP process.*, @timestamp
    | SORT @timestamp DESC
- term: {host.name: web1}
${common}`,
  often: `
type: frequency
num_events: 4
timeframe: {hours: 1}
query_key: user.name
top_count_keys: [process.name.keyword]
filter:
- eql: 'any where process.name : "PowerShell*"'
${common}`,
  fresh: `
type: new_term
fields: user.name
use_keyword_postfix: false
terms_window_size: {days: 2}
filter:
- esql: 'from logs-* metadata _id | where process.name == "whoami"'
${common}`,
  broken: `
type: any
filter:
- esql: 'FROM logs-* | WHERE no_such_field == 1'
${common}`,
}

let search: TestSearch
let client: SearchClient
let temporary: TempDir
let alerter: RunningPart | undefined
let log: string[] = []

vi.setConfig({ testTimeout: 300_000, hookTimeout: 240_000 })

beforeAll(async () => {
  search = await startSearch()
  const { ca, url, username } = search
  client = new SearchClient({ url, ca, credentials: { username, password: search.password } })
  temporary = tempDir('logstack-alerter-queries')
  mkdirSync(join(temporary.path, 'rules'))
  writeFileSync(join(temporary.path, 'logstack_alerter'), password)
  for (const [name, text] of Object.entries(rules)) writeFileSync(join(temporary.path, 'rules', `${name}.yml`), text)
  const { name, ...rights } = accountOf('alerter').role
  await client.request({ method: 'PUT', path: `/_security/role/${name}`, body: rights })
  const mappings = { properties: { user: { properties: { name: { type: 'keyword' } } } } }
  const template = { index_patterns: ['logs-*'], template: { mappings } }
  await client.request({ method: 'PUT', path: '/_index_template/logs', body: template })
  await client.request({ method: 'PUT', path: '/_security/user/logstack_alerter', body: { password, roles: [name] } })
})

afterAll(async () => {
  await alerter?.stop()
  client?.close()
  await search?.stop()
  temporary?.remove()
})

async function start(): Promise<void> {
  const { dir } = await testCertificates()
  const environment = readPartEnvironment({
    LOGSTACK_DATA_DIR: temporary.path,
    LOGSTACK_CERTS_DIR: dir,
    LOGSTACK_SECRETS_DIR: temporary.path,
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_RULES_DIR: join(temporary.path, 'rules'),
  })
  const env = { LOGSTACK_ALERTER_POLL_INTERVAL_MS: '50', LOGSTACK_ALERTER_PAGE_EVENTS_MAX: String(pageEventsMax) }
  const settings = new LiveSettings(alerterSettings, { env })
  log = []
  const logger = createLogger('alerter', 'info', { write: (line) => log.push(line) })
  alerter = await startAlerter({ environment, settings, logger })
}

interface Made {
  readonly id: string
  readonly index?: string
  readonly minutesAgo?: number
  readonly name?: string
  readonly host?: string
  readonly user?: string
}

async function store(events: readonly Made[]): Promise<void> {
  const records = events.map(
    ({ id, index = 'logs-a', minutesAgo = 1, name = 'powershell.exe', host = 'web1', user = 'ann' }) => ({
      action: 'create' as const,
      index,
      id,
      document: {
        '@timestamp': new Date(Date.now() - minutesAgo * 60_000).toISOString(),
        event: { category: 'process' },
        process: { name, args: ['-enc', id] },
        host: { name: host },
        user: { name: user },
      },
    }),
  )
  for (const { status } of await sendBulk(client, records)) expect(status).toBe(201)
}

type Alert = AlertDocument & { readonly rule: { readonly id: string } }

async function alertsOf(rule: string): Promise<readonly Alert[]> {
  const { body } = await client.request<{ hits: { hits: { _source: Alert }[] } }>({
    method: 'POST',
    path: `/${alertsIndex.name}/_search`,
    body: { size: 1000, query: { match_all: {} } },
    accept: [404],
  })
  return (body.hits?.hits ?? []).map(({ _source }) => _source).filter((alert) => alert.rule.id === rule)
}

async function alerted(rule: string): Promise<string[]> {
  return (await alertsOf(rule)).flatMap(({ logstack }) => logstack.alert.events.map(({ id }) => id)).sort()
}

const until = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 120_000, interval: 100 })

const others = (prefix: string, count: number): Made[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${prefix}-${at}`, name: 'sshd' }))

test('events before and after a restart, late ones, and ones among many others are alerted once each', async () => {
  await store([{ id: 'past', minutesAgo: 600, name: 'whoami', user: 'ann' }])
  await store([
    ...others('first', 5),
    { id: 'p1' },
    { id: 'p2', name: 'PowerShell_ISE.exe' },
    { id: 'other-host', host: 'db1' },
  ])
  // In this index no event has a category or a process: what names them holds for all indices of the pattern together.
  await sendBulk(client, [
    {
      action: 'create',
      index: 'logs-b',
      id: 'plain',
      document: { '@timestamp': new Date().toISOString(), message: 'hello' },
    },
  ])
  await start()
  await until(async () => expect(await alerted('eql')).toEqual(['p1', 'p2']))
  await until(async () => expect(await alerted('esql')).toEqual(['p1', 'p2']))
  await alerter?.stop()
  // More than a page, and in an index that was not there before.
  const many = Array.from({ length: 8 }, (_, at) => ({ id: `p3-${at}`, user: 'bob' }))
  await store([...others('second', 10_000), ...many, ...others('third', 20)])
  await store([
    { id: 'p4', index: 'logs-c' },
    { id: 'late', minutesAgo: 300 },
    { id: 'who-ann', name: 'whoami' },
    { id: 'who-bob', name: 'whoami', user: 'bob' },
  ])
  await start()
  const all = ['late', 'p1', 'p2', ...many.map(({ id }) => id), 'p4'].sort()
  await until(async () => expect(await alerted('eql')).toEqual(all))
  await until(async () => expect(await alerted('esql')).toEqual(all))
  await until(async () => expect(await alerted('fresh')).toEqual(['who-bob']))
  const often = await alerted('often')
  expect(new Set(often).size).toBe(often.length)
  expect(often.filter((id) => id.startsWith('p3-')).length).toBe(8)
  expect(JSON.stringify(await alertsOf('often'))).toMatch(/"top_events_process\.name\.keyword":\{"powershell\.exe":\d/)
  await alerter?.stop()
  await start()
  await store([{ id: 'p5' }])
  await until(async () => expect(await alerted('eql')).toEqual([...all, 'p5'].sort()))
  await until(async () => expect(await alerted('esql')).toEqual([...all, 'p5'].sort()))
  expect(log.join('')).toContain('Unknown column [no_such_field]')
})

test('a test run over the past finds the same events', async () => {
  const folder = { mappings: [], channels: { defaults: {} }, placeholders: new Map() } as unknown as Parameters<
    typeof tryRule
  >[2]
  const to = Date.now() + 60_000
  const limits = { shownMax: 100, now: Date.now, until: to }
  for (const name of ['eql', 'esql'])
    expect(await tryRule({ text: rules[name] ?? '', from: to - 86_400_000, to }, client, folder, limits)).toMatchObject(
      {
        events: 13,
        alerts: 13,
      },
    )
  expect(await tryRule({ text: rules['fresh'] ?? '', from: to - 3_600_000, to }, client, folder, limits)).toMatchObject(
    {
      events: 2,
      alerts: 1,
    },
  )
})
