// Measures what many indices cost: `node tools/run-ts.mjs bench/many-indices.ts [documents an index] [own]`. The same documents in 300 daily indices and in one,
// with `own` with a field of its own each day, as documents bring them; each search on both in turn; then the time from opening the data of 1,000 indices to the first answer. Prints Markdown.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSearch } from '../apps/search/src/api/search/run-search.ts'
import type { WriteOperation } from '../apps/search/src/documents/write-operation.ts'
import { systemScope } from '../apps/search/src/security/role-scope.ts'
import type { Services } from '../apps/search/src/services.ts'
import { type OpenServices, openServices } from '../apps/search/src/testing/search-services.ts'

const documentsOfIndex = Number(process.argv[2] ?? 300)
/** Whether each day's documents have a field that no other day's have. */
const hasOwn = process.argv[3] === 'own'
const days = 300
const indicesMax = 1_000
const rounds = 25
const warmUps = 5
const startMs = Date.UTC(2025, 0, 1)
const dayMs = 86_400_000
const mappings = {
  properties: {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    host: { properties: { name: { type: 'keyword' } } },
    code: { type: 'long' },
  },
}
const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const nameOf = (day: number): string =>
  `daily-${new Date(startMs + day * dayMs).toISOString().slice(0, 10).replaceAll('-', '.')}`

const searches: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['latest 10', { sort: [{ '@timestamp': 'desc' }], size: 10 }],
  ['latest 10 of a host', { query: { term: { 'host.name': 'host-7' } }, sort: [{ '@timestamp': 'desc' }], size: 10 }],
  ['count a word', { size: 0, track_total_hits: true, query: { match: { message: 'user7' } } }],
  ['count a word in all fields', { size: 0, track_total_hits: true, query: { query_string: { query: 'user7' } } }],
  ['terms', { size: 0, aggs: { a: { terms: { field: 'host.name' } } } }],
  [
    'date_histogram by day',
    { size: 0, aggs: { a: { date_histogram: { field: '@timestamp', calendar_interval: 'day' } } } },
  ],
]

async function search(opened: OpenServices, expression: string, body: unknown): Promise<number> {
  const from = process.cpuUsage()
  const call = { scope: systemScope, signal: new AbortController().signal, expression, body, route: 'search' }
  await runSearch(opened as unknown as Services, { ...call, query: { request_cache: false } })
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

async function compare(): Promise<void> {
  // Indices are made day by day.
  let nowMs = startMs
  const services = await openServices(directory, { now: () => nowMs })
  const { catalogue, documents } = services
  await catalogue.createIndex({ name: 'single', mappings })
  for (let day = 0; day < days; day += 1) {
    nowMs = startMs + day * dayMs
    await catalogue.createIndex({ name: nameOf(day), mappings })
    const write = (index: string): WriteOperation[] =>
      Array.from({ length: documentsOfIndex }, (_, at) => ({
        action: 'create',
        index,
        source: Buffer.from(
          JSON.stringify({
            '@timestamp': new Date(startMs + day * dayMs + (at * dayMs) / documentsOfIndex).toISOString(),
            message: `user${(at * 31) % 97} logged on from a place that is number ${at}`,
            host: { name: `host-${(at * 17) % 40}` },
            code: at % 13,
            ...(hasOwn ? { [`own_${day}`]: at } : {}),
          }),
        ),
      }))
    for (const result of await documents.apply([...write(nameOf(day)), ...write('single')]))
      if ('error' in result) throw result.error
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${days} indices of ${documentsOfIndex} documents\n`)
  console.log('| search | one index, CPU ms | 300 indices, CPU ms | ratio |\n|---|---|---|---|')
  for (const [name, body] of searches) {
    const [one, many]: number[][] = [[], []]
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const times = [await search(services, 'single', body), await search(services, 'daily-*', body)]
      if (round < warmUps) continue
      one?.push(times[0] ?? 0)
      many?.push(times[1] ?? 0)
    }
    const [left, right] = [median(one ?? []), median(many ?? [])]
    console.log(`| ${name} | ${left.toFixed(1)} | ${right.toFixed(1)} | ${(right / left).toFixed(2)} |`)
  }
  for (let day = days; day < indicesMax; day += 1) await catalogue.createIndex({ name: nameOf(day), mappings })
  await services.close()
}

try {
  await compare()
  const from = performance.now()
  const services = await openServices(directory)
  await search(services, 'daily-*', searches[0]?.[1])
  console.log(
    `\nfrom opening ${indicesMax} indices to the first answer: ${((performance.now() - from) / 1000).toFixed(2)} s`,
  )
  await services.close()
} finally {
  rmSync(directory, { recursive: true, force: true })
}
