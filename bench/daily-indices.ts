// Measures what administrators ask and do over days of logs: `node tools/run-ts.mjs bench/daily-indices.ts [documents] [days] [FOLDER]`. A search in a process of its own takes
// the corpus in over TLS, an index a day, and is asked what dashboards and people ask, each twice and without a result cache; then days go, a day is saved, documents are rewritten and search is
// started again. With FOLDER the data stay there, and are not loaded again when they are; `BENCH_ONLY` is a pattern of what is asked
// and done by its name, `BENCH_DEEDS=no` leaves out what is done. Prints Markdown; milliseconds of search's processor are what compares on a machine that does other things.
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSearch } from '@logstack/testkit'
import { mapping, writeCorpus } from './documents.mjs'
import { processorMs, residentMb } from './process-times.ts'
import { rawClient } from './raw-client.ts'
import { questions } from './typical-questions.ts'

const documents = Number(process.argv[2] ?? 2_000_000)
const days = Number(process.argv[3] ?? 10)
const folder = process.argv[4]
/** Only questions and deeds whose name matches. */
const only = new RegExp(process.env['BENCH_ONLY'] ?? '')
const dayMs = 86_400_000
const corpusMax = 250_000
const clients = 2
/** How long parts are merged after the loading; a deed's work that goes on after its answer is waited for as long as there is any. */
const settleMs = 60_000
const quietShare = 0.1

const nameOf = (day: number): string =>
  `bench-big5-${new Date(Date.UTC(2023, 0, 1) + day * dayMs).toISOString().slice(0, 10).replaceAll('-', '.')}`

const work = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const dataDir = folder ?? join(work, 'data')
mkdirSync(dataDir, { recursive: true })
const isLoaded = existsSync(join(dataDir, 'catalogue'))
const search = await startSearch({ dataDir })
const send = rawClient({ url: search.url, ca: search.ca, login: `${search.username}:${search.password}` })

async function expectOk(method: string, path: string, body?: object): Promise<string> {
  const { status, text } = await send(method, path, body && JSON.stringify(body))
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  return text
}

/** Bodies of one corpus, `clients` at a time. */
async function sendBodies(
  day: number,
  file: string,
  bodies: readonly { length: number; offset: number }[],
): Promise<void> {
  const descriptor = openSync(file, 'r')
  const left = bodies.values()
  const client = async (): Promise<void> => {
    for (const { length, offset } of left) {
      const body = Buffer.allocUnsafe(length)
      readSync(descriptor, body, 0, length, offset)
      const path = `/${nameOf(day)}/_bulk?filter_path=errors,items.*.error`
      const { text } = await send('POST', path, body, 'application/x-ndjson')
      if (text !== '{"errors":false}') throw new Error(text.slice(0, 300))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  closeSync(descriptor)
}

async function load(): Promise<void> {
  await expectOk('PUT', '/_index_template/bench', { index_patterns: ['bench-*'], template: { mappings: mapping } })
  const file = join(work, 'corpus')
  const aDay = Math.ceil(documents / days)
  let [bytes, ms] = [0, 0]
  for (let day = 0; day < days; day += 1) {
    for (let from = 0; from < aDay; from += corpusMax) {
      const count = Math.min(corpusMax, aDay - from)
      const startMs = Date.UTC(2023, 0, 1) + (day + from / aDay) * dayMs
      const corpus = writeCorpus(file, count, 1 + day * 1000 + from / corpusMax, {
        startMs,
        spanMs: (count / aDay) * dayMs,
      })
      // Making it takes so long on a busy machine that search has closed its connections, which is seen only between two works.
      await sleep(1)
      const sentMs = performance.now()
      await sendBodies(day, file, corpus.bodies)
      ms += performance.now() - sentMs
      bytes += corpus.documentBytes
    }
  }
  rmSync(file)
  const cpu = (processorMs(search.pid()) / documents) * 1000
  console.log(
    `Taken in at ${(bytes / ms / 1000).toFixed(1)} MB/s, ${cpu.toFixed(0)} µs of search's processor a document.\n`,
  )
  await sleep(settleMs)
}

/** Waits until search is at rest, as it is when each of three seconds on end costs it less than a tenth of one. */
async function settled(): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const from = processorMs(search.pid())
    await sleep(1_000)
    quiet = processorMs(search.pid()) - from < quietShare * 1_000 ? quiet + 1 : 0
  }
}

