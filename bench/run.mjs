// `npm run bench`: start, footprint, taking in and searching of a stack of its own. See bench/README.md.
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { mapping, writeCorpus } from './documents.mjs'
import { renderReport } from './report.mjs'
import { expectedOf, searchesFor, spreadMs } from './searches.mjs'
import { collectStatements, timeStatements } from './sql.mjs'
import { Stack } from './stack.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const index = 'bench-big5'
const connections = 2
const clients = 4
const scrollPages = 25
const idleMs = 10_000
const settleMs = 10_000
const settledLooks = 8
const settleLooksMax = 40

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    'port-offset': { type: 'string', default: '23000' },
    cold: { type: 'boolean', default: false },
  },
})
const docs = Number(options.docs)
const seed = Number(options.seed)

async function ingest(stack, folder) {
  const file = join(folder, 'corpus.ndjson')
  const { bodies, documentBytes, counts } = writeCorpus(file, docs, seed)
  await stack.send('PUT', `/${index}`, { mappings: mapping })
  const before = await stack.diskBytes()
  const descriptor = openSync(file, 'r')
  const queue = [...bodies]
  const from = performance.now()
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const body = Buffer.allocUnsafe(next.length)
      readSync(descriptor, body, 0, next.length, next.offset)
      const answer = await stack.send('POST', `/${index}/_bulk`, body, 'application/x-ndjson')
      if (answer.errors)
        throw new Error(`bulk item failed: ${JSON.stringify(answer.items.find((item) => item.create.error))}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  const seconds = (performance.now() - from) / 1000
  closeSync(descriptor)
  await stack.send('POST', `/${index}/_refresh`)
  const { count } = await stack.send('GET', `/${index}/_count`)
  if (count !== docs) throw new Error(`sent ${docs} documents, search counts ${count}`)
  const diskBytes = (await settledDisk(stack)) - before
  return { docs, documentBytes, seconds, connections, diskBytes, counts }
}

/** What is on disk once merges are done and the parts they replaced are gone, about a minute later. */
async function settledDisk(stack) {
  let bytes = await stack.diskBytes()
  for (let same = 0, looks = 0; same < settledLooks && looks < settleLooksMax; looks += 1) {
    await sleep(settleMs)
    const now = await stack.diskBytes()
    same = now === bytes ? same + 1 : 0
    bytes = now
  }
  return bytes
}

async function timeSearches(stack, searches, counts) {
  const timed = []
  for (const [name, body] of searches) {
    await checkCount(stack, name, body, counts)
    const path = `/${index}/_search?request_cache=false`
    const { hits, aggregations } = await stack.send('POST', path, body)
    const buckets = Object.values(aggregations ?? {})[0]
    const count = buckets ? (buckets.buckets?.length ?? buckets.value) : (hits.total?.value ?? hits.hits.length)
    timed.push({ name, hits: count, ...(await spreadMs(() => stack.text('POST', path, body), clients)) })
    console.log(`${name.padEnd(44)} ${timed.at(-1).apiMs.toFixed(1)} ms`)
  }
  timed.push({ name: 'scroll', hits: scrollPages * 1000, ...(await spreadMs(() => scroll(stack), 1)) })
  return timed
}

/** Throws when a search does not find what was written. */
async function checkCount(stack, name, { query }, counts) {
  const expected = expectedOf[name]?.(counts)
  if (expected === undefined) return
  const { count } = await stack.send('POST', `/${index}/_count`, { query })
  if (count !== expected) throw new Error(`${name} finds ${count} documents, and ${expected} were written`)
}

/** 25 pages of a thousand hits. */
async function scroll(stack) {
  let { _scroll_id: id } = await stack.send('POST', `/${index}/_search?scroll=1m`, { size: 1000 })
  for (let page = 1; page < scrollPages; page += 1)
    id = (await stack.send('POST', '/_search/scroll', { scroll: '1m', scroll_id: id }))._scroll_id
  await stack.send('DELETE', '/_search/scroll', { scroll_id: id })
}

async function timeCold(folder) {
  const clone = join(folder, 'clone')
  const from = performance.now()
  execFileSync('git', ['clone', '--quiet', root, clone])
  const stack = new Stack(clone, join(folder, 'cold'), Number(options['port-offset']) + 100)
  await stack.up()
  const seconds = (performance.now() - from) / 1000
  await stack.down()
  return seconds
}

const load = loadavg()[0]
const folder = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const stack = new Stack(root, join(folder, 'data'), Number(options['port-offset']))
try {
  const coldS = options.cold ? await timeCold(folder) : undefined
  const firstS = await stack.up()
  console.log(`set-up to ready: ${firstS.toFixed(1)} s`)
  await sleep(idleMs)
  const idle = await stack.memory()
  for (const { part, pssMb, rssMb } of idle.parts) {
    console.log(`${part.padEnd(28)} ${pssMb.toFixed(0)} MB PSS, ${rssMb.toFixed(0)} MB RSS`)
  }
  console.log(`all five idle: ${idle.pssMb.toFixed(0)} MB PSS, ${idle.rssMb.toFixed(0)} MB RSS`)
  const taken = await ingest(stack, folder)
  console.log(
    `_bulk: ${(docs / taken.seconds).toFixed(0)} documents/s, ${(taken.documentBytes / taken.seconds / 1e6).toFixed(1)} MB/s`,
  )
  const searches = searchesFor(taken.counts.traceId)
  const timed = await timeSearches(stack, searches, taken.counts)
  const loaded = await stack.memory()
  const statements = await collectStatements(stack, index, searches)
  await stack.down()
  const sql = await timeStatements(stack, statements)
  const secondS = await stack.up()
  console.log(`second start: ${secondS.toFixed(1)} s`)
  await stack.down()

  const figures = {
    command: `npm run bench -- --docs ${docs} --seed ${seed}${options.cold ? ' --cold' : ''}`,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    date: new Date().toISOString().slice(0, 10),
    load,
    start: { coldS, firstS, secondS },
    idle,
    loaded,
    ingest: taken,
    searches: timed.map((search) => ({ ...search, sqlMs: sql.get(search.name) })),
  }
  if (existsSync(join(root, 'bench/last.json')))
    copyFileSync(join(root, 'bench/last.json'), join(root, 'bench/previous.json'))
  writeFileSync(join(root, 'bench/last.json'), `${JSON.stringify(figures, null, 2)}\n`)
  const page = join(root, 'docs/performance.md')
  writeFileSync(page, renderReport(figures, readFileSync(page, 'utf8')))
  console.log('wrote docs/performance.md and bench/last.json')
} finally {
  await stack.down().catch((thrown) => console.error(`the stack in ${folder} was not stopped: ${thrown.message}`))
  rmSync(folder, { recursive: true, force: true })
}
