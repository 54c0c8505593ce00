// Measures what goes through many documents: `node tools/run-ts.mjs bench/jobs.ts [documents] [job…]`. A search in this process, asked over TLS by a client in it; the index
// is loaded first, and each job has a part of it of its own: a twentieth, and at most 100,000 documents. Prints Markdown; microseconds of a processor for each document are what compares.
import { mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { testCertificates } from '@logstack/testkit'
import { routes } from '../apps/search/src/api/index.ts'
import { parseBulk } from '../apps/search/src/documents/bulk-parser.ts'
import { bootstrapAdministrator, createSecurity } from '../apps/search/src/security/create-security.ts'
import { createSearchServer } from '../apps/search/src/server.ts'
import { openServices } from '../apps/search/src/testing/search-services.ts'
import { mapping, writeCorpus } from './documents.mjs'

const count = Number(process.argv[2] ?? 100_000)
/** Which jobs; all when none is named. */
const named = new Set(process.argv.slice(3))
const index = 'bench-big5'
const password = 'the-password'
const share = Math.min(100_000, Math.floor(count / 20))
const settleMs = Math.min(45_000, count / 40)
const pauseMs = 3_000

const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const open = await openServices(join(directory, 'data'), { reserveBytes: 0 })
const { catalogue, documents, store } = open
await bootstrapAdministrator(store, 'elastic', password)
const security = createSecurity({ store, now: Date.now })
const certificates = await testCertificates()
const services = { ...open, security, engineMemoryBytesMax: 8 * 1024 ** 3 }
const server = createSearchServer({ tls: certificates, services, routes })
const port = await server.listen('127.0.0.1', 0)
const agent = new Agent({ ca: certificates.ca, keepAlive: true })
const authorization = `Basic ${btoa(`elastic:${password}`)}`

async function load(): Promise<void> {
  await catalogue.createIndex({ name: index, mappings: mapping })
  const file = join(directory, 'corpus.ndjson')
  const { bodies } = writeCorpus(file, count, 1)
  const descriptor = openSync(file, 'r')
  for (const { length, offset } of bodies) {
    const body = Buffer.allocUnsafe(length)
    readSync(descriptor, body, 0, length, offset)
    const operations = parseBulk(body, { index, compileScript })
    for (const result of await documents.apply(operations)) if ('error' in result) throw result.error
  }
  rmSync(file)
  // So that merges of the loading are not what is measured.
  await sleep(settleMs)
}

function compileScript(): never {
  throw new Error('BUG: the corpus has no scripts')
}

/** Sends a request; answers the text of a body that says 200. */
function send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<string> {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {})
  const headers = { authorization, 'content-type': type, 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject)
      incoming.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        if (incoming.statusCode === 200) resolve(answer)
        else reject(new Error(`${method} ${path}: ${incoming.statusCode} ${answer.slice(0, 300)}`))
      })
    })
    outgoing.on('error', reject).end(text)
  })
}

const fromMs = Date.UTC(2023, 0, 1)
const partMs = (13 * 86_400_000) / 20
/** A twentieth of the documents; each is rewritten or deleted by one job at most. */
const part = (at: number): object => ({
  range: { '@timestamp': { gte: fromMs + at * partMs, lt: fromMs + (at + 1) * partMs } },
})

/** What the answer of a by-query job says it went through. */
async function byQuery(path: string, body: object): Promise<number> {
  const { total, failures } = JSON.parse(await send('POST', path, { max_docs: share, ...body })) as {
    total: number
    failures: unknown[]
  }
  if (failures.length > 0) throw new Error(JSON.stringify(failures).slice(0, 300))
  return total
}

async function scroll(size: number, sort: unknown): Promise<number> {
  let answer = await send('POST', `/${index}/_search?scroll=1m`, { size, sort })
  let read = size
  const idOf = (text: string): string => /"_scroll_id":"([^"]+)"/.exec(text)?.[1] ?? ''
  for (; read < share; read += size)
    answer = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: idOf(answer) })
  await send('DELETE', '/_search/scroll', { scroll_id: idOf(answer) })
  return read
}

/** Sends documents under ids of their own, a thousand a request. */
async function bulk(idOf: (at: number) => string): Promise<number> {
  for (let from = 0; from < share; from += 1_000) {
    const lines = Array.from({ length: 1_000 }, (_, at) => {
      const time = new Date(fromMs + 19.5 * partMs + from + at).toISOString()
      return `{"index":{"_id":"${idOf(from + at)}"}}\n{"@timestamp":"${time}","message":"solarbird monkey ${from + at}"}\n`
    })
    const answer = await send('POST', `/${index}/_bulk`, lines.join(''), 'application/x-ndjson')
    if (answer.includes('"errors":true')) throw new Error(answer.slice(0, 300))
  }
  return share
}

/** Ids that say nothing of the time, as hashes of what an event says. */
const scattered = (at: number): string => Buffer.from(`${(at * 2_654_435_761) % 2 ** 32}`).toString('base64url')

const jobs: Readonly<Record<string, () => Promise<number>>> = {
  'delete-by-query': () => byQuery(`/${index}/_delete_by_query`, { query: part(1) }),
  'update-by-query': () => byQuery(`/${index}/_update_by_query`, { query: part(2) }),
  'update-by-query-script': () =>
    byQuery(`/${index}/_update_by_query`, { query: part(3), script: { source: 'ctx._source.seen = true' } }),
  reindex: () => byQuery('/_reindex', { source: { index, query: part(4) }, dest: { index: 'copy-big5' } }),
  'scroll-1000': () => scroll(1_000, ['_doc']),
  'scroll-10000': () => scroll(10_000, ['_doc']),
  'scroll-1000-by-time': () => scroll(1_000, [{ '@timestamp': 'desc' }]),
  'bulk-new-ids': () => bulk(scattered),
  'bulk-known-ids': () => bulk(scattered),
}

try {
  await load()
  console.log(`${count} documents, load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log('| job | documents | documents/s | processor, µs a document | load |\n|---|---|---|---|---|')
  for (const [name, job] of Object.entries(jobs)) {
    if (named.size > 0 && !named.has(name)) continue
    const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
    const went = await job()
    // What was written is inserted and replaced rows are deleted a little later: that is the job's, too.
    const seconds = (performance.now() - from) / 1000
    await sleep(pauseMs)
    const { user, system } = process.cpuUsage(cpuFrom)
    const cells = [went, Math.round(went / seconds), ((user + system) / went).toFixed(0), loadavg()[0]?.toFixed(1)]
    console.log(`| ${[name, ...cells].join(' | ')} |`)
  }
} finally {
  agent.destroy()
  await server.close()
  await open.close()
  rmSync(directory, { recursive: true, force: true })
}
