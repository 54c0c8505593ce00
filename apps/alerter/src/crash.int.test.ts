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
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// The real program against a real search, under the alerter's own least role, killed without warning again and again while events arrive.

const eventsAnAlert = 4
const hosts = Number(process.env['LOGSTACK_TEST_ALERTER_HOSTS'] ?? 40)
const kills = 6
const rule = `
type: frequency
index: logs-*
query_key: host.name
num_events: ${eventsAnAlert}
timeframe: {minutes: 5}
realert: {hours: 1}
filter:
- query_string: {query: "event.category:authentication AND event.outcome:failure"}
alert: http_post
`

let search: TestSearch
let client: SearchClient
let temporary: TempDir
let receiver: Server
let alerter: ChildProcess
const deliveries: { readonly id: string; readonly host: string }[] = []

beforeAll(async () => {
  search = await startSearch()
  const { ca, url, username, password } = search
  client = new SearchClient({ url, ca, credentials: { username, password } })
  temporary = tempDir('logstack-alerter-crash')
  mkdirSync(join(temporary.path, 'rules'))
  writeFileSync(join(temporary.path, 'rules/logins.yml'), rule)
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
      const { id, host } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; host: { name: string } }
      deliveries.push({ id, host: host.name })
      response.end()
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  await build({
    entryPoints: [fileURLToPath(new URL('./main.ts', import.meta.url))],
    outfile: join(temporary.path, 'alerter.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  })
})

afterAll(async () => {
  alerter?.kill('SIGKILL')
  receiver?.close()
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

test('killed at any moment, it raises every alert once and notifies of each', async () => {
  await startAlerter()
  for (let round = 0; round < eventsAnAlert; round++) {
    for (let host = 0; host < hosts; host++) {
      const document = {
        '@timestamp': new Date().toISOString(),
        host: { name: `host${host}` },
        event: { category: ['authentication'], outcome: 'failure' },
      }
      const other = { ...document, event: { category: ['authentication'], outcome: 'success' } }
      const index = `logs-auth-${host % 2 === 0 ? 'even' : 'odd'}`
      const results = await sendBulk(client, [
        { action: 'create', index, document },
        { action: 'create', index, document: other },
      ])
      expect(results.map(({ status }) => status)).toEqual([201, 201])
      if ((round * hosts + host) % Math.ceil((eventsAnAlert * hosts) / kills) === 0) {
        await killAlerter()
        await startAlerter()
      }
    }
  }
  await vi.waitFor(
    async () => {
      const found = await alerts()
      expect(new Set(found.map(({ _source }) => _source.host.name)).size).toBe(hosts)
      expect(found.filter(({ _source }) => _source.logstack.alert.delivery === 'pending')).toEqual([])
    },
    { timeout: 120_000, interval: 200 },
  )
  const found = await alerts()
  expect(found).toHaveLength(hosts)
  expect(found.every(({ _source }) => _source.logstack.alert.events.length === eventsAnAlert)).toBe(true)
  expect(new Set(deliveries.map(({ id }) => id))).toEqual(new Set(found.map(({ _id }) => _id)))
})
