// Measures ES|QL beside the same question as a search: `node tools/run-ts.mjs bench/esql.ts [documents]`. A search in this process, no result cache, both in turns.
// Prints Markdown; milliseconds of a processor are what compares on a machine that does other things. ADR 0040 quotes it.
import { mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseQuery } from '@logstack/esql'
import { runSearch } from '../apps/search/src/api/search/run-search.ts'
import { parseBulk } from '../apps/search/src/documents/bulk-parser.ts'
import { runEsql } from '../apps/search/src/esql/run-esql.ts'
import { systemScope } from '../apps/search/src/security/role-scope.ts'
import type { Services } from '../apps/search/src/services.ts'
import { openServices } from '../apps/search/src/testing/search-services.ts'
import { mapping, writeCorpus } from './documents.mjs'

const count = Number(process.argv[2] ?? 100_000)
const index = 'bench-big5'
const warmUps = 3
const rounds = 15

const day = { range: { '@timestamp': { gte: '2023-01-02', lt: '2023-01-03' } } }
const ofDay = '@timestamp >= "2023-01-02" AND @timestamp < "2023-01-03"'
const newest = [{ '@timestamp': 'desc' }]

/** A question in both languages. */
const questions: readonly (readonly [esql: string, search: object])[] = [
  ['STATS COUNT(*)', { size: 0, track_total_hits: true }],
  [
    'WHERE process.name == "sshd" | STATS COUNT(*)',
    { size: 0, track_total_hits: true, query: { term: { 'process.name': 'sshd' } } },
  ],
  [`WHERE ${ofDay} | STATS COUNT(*)`, { size: 0, track_total_hits: true, query: day }],
  [
    `WHERE ${ofDay} AND process.name == "kernel" | STATS n = COUNT(*), a = AVG(metrics.size) BY cloud.region | SORT n DESC | LIMIT 10`,
    {
      size: 0,
      query: { bool: { filter: [day, { term: { 'process.name': 'kernel' } }] } },
      aggs: { by: { terms: { field: 'cloud.region' }, aggs: { a: { avg: { field: 'metrics.size' } } } } },
    },
  ],
  [
    'STATS n = COUNT(*) BY aws.cloudwatch.log_stream | SORT n DESC | LIMIT 10',
    { size: 0, aggs: { by: { terms: { field: 'aws.cloudwatch.log_stream' } } } },
  ],
  ['SORT @timestamp DESC | LIMIT 10', { query: { match_all: {} }, sort: newest }],
  [
    'SORT @timestamp DESC | KEEP @timestamp, message | LIMIT 500',
    { size: 500, sort: newest, _source: false, fields: ['@timestamp', 'message'] },
  ],
  [
    'WHERE metrics.size > 5000 | KEEP @timestamp, metrics.size | LIMIT 100',
    {
      size: 100,
      query: { range: { 'metrics.size': { gt: 5000 } } },
      _source: false,
      fields: ['@timestamp', 'metrics.size'],
    },
  ],
]

const directory = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
const open = await openServices(directory)
const { catalogue, documents } = open
const services = open as unknown as Services

async function load(): Promise<void> {
  await catalogue.createIndex({ name: index, mappings: mapping })
  const file = join(directory, 'corpus.ndjson')
  const { bodies } = writeCorpus(file, count, 1)
  const descriptor = openSync(file, 'r')
  const compileScript = (): never => {
    throw new Error('BUG: the corpus has no scripts')
  }
  for (const { length, offset } of bodies) {
    const body = Buffer.allocUnsafe(length)
    readSync(descriptor, body, 0, length, offset)
    for (const result of await documents.apply(parseBulk(body, { index, compileScript })))
      if ('error' in result) throw result.error
  }
}

const signal = new AbortController().signal
const shared = { scope: systemScope, signal }

function asEsql(text: string): Promise<unknown> {
  return runEsql(services, {
    ...shared,
    query: parseQuery(`FROM ${index} | ${text}`),
    version: { number: '', build_date: '', build_hash: '' },
    resolve: (expression) =>
      catalogue.resolve(expression, {
        ignoreUnavailable: false,
        allowNoIndices: true,
        expand: ['open'],
        forbidClosed: true,
        ignoreAliases: false,
      }),
  })
}

function asSearch(body: object): Promise<unknown> {
  return runSearch(services, { ...shared, expression: index, body, route: 'search', query: { request_cache: false } })
}

/** Milliseconds that pass and that a processor works while `work` runs. */
async function measured(work: () => Promise<unknown>): Promise<readonly [wall: number, cpu: number]> {
  const [from, cpuFrom] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpuFrom)
  return [performance.now() - from, (user + system) / 1000]
}

function medians(times: readonly (readonly [number, number])[]): string[] {
  return [0, 1].map((which) => {
    const values = times.map((each) => each[which] ?? 0).sort((a, b) => a - b)
    return (values[values.length >> 1] ?? 0).toFixed(1)
  })
}

try {
  await load()
  console.log(`${count} documents, load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log('| FROM … | p50, ms | CPU, ms | as a search: p50, ms | CPU, ms |\n|---|---|---|---|---|')
  for (const [text, body] of questions) {
    const [esql, search]: [[number, number][], [number, number][]] = [[], []]
    for (let round = 0; round < warmUps + rounds; round += 1) {
      const [one, other] = [await measured(() => asEsql(text)), await measured(() => asSearch(body))]
      if (round < warmUps) continue
      esql.push([...one])
      search.push([...other])
    }
    console.log(`| \`${text.replaceAll('|', '\\|')}\` | ${[...medians(esql), ...medians(search)].join(' | ')} |`)
  }
} finally {
  await open.close()
  rmSync(directory, { recursive: true, force: true })
}
