import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createLogger } from '@logstack/logging'
import { freePort, type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Spool } from '../spool/spool.ts'
import { Output } from './output.ts'

/** The messages of each request that came, in their order. */
let requests: string[][]
/** What the output said of itself, and whether the server takes nothing. */
let reports: string[]
let isRefusing: boolean
/** An event that the server takes from nobody, and where such are kept aside. */
const unwanted = 'unwanted'
let aside: string
let server: Server
let temporary: TempDir
let spool: Spool
let running: Promise<void>
const stopping = new Map<string, AbortController>()

const arrived = (): string[] => requests.flat()
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}
const add = (...messages: string[]): Promise<boolean> =>
  spool.append(
    messages.map((message) => ({ data_stream: { type: 'logs', dataset: 'test' }, event: { message } })),
    new AbortController().signal,
  )

beforeEach(async () => {
  requests = []
  reports = []
  isRefusing = false
  aside = ''
  temporary = tempDir('logstack-output')
  spool = Spool.open(join(temporary.path, 'spool'), { bytesMax: 1_000_000, segmentBytesMax: 100_000 })
  const { cert, key, ca } = await testCertificates()
  const port = await freePort()
  server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (isRefusing) return response.writeHead(429).end()
    const [, ...lines] = gunzipSync(Buffer.concat(chunks)).toString('utf8').trim().split('\n')
    const records = lines.map((line) => JSON.parse(line) as { offset: number; event: { message: string } })
    if (records.some(({ event }) => event.message === unwanted)) return response.writeHead(400).end()
    requests.push(records.map(({ event }) => event.message))
    response.end(JSON.stringify({ acknowledged: (records.at(-1)?.offset ?? -1) + 1 }))
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  const stop = new AbortController()
  stopping.set('output', stop)
  running = new Output({
    spool,
    logger: createLogger('agent', 'silent'),
    server: { ca },
    hosts: [`https://127.0.0.1:${port}`],
    header: () => ({ agent: { id: 'a', name: 'a', version: '1.0.0' }, spool: spool.id, common: {}, timezone: 'UTC' }),
    batch: { recordsMax: 10, bytesMax: 1_000_000 },
    get rejectedFile() {
      return aside || join(temporary.path, 'rejected.ndjson')
    },
    report: (status, message, reason) => void reports.push(`${status} ${reason ?? ''}: ${message}`),
  }).run(stop.signal)
})

afterEach(async () => {
  stopping.get('output')?.abort()
  await running
  server.closeAllConnections()
  server.close()
  spool.close()
  temporary.remove()
})

it('sends what trickles in together, each event once and in order', async () => {
  const messages = Array.from({ length: 40 }, (_, index) => `line ${index}`)
  for (const message of messages) {
    await add(message)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await until(() => arrived().length >= messages.length)
  expect(arrived()).toEqual(messages)
  expect(requests.length).toBeLessThan(messages.length / 2)
})

it('sends the first event alone, and whole batches without waiting for more', async () => {
  await add('alone')
  await until(() => arrived().length > 0)
  const rest = Array.from({ length: 35 }, (_, index) => `line ${index}`)
  await add(...rest)
  await until(() => arrived().length > rest.length)
  expect(requests.map((one) => one.length)).toEqual([1, 10, 10, 10, 5])
  expect(arrived()).toEqual(['alone', ...rest])
})

it('says at once that inputs wait when what cannot be sent fills the spool, and that it sends again', async () => {
  isRefusing = true
  await add(...Array.from({ length: 3 }, () => 'long '.repeat(100_000)))
  await until(() => reports.length > 0)
  expect(reports[0]).toMatch(/^DEGRADED spool_full: 3 events wait, and inputs with them, as the spool is full: /)
  isRefusing = false
  await until(() => arrived().length === 3)
  await until(() => reports.at(-1) === 'HEALTHY : sending events')
})

it('keeps an event aside that the server never takes; on a full disk it waits with what follows, until there is room', async () => {
  aside = '/dev/full'
  await add('first', unwanted, 'last')
  await until(() => spool.pending === 2 && arrived().includes('first'))
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect([arrived(), spool.pending]).toEqual([['first'], 2])
  aside = ''
  await until(() => spool.pending === 0)
  expect(arrived()).toEqual(['first', 'last'])
  expect(readFileSync(join(temporary.path, 'rejected.ndjson'), 'utf8')).toMatch(/^\{[^\n]*"unwanted"[^\n]*\}\n$/)
})
