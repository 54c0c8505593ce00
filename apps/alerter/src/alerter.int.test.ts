import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { AlertDocument } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { LiveSettings } from '@logstack/settings'
import { type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakeSearch } from './fake-search.ts'
import { alerterSettings } from './settings.ts'
import { startAlerter } from './start-alerter.ts'

const rule = `
name: Repeated failed logins
type: frequency
index: logs-*
query_key: host.name
num_events: 3
timeframe: {minutes: 5}
filter:
- term: {event.outcome: failure}
alert: http_post
`

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

// Generous: other work may hold the machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

let temporary: TempDir
let search: FakeSearch
let receiver: Server
let received: Received[]
let receiverStatus: number
let alerter: RunningPart | undefined
let log: string[]

beforeEach(async () => {
  temporary = tempDir('logstack-alerter')
  mkdirSync(join(temporary.path, 'rules'))
  writeFileSync(join(temporary.path, 'rules', 'logins.yml'), rule)
  writeFileSync(join(temporary.path, 'logstack_alerter'), 'secret\n')
  search = new FakeSearch()
  await search.start()
  received = []
  receiverStatus = 200
  log = []
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
      response.writeHead(receiverStatus).end('thank you')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
})

afterEach(async () => {
  await alerter?.stop()
  alerter = undefined
  await search.stop()
  await new Promise((resolve) => receiver.close(resolve))
  temporary.remove()
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
  const settings = new LiveSettings(alerterSettings, {
    env: {
      LOGSTACK_ALERTER_WEBHOOK_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
      LOGSTACK_ALERTER_POLL_INTERVAL_MS: '20',
      LOGSTACK_ALERTER_RULES_RESCAN_MS: '20',
      LOGSTACK_ALERTER_DELIVERY_BACKOFF_MS: '50',
    },
  })
  const logger = createLogger('alerter', 'info', { write: (line) => log.push(line) })
  alerter = await startAlerter({ environment, settings, logger })
}

function failedLogins(count: number, host = 'web1'): void {
  for (let at = 0; at < count; at++) {
    search.put('logs-auth', `${host}-${search.documents('logs-auth').length}`, {
      '@timestamp': new Date().toISOString(),
      event: { outcome: 'failure' },
      host: { name: host },
    })
  }
}

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 90_000, interval: 20 })
const alerts = () => search.documents('.logstack-alerts')
const states = () => alerts().map(([, document]) => (document as unknown as AlertDocument).logstack.alert.delivery)

test('failed logins become one alert, posted once with its id', async () => {
  await start()
  failedLogins(2)
  failedLogins(2, 'web2')
  failedLogins(1)
  await until(() => expect(alerts()[0]?.[1]).toMatchObject({ logstack: { alert: { delivery: 'done' } } }))
  expect(received).toHaveLength(1)
  expect(received[0]?.headers['idempotency-key']).toBe(alerts()[0]?.[0])
  expect(received[0]?.body).toMatchObject({
    id: alerts()[0]?.[0],
    text: expect.stringMatching(/^Repeated failed logins: At least 3 events .* for host.name web1$/),
    rule: { id: 'logins' },
    logstack: { alert: { key: 'web1', count: 3 } },
  })
  expect(alerts()[0]?.[1]).toMatchObject({
    logstack: { alert: { notifications: [{ channel: 'http_post', state: 'sent', attempts: 1 }] } },
  })
})

test('a restart sends exactly what was not sent', async () => {
  receiverStatus = 503
  await start()
  failedLogins(3)
  await until(() => expect(received.length).toBeGreaterThan(1))
  await alerter?.stop()
  failedLogins(3, 'web2')
  received.length = 0
  receiverStatus = 200
  await start()
  await until(() => expect(received).toHaveLength(2))
  // The first may have to wait longer: the more attempts failed before, the longer the pause to the next.
  const hosts = received.map(({ body }) => (body['host'] as { name: string }).name)
  expect(hosts.sort()).toEqual(['web1', 'web2'])
  // What was received is sent when the answer is noted; a stop between the two would rightly send it again.
  await until(() => expect(states()).toEqual(['done', 'done']))
  await alerter?.stop()
  await start()
  failedLogins(3, 'web3')
  await until(() => expect(received).toHaveLength(3))
  expect(alerts()).toHaveLength(3)
})

test('search going away and coming back loses nothing and doubles nothing', async () => {
  await start()
  failedLogins(2)
  await until(() => expect(JSON.stringify(search.documents('.logstack-alerter-state'))).toContain('web1-1'))
  await search.stop()
  await until(() => expect(log.join('')).toContain('cannot reach search'))
  await search.start()
  failedLogins(1)
  await until(() => expect(received).toHaveLength(1))
  expect(alerts()).toHaveLength(1)
})

test('a broken rule file is named with its place while other rules run, and a mended one is taken up', async () => {
  const broken = join(temporary.path, 'rules', 'broken.yml')
  writeFileSync(broken, 'type: any\nindex: logs-*\nalert: debug\nnum_evnts: 1\n')
  await start()
  expect(log.join('')).toContain(`${broken}:4:1: unknown key [num_evnts]`)
  failedLogins(3)
  await until(() => expect(received).toHaveLength(1))
  writeFileSync(broken, 'type: any\nindex: logs-*\nalert: debug\nrealert: {minutes: 0}\n')
  await until(() => expect(alerts()).toHaveLength(4))
  await until(() => expect(log.join('')).toContain('broken: An event matched at'))
})

test('it waits for a search that starts later', async () => {
  const { url } = search
  await search.stop()
  const starting = start()
  await until(() => expect(log.join('')).toContain('waiting for search'))
  await search.start()
  await starting
  expect(search.url).toBe(url)
  expect([...search.indices.keys()]).toEqual([
    '.logstack-alerts',
    '.logstack-alerter-state',
    '.logstack-alerts-silences',
    '.logstack-alerts-rules',
    '.logstack-alerts-rule-files',
    '.logstack-alerts-trials',
  ])
})
