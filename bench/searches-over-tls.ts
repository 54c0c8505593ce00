// Measures what search adds to its SQL: `node tools/run-ts.mjs bench/searches-over-tls.ts [documents] [--seed N] [--json FILE] [search…]`. A whole search over HTTPS in this process, asked
// by a process of its own; each round asks for a search and then runs its statements by themselves in the same engine. No result cache. Prints Markdown; `npm run bench` reads the file.
import { fork } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { routes } from '../apps/search/src/api/index.ts'
import { bootstrapAdministrator, createSecurity } from '../apps/search/src/security/create-security.ts'
import { createSearchServer } from '../apps/search/src/server.ts'
import type { Services } from '../apps/search/src/services.ts'
import { testCertificates } from '../packages/testkit/src/index.ts'
import { index, type LoadedSearch, openLoadedSearch } from './loaded-search.ts'
import { expectedOf, type Search, searchesFor, shareOf } from './searches.mjs'

const warmUps = 5
const rounds = 30
const clients = 4
const runsOfClient = 10
const scrollPages = 25
const lifetimes = { accessMs: 3_600_000, refreshMs: 3_600_000 }

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' }, json: { type: 'string' } },
})
const [documents = '100000', ...names] = positionals
const named = new Set(names)

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string
}

/** What the client tells of an answer. */
interface Answer {
  readonly id: number
  readonly ms: number
  /** What was answered instead, with its status. */
  readonly refused?: string
  /** Hits in all, or buckets of the first aggregation. */
  readonly size: number
  /** Of a `_count`. */
  readonly count?: number
  readonly scrollId?: string
}

/** Sends requests from another process, so that what a client costs stays out of search's main thread. */
interface Client {
  ask(method: string, path: string, body?: unknown): Promise<Answer>
  end(): void
}

/** A line of the table. `sqlMs` is absent where a search is several requests. */
interface Timed {
  readonly name: string
  /** Hits in all, or buckets. */
  readonly hits: number
  readonly apiMs: number
  readonly ninetiethMs: number
  readonly clientsMs: number
  readonly sqlMs?: number
}

function forkClient(port: number, ca: string, authorization: string): Client {
  const child = fork(join('bench', 'timed-client.mjs'), [String(port), ca, authorization], { execArgv: [] })
  const waiting = new Map<number, (answer: Answer) => void>()
  let asks = 0
  child.on('message', (answer: Answer) => {
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  return {
    end: () => child.kill(),
    async ask(method, path, body) {
      const asked: Asked = { method, path, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      const id = ++asks
      const answer = await new Promise<Answer>((resolve) => {
        waiting.set(id, resolve)
        child.send({ id, asked })
      })
      if (answer.refused !== undefined) throw new Error(`${method} ${path}: ${answer.refused}`)
      return answer
    },
  }
}

/** Puts HTTPS and users before a search of this process. */
async function serve({ services }: LoadedSearch): Promise<{ readonly client: Client; close(): Promise<void> }> {
  const { store, now } = services
  const security = createSecurity({ store, now, aliasesOf: () => [], lifetimes })
  const password = 'password-of-everyone'
  await bootstrapAdministrator(store, 'elastic', password)
  const certificates = await testCertificates()
  const server = createSearchServer({
    tls: certificates,
    services: { ...services, security } satisfies Services,
    routes,
  })
  const port = await server.listen('127.0.0.1', 0)
  const authorization = `Basic ${Buffer.from(`elastic:${password}`).toString('base64')}`
  const client = forkClient(port, certificates.ca, authorization)
  return {
    client,
    async close() {
      client.end()
      await server.close()
    },
  }
}

const searchPath = `/${index}/_search?request_cache=false`

/** Throws when a search does not find what was written. */
async function checkCount(client: Client, [name, { query }]: Search, { counts }: LoadedSearch): Promise<void> {
  const expected = expectedOf[name]?.(counts)
  if (expected === undefined) return
  const { count } = await client.ask('POST', `/${index}/_count`, { query })
  if (count !== expected) throw new Error(`${name} finds ${count} documents, and ${expected} were written`)
}

/** One search and its statements in turns, then several clients at once. */
async function time(client: Client, [name, body]: Search, loaded: LoadedSearch): Promise<Timed> {
  const [whole, alone]: [number[], number[]] = [[], []]
  let hits = 0
  for (let round = 0; round < warmUps + rounds; round += 1) {
    let ms = 0
    const statements = await loaded.statementsOf(async () => {
      const asked = await client.ask('POST', searchPath, body)
      ms = asked.ms
      hits = asked.size
    })
    const from = performance.now()
    await statements.run()
    if (round < warmUps) continue
    whole.push(ms)
    alone.push(performance.now() - from)
  }
  const together = await Promise.all(
    Array.from({ length: clients }, async () => {
      const times: number[] = []
      for (let run = 0; run < runsOfClient; run += 1) times.push((await client.ask('POST', searchPath, body)).ms)
      return times
    }),
  )
  const clientsMs = shareOf(together.flat(), 0.5)
  return {
    name,
    hits,
    apiMs: shareOf(whole, 0.5),
    ninetiethMs: shareOf(whole, 0.9),
    clientsMs,
    sqlMs: shareOf(alone, 0.5),
  }
}

/** Pages of a thousand hits, one after the other; milliseconds of all of them. */
async function timeScroll(client: Client): Promise<Timed> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    let { ms, scrollId } = await client.ask('POST', `/${index}/_search?scroll=1m`, { size: 1000 })
    for (let page = 1; page < scrollPages; page += 1) {
      const next = await client.ask('POST', '/_search/scroll', { scroll: '1m', scroll_id: scrollId })
      ms += next.ms
      scrollId = next.scrollId
    }
    await client.ask('DELETE', '/_search/scroll', { scroll_id: scrollId })
    times.push(ms)
  }
  const [apiMs, ninetiethMs] = [shareOf(times, 0.5), shareOf(times, 0.9)]
  return { name: 'scroll', hits: scrollPages * 1000, apiMs, ninetiethMs, clientsMs: apiMs }
}

function print({ name, hits, apiMs, sqlMs = Number.NaN }: Timed): void {
  const isWithin = apiMs <= 1.25 * sqlMs + 2 ? 'yes' : 'no'
  const cells = [name, hits, apiMs.toFixed(1), sqlMs.toFixed(1), (apiMs - sqlMs).toFixed(1), isWithin]
  console.log(`| ${cells.join(' | ')} |`)
}

const loaded = await openLoadedSearch(Number(documents), Number(options.seed))
const { client, close } = await serve(loaded)
try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log(
    '| search | hits or buckets | p50, ms | its SQL, ms | added, ms | within the goal |\n|---|---|---|---|---|---|',
  )
  const timed: Timed[] = []
  for (const search of searchesFor(loaded.counts.traceId)) {
    if (named.size > 0 && !named.has(search[0])) continue
    await checkCount(client, search, loaded)
    timed.push(await time(client, search, loaded))
    print(timed.at(-1) as Timed)
  }
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify([...timed, await timeScroll(client)]))
} finally {
  await close()
  await loaded.close()
}