/** Milliseconds by the clock and of search's processor, and by how many MB it grew while `ask` lasted. */
async function measured<T>(ask: () => Promise<T>): Promise<{ answer: T; ms: number; cpu: number; grown: number }> {
  const [from, pid, cpuFrom, before] = [
    performance.now(),
    search.pid(),
    processorMs(search.pid()),
    residentMb(search.pid()),
  ]
  let peak = before
  const looking = setInterval(() => {
    if (search.pid() === pid) peak = Math.max(peak, residentMb(search.pid()))
  }, 50)
  try {
    const answer = await ask()
    // A new process has begun to count.
    const cpu = processorMs(search.pid()) - (search.pid() === pid ? cpuFrom : 0)
    return { answer, ms: performance.now() - from, cpu, grown: peak - before }
  } finally {
    clearInterval(looking)
  }
}

async function askAll(): Promise<void> {
  console.log('| question | first, ms | of a processor | second, ms | of a processor | MB grown | hits |')
  console.log('|---|---|---|---|---|---|---|')
  for (const [name, body, index = 'bench-big5-*'] of questions) {
    if (!only.test(name)) continue
    const ask = () => send('POST', `/${index}/_search?request_cache=false`, JSON.stringify(body))
    const [first, second] = [await measured(ask), await measured(ask)]
    const { status, text } = second.answer
    const total = status === 200 ? (/"value":(\d+)/.exec(text)?.[1] ?? '–') : `${status} ${text.slice(0, 80)}`
    const cells = [first.ms, first.cpu, second.ms, second.cpu, Math.max(first.grown, second.grown)]
    console.log(`| ${[name, ...cells.map((each) => each.toFixed(0)), total].join(' | ')} |`)
  }
}

const half = (day: number) => {
  const from = Date.UTC(2023, 0, 1) + day * dayMs
  return { range: { '@timestamp': { gte: from + 0.25 * dayMs, lt: from + 0.3 * dayMs } } }
}
const word = { multi_match: { query: 'monkey', lenient: true } }

/** What administrators and policies do, in this order. */
const deeds: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['start in order', () => search.restart()],
  ['first word in all fields after it', () => expectOk('POST', '/bench-big5-*/_search', { query: word })],
  ['a repository of snapshots', () => expectOk('PUT', '/_snapshot/b', { type: 'fs', settings: { location: 'b' } })],
  ['snapshot of all', () => expectOk('PUT', '/_snapshot/b/one?wait_for_completion=true', { indices: 'bench-*' })],
  ['snapshot again', () => expectOk('PUT', '/_snapshot/b/two?wait_for_completion=true', { indices: 'bench-*' })],
  ['delete the oldest index', () => expectOk('DELETE', `/${nameOf(0)}`)],
  ['delete the next', () => expectOk('DELETE', `/${nameOf(1)}`)],
  [
    'restore the oldest',
    () => expectOk('POST', '/_snapshot/b/one/_restore?wait_for_completion=true', { indices: nameOf(0) }),
  ],
  [
    'delete by query, a twentieth of a day',
    () => expectOk('POST', `/${nameOf(3)}/_delete_by_query`, { query: half(3) }),
  ],
  [
    'update by query, a twentieth of a day',
    () => expectOk('POST', `/${nameOf(4)}/_update_by_query`, { query: half(4) }),
  ],
  ['snapshot after it', () => expectOk('PUT', '/_snapshot/b/three?wait_for_completion=true', { indices: 'bench-*' })],
  ['delete all snapshots', () => expectOk('DELETE', '/_snapshot/b/one,two,three')],
]

async function doAll(): Promise<void> {
  console.log('\n| deed | ms | of a processor | … and what it leaves to do | MB grown |\n|---|---|---|---|---|')
  for (const [name, deed] of deeds) {
    if (!only.test(name)) continue
    const { ms, cpu, grown } = await measured(deed)
    const from = processorMs(search.pid())
    await settled()
    console.log(
      `| ${[name, ...[ms, cpu, processorMs(search.pid()) - from, grown].map((each) => each.toFixed(0))].join(' | ')} |`,
    )
  }
}

try {
  if (!isLoaded) await load()
  await settled()
  console.log(
    `${documents} documents in ${days} daily indices; load ${loadavg()[0]?.toFixed(1)}; ${residentMb(search.pid()).toFixed(0)} MB resident\n`,
  )
  await askAll()
  if (process.env['BENCH_DEEDS'] !== 'no') await doAll()
  console.log(`\n${residentMb(search.pid()).toFixed(0)} MB resident, load ${loadavg()[0]?.toFixed(1)}`)
} finally {
  await search.stop()
  rmSync(work, { recursive: true, force: true })
}
