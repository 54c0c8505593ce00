// Measures how soon search is ready on data that is there: `node tools/run-ts.mjs bench/start.ts [documents] [starts]`. A search in a process of its own takes the
// corpus in over TLS, settles, and is started again and again in order; then once after it was killed. Prints Markdown: the time to readiness, and the processor time by then.
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SearchClient } from '@logstack/search-client'
import { startSearch, type TestSearch } from '@logstack/testkit'
import { mapping, writeCorpus } from './documents.mjs'
import { processorMs, residentMb } from './process-times.ts'

const documents = Number(process.argv[2] ?? 2_000_000)
const starts = Number(process.argv[3] ?? 5)
const settleMs = 30_000
async function fill({ url, ca, username, password }: TestSearch): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
  const file = join(directory, 'corpus')
  const { bodies } = writeCorpus(file, documents, 1)
  const descriptor = openSync(file, 'r')
  const client = new SearchClient({ url, ca, credentials: { username, password } })
  await client.request({ method: 'PUT', path: '/bench-big5', body: { mappings: mapping } })
  for (const { offset, length } of bodies) {
    const body = Buffer.allocUnsafe(length)
    readSync(descriptor, body, 0, length, offset)
    const bulk = { method: 'POST', path: '/bench-big5/_bulk', contentType: 'application/x-ndjson', body } as const
    const answer = await client.request<{ errors: boolean }>(bulk)
    if (answer.body.errors) throw new Error(JSON.stringify(answer.body).slice(0, 500))
  }
  client.close()
  closeSync(descriptor)
  rmSync(directory, { recursive: true })
}

const search = await startSearch()
try {
  await fill(search)
  await sleep(settleMs)
  console.log(`load ${loadavg()[0]?.toFixed(1)}; ${documents} documents\n`)
  console.log('| start | ready after, s | processor by then, s | resident, MB |\n|---|---|---|---|')
  for (let at = 0; at <= starts; at += 1) {
    const isKilled = at === starts
    await (isKilled ? search.kill() : search.end())
    const fromMs = performance.now()
    await search.restart()
    const readyMs = performance.now() - fromMs
    const name = isKilled ? 'after it was killed' : `${at + 1}`
    console.log(
      `| ${name} | ${(readyMs / 1000).toFixed(2)} | ${(processorMs(search.pid()) / 1000).toFixed(2)} | ${residentMb(search.pid()).toFixed(0)} |`,
    )
  }
} finally {
  await search.stop()
}
