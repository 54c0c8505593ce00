// Measures taking in: `node tools/run-ts.mjs bench/ingest.ts [documents] [rounds] [synthetic]`, or of real events `… EVENTS.json [rounds] [synthetic]`, one a line. A search of its own in this process, bulks over TLS from a client
// process that asks for as much of the answers as shippers do, and beside each round the engine's own INSERT of the segments of the first into an equal table. In the first round
// those are copied, and the runtime compiles what it runs. Prints Markdown. Of a busy machine compare processor seconds; only those of one run.
import { execFile, spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { testCertificates } from '@logstack/testkit'
import { routes } from '../apps/search/src/api/index.ts'
import type { Engine, Segment } from '../apps/search/src/engine/engine.ts'
import { freeReplacedParts } from '../apps/search/src/lifecycle/free-replaced-parts.ts'
import { bootstrapAdministrator, createSecurity } from '../apps/search/src/security/create-security.ts'
import { createSearchServer } from '../apps/search/src/server.ts'
import { ident, sql, str } from '../apps/search/src/sql/sql.ts'
import { openServices } from '../apps/search/src/testing/search-services.ts'
import { copyCorpus, mapping, writeCorpus } from './documents.mjs'
import { timesOf } from './process-times.ts'

const wanted = process.argv[2] ?? '100000'
const rounds = Number(process.argv[3] ?? 3)
const settleLooksMax = 60
const settleMs = 2_000
/** Until files of segments that wait to be written over are removed. */
const spareMs = 11_000

/** Sends all bodies over two connections; its processor time comes back with what it measured. */
const clientProgram = `
import { openSync, readSync } from 'node:fs'
import { Agent, request } from 'node:https'
const { port, ca, file, bodies } = JSON.parse(process.argv[1])
const agent = new Agent({ ca, keepAlive: true, maxSockets: 2 })
const descriptor = openSync(file, 'r')
const headers = { authorization: 'Basic ' + btoa('elastic:the-password'), 'content-type': 'application/x-ndjson' }
const send = (body) => new Promise((resolve, reject) => {
  const outgoing = request({ agent, host: '127.0.0.1', port, method: 'POST', path: '/bench-big5/_bulk?filter_path=errors,items.*.error,items.*.status', headers: { ...headers, 'content-length': body.length } }, (incoming) => {
    const chunks = []
    incoming.on('data', (chunk) => chunks.push(chunk)).on('error', reject)
    incoming.on('end', () => resolve(JSON.parse(Buffer.concat(chunks))))
  })
  outgoing.on('error', reject).end(body)
})
const from = performance.now()
await Promise.all([0, 1].map(async () => {
  for (let next = bodies.shift(); next; next = bodies.shift()) {
    const body = Buffer.allocUnsafe(next.length)
    readSync(descriptor, body, 0, next.length, next.offset)
    const answer = await send(body)
    if (answer.errors !== false) throw new Error(JSON.stringify(answer).slice(0, 500))
  }
}))
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ wall: (performance.now() - from) / 1000, cpu: (user + system) / 1e6 }))
agent.destroy()
`

const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const dataDirectory = join(directory, 'data')
const kept: Segment[] = []
let isFirstRound = true
/** The engine, which keeps a copy of each file of a segment of the first round. */
const keeping = (plain: Engine): Engine => ({
  ...plain,
  insertSegment(segment) {
    if (isFirstRound) {
      for (const file of segment.files) copyFileSync(join(segment.directory, file), join(directory, file))
      kept.push({ ...segment, directory })
    }
    return plain.insertSegment(segment)
  },
})
let insertPlainly: Engine['insertSegment'] | undefined
const open = await openServices(dataDirectory, {
  reserveBytes: 0,
  around(plain) {
    insertPlainly = (segment) => plain.insertSegment(segment)
    return keeping(plain)
  },
})
const { engine, store, catalogue, documents } = open
await bootstrapAdministrator(store, 'elastic', 'the-password')
const security = createSecurity({ store, now: Date.now })
const services = { ...open, security, engineMemoryBytesMax: 8 * 1024 ** 3 }
const certificates = await testCertificates()
const server = createSearchServer({ tls: certificates, services, routes })
const port = await server.listen('127.0.0.1', 0)

interface Spent {
  readonly wall: number
  /** Of the whole process, and of its main thread. */
  readonly cpu: number
  readonly main: number
}

/** Seconds of a processor that the main thread took so far. */
function mainThread(): number {
  return (timesOf(`/proc/self/task/${process.pid}`)?.ms ?? 0) / 1000
}

async function spent(work: () => Promise<unknown>): Promise<Spent> {
  const [from, cpuFrom, mainFrom] = [performance.now(), process.cpuUsage(), mainThread()]
  await work()
  const { user, system } = process.cpuUsage(cpuFrom)
  return { wall: (performance.now() - from) / 1000, cpu: (user + system) / 1e6, main: mainThread() - mainFrom }
}

const corpusFile = join(directory, 'corpus')
const made = Number(wanted)
const isMade = Number.isSafeInteger(made)
const {
  bodies,
  documentBytes,
  count: docs,
} = isMade ? writeCorpus(corpusFile, made, 1) : copyCorpus(corpusFile, wanted)
const source = process.argv[4] === 'synthetic' ? { _source: { mode: 'synthetic' } } : {}
await catalogue.createIndex({ name: 'bench-big5', mappings: { ...source, ...(isMade ? mapping : {}) } })

function show(what: string, { wall, cpu, main }: Spent, client = 0): void {
  const rate = `${Math.round(docs / wall).toLocaleString('en')} | ${(documentBytes / wall / 1e6).toFixed(1)}`
  const seconds = [cpu, main, client].map((value) => value.toFixed(2)).join(' | ')
  console.log(`| ${what} | ${rate} | ${seconds} | ${loadavg()[0]?.toFixed(1)} |`)
}

/** For each round, the rows that were merged for each inserted one until the last answer. */
const amplified: number[] = []

async function alone(): Promise<void> {
  const table = kept[0]?.table ?? ''
  await engine.execute(sql`CREATE TABLE alone AS ${ident(table)}`)
  let at = 0
  const next = async (): Promise<void> => {
    for (let segment = kept[at++]; segment; segment = kept[at++]) await insertPlainly?.({ ...segment, table: 'alone' })
  }
  show("the engine's own INSERT of these segments", await spent(() => Promise.all([next(), next()])))
  await engine.execute(sql`DROP TABLE alone SYNC`)
}

/** Rows that merges wrote for each that was inserted, since the start: figures that a busy machine does not change. */
async function written(): Promise<readonly [inserted: number, merged: number]> {
  const [[inserted, merged] = []] = await engine.rows(
    sql`SELECT sumIf(value, event = 'MergeTreeDataWriterRows'), sumIf(value, event = 'MergedRows') FROM system.events`,
  )
  return [Number(inserted), Number(merged)]
}

async function round(): Promise<void> {
  const argument = JSON.stringify({ port, ca: certificates.ca, file: corpusFile, bodies })
  let client = 0
  const before = await written()
  const taken = await spent(async () => {
    const program = ['--input-type=module', '-e', clientProgram, argument]
    const { stdout } = await promisify(execFile)(process.execPath, program, { maxBuffer: 1024 ** 2 })
    client = (JSON.parse(stdout) as { cpu: number }).cpu
  })
  show('_bulk over TLS, 2 connections, 5,000 a request', taken, client)
  const after = await written()
  amplified.push((after[1] - before[1]) / (after[0] - before[0]))
  if (isFirstRound) {
    const index = catalogue.index('bench-big5')
    if (index !== undefined) await documents.shown([index.table])
    isFirstRound = false
  }
  await alone()
}

/** Waits until what was taken in is inserted, merges are done, and the parts they replaced are gone, which search's scheduler looks after. */
async function settle(table: string): Promise<void> {
  const index = catalogue.index('bench-big5')
  if (index !== undefined) await documents.shown([index.table])
  await sleep(spareMs)
  for (let look = 0; look < settleLooksMax; look += 1) {
    const [[waiting] = []] = await engine.rows(
      sql`SELECT (SELECT count() FROM system.merges) + (SELECT count() FROM system.parts WHERE NOT active AND table = ${str(table)})`,
    )
    if (Number(waiting) === 0) return
    await freeReplacedParts({ engine })
    await sleep(settleMs)
  }
}

async function sizes(table: string): Promise<void> {
  await settle(table)
  const taken = documentBytes * rounds
  const perByte = (bytes: number): string => (bytes / taken).toFixed(4)
  // Parts that go meanwhile make it complain, and it still adds the rest up.
  const { stdout } = spawnSync('du', ['-s', '--block-size=1', dataDirectory], { encoding: 'utf8' })
  console.log(`\nOn disk, bytes for each byte in: ${perByte(Number(stdout.split('\t')[0]))} as it settles`)
  await engine.execute(sql`OPTIMIZE TABLE ${ident(table)} FINAL`)
  const [[merged] = []] = await engine.rows(
    sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = ${str(table)}`,
  )
  const largest = await engine.rows(
    sql`SELECT * FROM (SELECT name, data_compressed_bytes FROM system.columns WHERE table = ${str(table)} AND database = currentDatabase()
      UNION ALL SELECT name, data_compressed_bytes FROM system.data_skipping_indices WHERE table = ${str(table)}) ORDER BY 2 DESC LIMIT 8`,
  )
  console.log(
    `Merged ${perByte(Number(merged))}, the largest: ${largest.map(([name, bytes]) => `${name} ${perByte(Number(bytes))}`).join(', ')}`,
  )
}

console.log(`${docs} documents, ${documentBytes} bytes a round\n`)
console.log(
  '| what | documents/s | MB/s | processor s | of that main thread | client | load |\n|---|---|---|---|---|---|---|',
)
for (let at = 0; at < rounds; at += 1) await round()
console.log(
  `\nRows merged for each inserted, until the last answer: ${amplified.map((times) => times.toFixed(2)).join(', ')}`,
)
if (kept[0] !== undefined) await sizes(kept[0].table)
await server.close()
await open.close()
rmSync(directory, { recursive: true, force: true })
