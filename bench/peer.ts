// Measures search beside another server with the same API, on this machine: `node tools/run-ts.mjs bench/peer.ts URL PID [documents]`, URL and process of an Elasticsearch or OpenSearch
// that is running (`BENCH_PEER_AUTH` is user:password). Both take the corpus in, a shard without copies, two connections, each bulk answered when it is on disk; then each search is asked of
// both in turn, no result cache. Ours over TLS in a process of its own, the other as its URL says. Prints Markdown; what they find must be the same.
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSearch } from '@logstack/testkit'
import { mapping, writeCorpus } from './documents.mjs'
import { processorMs, residentMb } from './process-times.ts'
import { type Access, rawClient } from './raw-client.ts'
import { searchesFor } from './searches.mjs'

const [peerUrl = '', peerPid = '', documentsText = '1000000'] = process.argv.slice(2)
const documents = Number(documentsText)
const index = 'bench-big5'
const [connections, warmUps, rounds] = [2, 5, 30]
/** Merges go on after the loading. */
const settleMs = 90_000

interface Server {
  readonly name: string
  readonly pid: number
  readonly send: (method: string, path: string, body?: string | Buffer, type?: string) => Promise<string>
}

function serverAt(name: string, pid: number, access: Access): Server {
  const ask = rawClient(access)
  const send: Server['send'] = async (method, path, ...body) => {
    const { status, text } = await ask(method, path, ...body)
    if (status !== 200) throw new Error(`${name}: ${method} ${path}: ${status} ${text.slice(0, 300)}`)
    return text
  }
  return { name, pid, send }
}

/** Seconds and milliseconds of the server's processor that the corpus took. */
async function load({ name, pid, send }: Server, file: string, bodies: ReturnType<typeof writeCorpus>['bodies']) {
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await send('PUT', `/${index}`, JSON.stringify({ settings, mappings: mapping }))
  const descriptor = openSync(file, 'r')
  const left = bodies.values()
  const [fromMs, cpuFromMs] = [performance.now(), processorMs(pid)]
  const client = async (): Promise<void> => {
    for (const { length, offset } of left) {
      const body = Buffer.allocUnsafe(length)
      readSync(descriptor, body, 0, length, offset)
      const path = `/${index}/_bulk?filter_path=errors,items.*.error`
      const answer = await send('POST', path, body, 'application/x-ndjson')
      if (answer !== '{"errors":false}') throw new Error(`${name}: ${answer.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  closeSync(descriptor)
  const seconds = (performance.now() - fromMs) / 1000
  await send('POST', `/${index}/_refresh`)
  await sleep(settleMs)
  return { seconds, cpuMs: processorMs(pid) - cpuFromMs }
}

/** The bytes of the index as the server tells them. */
async function storedBytes({ send }: Server): Promise<number> {
  const path = '_all.primaries.store.size_in_bytes'
  const stats = JSON.parse(await send('GET', `/${index}/_stats/store?filter_path=${path}`))
  return stats._all.primaries.store.size_in_bytes
}

/** What must be the same of two answers: how many there are and what they are counted into; which hits tie is each server's own. */
function foundBy(text: string): string {
  const { hits, aggregations } = JSON.parse(text)
  return JSON.stringify([hits.total ?? hits.hits.length, aggregations], (key, value) =>
    key === 'interval' || typeof value !== 'number' || Number.isInteger(value) ? value : Number(value.toPrecision(9)),
  )
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Milliseconds of one answer, and of the server's processor. */
async function timed(server: Server, body: string): Promise<{ ms: number; cpuMs: number; text: string }> {
  const [fromMs, cpuFromMs] = [performance.now(), processorMs(server.pid)]
  const text = await server.send('POST', `/${index}/_search?request_cache=false`, body)
  return { ms: performance.now() - fromMs, cpuMs: processorMs(server.pid) - cpuFromMs, text }
}

/** One line of the table: medians of both, and how often the other's ours is. */
async function compare(name: string, body: string, [ours, peer]: readonly [Server, Server]): Promise<string> {
  const times: [number[], number[]] = [[], []]
  const cpu: [number, number] = [0, 0]
  const found: string[] = []
  for (let round = 0; round < warmUps + rounds; round += 1)
    for (const [at, server] of [ours, peer].entries()) {
      const { ms, cpuMs, text } = await timed(server, body)
      found[at] = foundBy(text)
      if (round < warmUps) continue
      times[at as 0 | 1].push(ms)
      cpu[at as 0 | 1] += cpuMs
    }
  const [own, other] = [median(times[0]), median(times[1])]
  const isSame = found[0] === found[1]
  const cells = [
    own.toFixed(1),
    other.toFixed(1),
    (own / other).toFixed(2),
    ...cpu.map((ms) => (ms / rounds).toFixed(0)),
    isSame ? 'yes' : 'no',
  ]
  if (!isSame) console.error(`${name}:\n  ${found[0]?.slice(0, 400)}\n  ${found[1]?.slice(0, 400)}`)
  return `| ${name} | ${cells.join(' | ')} |`
}

const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const search = await startSearch()
const ours = serverAt('ours', search.pid(), {
  url: search.url,
  ca: search.ca,
  login: `${search.username}:${search.password}`,
})
const login = process.env['BENCH_PEER_AUTH']
const peer = serverAt('the other', Number(peerPid), { url: peerUrl, ...(login === undefined ? {} : { login }) })
try {
  const file = join(directory, 'corpus')
  const { bodies, documentBytes, counts } = writeCorpus(file, documents, 1)
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${documents} documents, ${(documentBytes / 1e6).toFixed(0)} MB\n`)
  console.log(
    '| | taken in, MB/s | of its processor, s | bytes on disk for each in | resident, MB |\n|---|---|---|---|---|',
  )
  for (const server of [ours, peer]) {
    const { seconds, cpuMs } = await load(server, file, bodies)
    const cells = [documentBytes / seconds / 1e6, cpuMs / 1000].map((value) => value.toFixed(1))
    const share = ((await storedBytes(server)) / documentBytes).toFixed(3)
    console.log(`| ${[server.name, ...cells, share, residentMb(server.pid).toFixed(0)].join(' | ')} |`)
  }
  console.log(
    '\n| search | ours, ms | the other, ms | ratio | processor ours, ms | the other, ms | same found |\n|---|---|---|---|---|---|---|',
  )
  for (const [name, body] of searchesFor(counts.traceId))
    try {
      console.log(await compare(name, JSON.stringify(body), [ours, peer]))
    } catch (thrown) {
      console.log(`| ${name} | ${thrown instanceof Error ? thrown.message.slice(0, 160) : thrown} |`)
    }
} finally {
  await peer.send('DELETE', `/${index}`).catch(() => undefined)
  await search.stop()
  rmSync(directory, { recursive: true, force: true })
}
