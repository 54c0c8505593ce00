import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountOf, alertsIndex } from '@logstack/contracts'
import { SearchClient, sendBulk } from '@logstack/search-client'
import { startSearch, type TempDir, type TestSearch, tempDir, testCertificates } from '@logstack/testkit'
import { build } from 'esbuild'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// The real program against a real search, under the alerter's own least role, killed without warning again and again while events arrive.

const eventsAnAlert = 4
const hosts = Number(process.env['LOGSTACK_TEST_ALERTER_HOSTS'] ?? 12)
const hostsAtOnce = 4
const kills = Number(process.env['LOGSTACK_KILLS'] ?? 3)
const rule = `
type: frequency
index: logs-*
query_key: host.name
num_events: ${eventsAnAlert}
timeframe: {minutes: 5}
realert: {hours: 1}
filter:
- query_string: {query: "event.category:authentication AND event.outcome:failure"}
alert: [http_post, email]
email: admin@example.org
smtp_host: 127.0.0.1
`

let search: TestSearch
let client: SearchClient
let temporary: TempDir
let receiver: Server
let mailServer: SMTPServer
let alerter: ChildProcess
const posts: string[] = []
const mails: string[] = []

beforeAll(async () => {
  search = await startSearch()
  const { ca, url, username, password } = search
  client = new SearchClient({ url, ca, credentials: { username, password } })
  temporary = tempDir('logstack-alerter-crash')
  mkdirSync(join(temporary.path, 'rules'))
  writeFileSync(join(temporary.path, 'logstack_alerter'), 'password-of-the-alerter')
  const { name, ...rights } = accountOf('alerter').role
  await client.request({ method: 'PUT', path: `/_security/role/${name}`, body: rights })
  const account = { password: 'password-of-the-alerter', roles: [name] }
  await client.request({ method: 'PUT', path: '/_security/user/logstack_alerter', body: account })
  await client.request({
    method: 'PUT',
    path: '/_index_template/logs',
    body: {
      index_patterns: ['logs-*'],
      data_stream: {},
      template: {
        mappings: {
          properties: {
            host: { properties: { name: { type: 'keyword' } } },
            event: { properties: { category: { type: 'keyword' }, outcome: { type: 'keyword' } } },
          },
        },
      },
    },
  })
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      posts.push((JSON.parse(Buffer.concat(chunks).toString()) as { id: string }).id)
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  mailServer = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const id = /^Message-ID: <(.+)@logstack>/imu.exec(Buffer.concat(chunks).toString())?.[1]
        if (id !== undefined) mails.push(id)
        done()
      })
    },
  })
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve))
  const { port } = mailServer.server.address() as AddressInfo
  writeFileSync(join(temporary.path, 'rules/logins.yml'), `${rule}smtp_port: ${port}\n`)
  await build({
    entryPoints: [fileURLToPath(new URL('./main.ts', import.meta.url))],
    outfile: join(temporary.path, 'alerter.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
}, 240_000)

afterAll(async () => {
  alerter?.kill('SIGKILL')
  receiver?.close()
  await new Promise<void>((resolve) => (mailServer ? mailServer.close(resolve) : resolve()))
  client?.close()
  await search?.stop()
  temporary?.remove()
})

async function startAlerter(): Promise<void> {
  const { dir } = await testCertificates()
  alerter = spawn(process.execPath, [join(temporary.path, 'alerter.mjs')], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      LOGSTACK_DATA_DIR: temporary.path,
      LOGSTACK_CERTS_DIR: dir,
      LOGSTACK_SECRETS_DIR: temporary.path,
      LOGSTACK_SEARCH_URL: search.url,
      LOGSTACK_RULES_DIR: join(temporary.path, 'rules'),
      LOGSTACK_LOG_LEVEL: 'error',
      LOGSTACK_ALERTER_POLL_INTERVAL_MS: '50',
      LOGSTACK_ALERTER_PAGE_EVENTS_MAX: '7',
      LOGSTACK_ALERTER_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
    },
  })
}

async function killAlerter(): Promise<void> {
  const ended = new Promise((resolve) => alerter.once('exit', resolve))
  alerter.kill('SIGKILL')
  await ended
}

interface FoundAlert {
  readonly _id: string
  readonly _source: {
    readonly host: { readonly name: string }
    readonly logstack: { alert: { delivery: string; events: unknown[] } }
  }
}

async function alerts(): Promise<readonly FoundAlert[]> {
  const { body } = await client.request<{ hits: { hits: FoundAlert[] } }>({
    method: 'POST',
    path: `/${alertsIndex.name}/_search`,
    body: { size: 1000, query: { match_all: {} } },
    accept: [404],
  })
  return body.hits?.hits ?? []
}

// An id of its own for each event, so that what is sent again after search died is not stored twice.
async function store(round: number, host: number): Promise<void> {
  const document = {
    '@timestamp': new Date().toISOString(),
    host: { name: `host${host}` },
    event: { category: ['authentication'], outcome: 'failure' },
  }
  const other = { ...document, event: { category: ['authentication'], outcome: 'success' } }
  const index = `logs-auth-${host % 2 === 0 ? 'even' : 'odd'}`
  await vi.waitFor(
    async () => {
      const results = await sendBulk(client, [
        { action: 'create', index, id: `${round}-${host}-failure`, document },
        { action: 'create', index, id: `${round}-${host}-success`, document: other },
      ])
      for (const { status } of results) expect([201, 409]).toContain(status)
    },
    { timeout: 120_000, interval: 250 },
  )
}

test('with the alerter and search killed at any moment, every alert is raised once and reaches both receivers', async () => {
  await startAlerter()
  const batches = Array.from({ length: eventsAnAlert }, (_, round) =>
    Array.from({ length: Math.ceil(hosts / hostsAtOnce) }, (_none, at) => ({ round, first: at * hostsAtOnce })),
  ).flat()
  const killEvery = Math.max(1, Math.floor(batches.length / kills))
  let killed = 0
  for (const [at, { round, first }] of batches.entries()) {
    const batch = Array.from({ length: Math.min(hostsAtOnce, hosts - first) }, (_, next) => first + next)
    await Promise.all(batch.map((host) => store(round, host)))
    if (at % killEvery !== killEvery - 1 || killed >= kills) continue
    if (killed++ % 3 === 2) {
      await search.kill()
      await search.restart()
    } else {
      await killAlerter()
      await startAlerter()
    }
  }
  const known = async () => {
    const found = await alerts()
    expect(new Set(found.map(({ _source }) => _source.host.name)).size).toBe(hosts)
    expect(found.filter(({ _source }) => _source.logstack.alert.delivery === 'pending')).toEqual([])
    return found
  }
  const found = await vi.waitFor(known, { timeout: 150_000, interval: 250 })
  expect(found).toHaveLength(hosts)
  expect(found.every(({ _source }) => _source.logstack.alert.events.length === eventsAnAlert)).toBe(true)
  const ids = new Set(found.map(({ _id }) => _id))
  expect(new Set(posts)).toEqual(ids)
  expect(new Set(mails)).toEqual(ids)
  // A kill between a receiver's answer and the line in the journal repeats what was under way, under the same id: eight at most.
  for (const received of [posts, mails]) expect(received.length - ids.size).toBeLessThanOrEqual(8 * kills)
}, 400_000)
