import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type OpenSearchCluster, startOpenSearch, whyNoOpenSearch } from './opensearch/cluster.ts'
import { eventually, failedLogin, type Stack, sendJson, startStack } from './stack.ts'

// The other four parts and the operator on a real OpenSearch cluster of two nodes, one of which dies.

const missing = await whyNoOpenSearch()
const folder = mkdtempSync(join(tmpdir(), 'logstack-opensearch-'))
const waitMs = 200_000
/** Of the agentless way in; an embedded stack moves 514. */
const syslogPort = 5514

let cluster: OpenSearchCluster
let stack: Stack

/** What the decoders make of a line's host: the text as it came is kept and not indexed. */
function eventsOf(host: string): unknown {
  return { multi_match: { query: host, fields: ['host.name', 'host.hostname', 'log.syslog.hostname'], lenient: true } }
}

/** How many documents of `index` a query finds. */
async function count(index: string, query: unknown): Promise<number> {
  const { body } = await cluster.request('POST', `/${index}/_search`, { query, size: 0, track_total_hits: true })
  return (body as { hits?: { total: { value: number } } }).hits?.total.value ?? 0
}

/** Sends a line of a host nobody has by syslog, and waits until it is in the cluster. */
async function arrives(host: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: syslogPort + stack.portOffset })
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.end(failedLogin(host, 4242))
  })
  await eventually(`the event of ${host}`, waitMs, async () =>
    (await count('logs-*', eventsOf(host))) === 1 ? true : undefined,
  )
}

/** Waits until the dashboard finds the event too: its search may ask the other copy, which shows what is new by its own clock. */
async function shows(host: string): Promise<void> {
  await eventually(
    `the event of ${host} in the dashboard`,
    waitMs,
    async () => (await dashboardFinds(host)) === 1 || undefined,
  )
}

/** Logs in at the dashboard as a browser does and searches through it. */
async function dashboardFinds(host: string): Promise<number> {
  const { username, password } = cluster.admin
  const answer = await fetchFromDashboard('POST', '/api/session', { body: { username, password } })
  expect(answer.status).toBe(200)
  const found = await fetchFromDashboard('POST', `/api/search?path=${encodeURIComponent('/logs-*/_search')}`, {
    body: { query: eventsOf(host), size: 0 },
    user: `${username}:${password}`,
  })
  expect(found.status).toBe(200)
  return (found.body as { hits: { total: { value: number } } }).hits.total.value
}

function fetchFromDashboard(method: string, path: string, options: { body?: unknown; user?: string }) {
  return sendJson(`${stack.dashboardUrl}${path}`, { method, ca: stack.ca, headers: { 'kbn-xsrf': 'test' }, ...options })
}

/** Waits until doctor finds nothing: what agents bring first may have to wait for a cluster that makes their indices. */
async function findsNothing(): Promise<void> {
  await eventually('doctor finds nothing', waitMs, async () => {
    const { stdout } = await stack.logstack('doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: readonly { status: string }[] }
    expect(checks.filter(({ status }) => status !== 'healthy' && status !== 'information')).toEqual([])
    return true
  })
}

describe.skipIf(missing !== undefined)(`a stack on OpenSearch in place of search (${missing ?? 'fetched'})`, () => {
  beforeAll(async () => {
    const passwordFile = join(folder, 'password')
    cluster = await startOpenSearch()
    writeFileSync(passwordFile, `${cluster.admin.password}\n`, { mode: 0o600 })
    const [first, second] = cluster.urls
    stack = await startStack({
      // The node that will die comes first.
      args: [
        ...['--search-url', `${second},${first}`, '--search-ca', cluster.caFile],
        ...['--admin-user', cluster.admin.username, '--search-password-file', passwordFile],
      ],
      commandLimitMs: 600_000,
    })
  }, 1_500_000)

  afterAll(async () => {
    await stack?.down()
    await cluster?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  test('starts no search of its own, and says so', async () => {
    const { stdout, code } = await stack.logstack('status')
    expect(code).toBe(0)
    expect(stdout).toContain(`logstack-search Up at ${cluster.urls[1]},${cluster.urls[0]} (healthy)`)
    expect(statSync(join(stack.dataDir, 'var/log/logstack/logstack-search.log')).size).toBe(0)
    const verified = await stack.logstack('verify')
    expect(verified.code, verified.stdout).toBe(0)
    expect(verified.stdout).toMatch(/opensearch 2\.19\.\d+$/m)
    await findsNothing()
  })

  test('gives each part a user whose role lets it do its own work and nothing else', async () => {
    const password = (await stack.logstack('password', 'show', 'logstack_dashboard')).stdout.trim()
    const ask = (path: string, body?: unknown) =>
      sendJson(`${cluster.urls[0]}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        ca: cluster.ca,
        user: `logstack_dashboard:${password}`,
        body,
      })
    expect((await ask('/.logstack-saved-objects*/_search')).status).toBe(200)
    expect((await ask('/.logstack-agents*/_search')).status).toBe(403)
    expect((await ask('/logs-x-default/_doc', { message: 'no' })).status).toBe(403)
  })

  test('stores events, and shows them in the dashboard', async () => {
    await arrives('before-the-death')
    await shows('before-the-death')
    expect((await stack.logstack('agent', 'list')).stdout).toMatch(/ online /)
  })

  test('goes on when a node dies', async () => {
    // What has no second copy yet dies with its node.
    await eventually('a second copy of every index', waitMs, async () => {
      const { body } = await cluster.request('GET', '/_cluster/health')
      return (body as { status?: string }).status === 'green' || undefined
    })
    await cluster.killSecond()
    await arrives('after-the-death')
    await shows('before-the-death')
    await shows('after-the-death')
    const { stdout, code } = await stack.logstack('verify')
    expect(code, stdout).toBe(0)
  })
})
