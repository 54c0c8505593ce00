// Measures searches without HTTP: `node tools/run-ts.mjs bench/read-path.ts [documents] [search…]`. A search in this process, no result cache; each round runs a
// search and then its statements by themselves. Prints Markdown; milliseconds of a processor are what compares on a machine that does other things. ADR 0007 quotes it.
import { mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSearch } from '../apps/search/src/api/search/run-search.ts'
import { parseBulk } from '../apps/search/src/documents/bulk-parser.ts'
import type { Engine } from '../apps/search/src/engine/engine.ts'
import { systemScope } from '../apps/search/src/security/role-scope.ts'
import type { Services } from '../apps/search/src/services.ts'
import { openServices } from '../apps/search/src/testing/search-services.ts'
import { mapping, writeCorpus } from './documents.mjs'
import { searchesFor } from './searches.mjs'

const count = Number(process.argv[2] ?? 100_000)
/** Which searches; all when none is named. */
const named = new Set(process.argv.slice(3))
const index = 'bench-big5'
const warmUps = 5
const rounds = 20
const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
let statements: (() => Promise<unknown>)[] = []
/** The engine, which keeps what each search asks of it. */
const noting = (plain: Engine): Engine => ({
  ...plain,
  rows: (query, options) => {
    statements.push(() => plain.rows(query))
    return plain.rows(query, options)
  },
  bytes: (query, format, options) => {
    statements.push(() => plain.bytes(query, format))
    return plain.bytes(query, format, options)
  },
})
const open = await openServices(directory, { around: noting })
const { catalogue, documents } = open
const services = open as unknown as Services

const compileScript = (): never => {
  throw new Error('BUG: the corpus has no scripts')
}

async function load(): Promise<string> {
  await catalogue.createIndex({ name: index, mappings: mapping })
  const file = join(directory, 'corpus.ndjson')
  const { bodies, counts } = writeCorpus(file, count, 1)
  const descriptor = openSync(file, 'r')
  for (const { length, offset } of bodies) {
    const body = Buffer.allocUnsafe(length)
    readSync(descriptor, body, 0, length, offset)
    for (const result of await documents.apply(parseBulk(body, { index, compileScript })))
      if ('error' in result) throw result.error
  }
  return counts.traceId
}

/** Milliseconds that pass and that a processor works while `work` runs. */
async function measured(work: () => Promise<unknown>): Promise<{ wall: number; cpu: number }> {
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpuFrom)
  return { wall: performance.now() - from, cpu: (user + system) / 1000 }
}

function median(values: readonly number[]): string {
  return ([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(1)
}

try {
  const traceId = await load()
  console.log(`load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log(
    '| search | statements | CPU, ms | CPU of its SQL, ms | p50, ms | p50 of its SQL, ms |\n|---|---|---|---|---|---|',
  )
  for (const [name, body] of searchesFor(traceId)) {
    if (named.size > 0 && !named.has(String(name))) continue
    const [searches, alone]: { wall: number; cpu: number }[][] = [[], []]
    for (let round = 0; round < warmUps + rounds; round += 1) {
      statements = []
      const call = {
        scope: systemScope,
        signal: new AbortController().signal,
        expression: index,
        body,
        route: 'search',
      }
      const whole = await measured(() => runSearch(services, { ...call, query: { request_cache: false } }))
      const parts = await measured(async () => {
        for (const statement of statements) await statement()
      })
      if (round < warmUps) continue
      searches?.push(whole)
      alone?.push(parts)
    }
    const cells = [searches ?? [], alone ?? []].map((each) => median(each.map(({ cpu }) => cpu)))
    const walls = [searches ?? [], alone ?? []].map((each) => median(each.map(({ wall }) => wall)))
    console.log(`| ${[name, statements.length, ...cells, ...walls].join(' | ')} |`)
  }
} finally {
  await open.close()
  rmSync(directory, { recursive: true, force: true })
}
