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
import { searchesFor } from './searches.mjs'
import { Stack } from './stack.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const index = 'bench-big5'
const connections = 2
/** How often each search is asked before memory is looked at again. */
const useRounds = 10
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

/** Asks for each search some times, so that the stack has been used. */
async function use(stack, searches) {
  for (let round = 0; round < useRounds; round += 1)
    for (const [, body] of searches) await stack.text('POST', `/${index}/_search?request_cache=false`, body)
}

/** The table of searches, by a search of its own in one process with its statements. */
function timeSearches(folder) {
  const file = join(folder, 'searches.json')
  const program = ['tools/run-ts.mjs', 'bench/searches-over-tls.ts', String(docs), '--seed', String(seed)]
  execFileSync(process.execPath, [...program, '--json', file], { cwd: root, stdio: 'inherit' })
  return JSON.parse(readFileSync(file, 'utf8'))
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
  await use(stack, searchesFor(taken.counts.traceId))
  const loaded = await stack.memory()
  await stack.down()
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
    searches: timeSearches(folder),
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
