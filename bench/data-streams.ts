// Measures what many data streams cost, which lie in a table each: `node tools/run-ts.mjs bench/data-streams.ts [streams] [documents of each] [question]`. A search in a process of its own is asked over
// TLS what dashboards and people ask of all streams, seven times each and without a result cache, and the same of one stream. Prints Markdown; milliseconds of search's processor are what compares on a
// machine that does other things. A tenth of the streams have events of the last hour, all of them some of the day before.
import { loadavg } from 'node:os'
import { startSearch } from '@logstack/testkit'
import { processorMs, residentMb } from './process-times.ts'
import { rawClient } from './raw-client.ts'

const streams = Number(process.argv[2] ?? 100)
const documents = Number(process.argv[3] ?? 2_000)
/** Only questions whose name matches. */
const only = new RegExp(process.argv[4] ?? '')
const [rounds, warmUps] = [7, 3]
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const nowMs = Date.now()

const search = await startSearch()
const send = rawClient({ url: search.url, ca: search.ca, login: `${search.username}:${search.password}` })

async function expectOk(method: string, path: string, body?: string, type?: string): Promise<string> {
  const { status, text } = await send(method, path, body, type)
  if (status >= 300 || text.includes('"errors":true'))
    throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  return text
}

const template = {
  index_patterns: ['logs-*-default'],
  data_stream: {},
  template: {
    mappings: {
      properties: {
        message: { type: 'text' },
        host: { properties: { name: { type: 'keyword' } } },
        log: { properties: { level: { type: 'keyword' } } },
      },
    },
  },
}

/** The documents of a stream in four bulks, in the order of time. */
function bulkOf(stream: number, part: number): string {
  const untilMs = stream % 10 === 0 ? nowMs : nowMs - 2 * hourMs
  const fromMs = nowMs - dayMs
  return Array.from({ length: documents / 4 }, (_, at) => {
    const place = part * (documents / 4) + at
    const event = {
      '@timestamp': new Date(fromMs + ((untilMs - fromMs) * place) / documents).toISOString(),
      message: `event ${place} of service ${stream} failed password for user${(place * 31) % 97} from a place that is far away`,
      host: { name: `host-${(place * 17) % 40}` },
      log: { level: ['info', 'warn', 'error'][place % 3] },
      [`own_${stream}`]: `value ${place % 7}`,
    }
    return `{"create":{}}\n${JSON.stringify(event)}\n`
  }).join('')
}

const newest = [{ '@timestamp': 'desc' }]
const lastHour = { range: { '@timestamp': { gte: nowMs - hourMs } } }
const lastDay = { range: { '@timestamp': { gte: nowMs - dayMs } } }
const discover = (...filter: object[]) => ({
  size: 500,
  sort: newest,
  track_total_hits: true,
  query: { bool: { filter } },
  aggs: { time: { date_histogram: { field: '@timestamp', fixed_interval: '30m' } } },
})
const user = { match: { message: 'user7' } }
const questions: readonly (readonly [string, object, string?])[] = [
  ['ten of all', { size: 10 }],
  ['ten of a host', { size: 10, query: { term: { 'host.name': 'host-7' } } }],
  ['newest ten', { size: 10, sort: newest }],
  ['newest 500', { size: 500, sort: newest }],
  ['newest 500 of the hour', { size: 500, sort: newest, query: lastHour }],
  ['Discover of the hour', discover(lastHour)],
  ['Discover of the day', discover(lastDay)],
  ['Discover of a word of the day', discover(lastDay, user)],
  ['Discover of a word in all fields', discover(lastDay, { query_string: { query: 'user7' } })],
  ['best ten of two words', { size: 10, query: { match: { message: 'user7 user9' } } }],
  ['how many of a word', { size: 0, track_total_hits: true, query: user }],
  ['terms', { size: 0, aggs: { a: { terms: { field: 'host.name' } } } }],
  [
    'histogram with terms',
    {
      size: 0,
      aggs: {
        a: {
          date_histogram: { field: '@timestamp', fixed_interval: '1h' },
          aggs: { b: { terms: { field: 'log.level' } } },
        },
      },
    },
  ],
  ['ES|QL, STATS by host', { query: 'FROM logs-*-default | STATS COUNT(*) BY host.name' }, '/_query'],
  ['ES|QL, newest 100', { query: 'FROM logs-*-default | SORT @timestamp DESC | LIMIT 100' }, '/_query'],
]

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

/** Medians of an answer's time and of search's processor, in milliseconds. */
async function measured(ask: () => Promise<string>): Promise<readonly [ms: number, cpu: number]> {
  const [times, cpus]: [number[], number[]] = [[], []]
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const [from, cpuFrom] = [performance.now(), processorMs(search.pid())]
    await ask()
    if (round < warmUps) continue
    times.push(performance.now() - from)
    cpus.push(processorMs(search.pid()) - cpuFrom)
  }
  return [median(times), median(cpus)]
}

try {
  await expectOk('PUT', '/_index_template/logs', JSON.stringify(template))
  const from = performance.now()
  for (let part = 0; part < 4; part += 1) {
    for (let stream = 0; stream < streams; stream += 1)
      await expectOk(
        'POST',
        `/logs-app${stream}-default/_bulk?filter_path=errors`,
        bulkOf(stream, part),
        'application/x-ndjson',
      )
  }
  console.log(
    `${streams} data streams of ${documents} documents, taken in within ${((performance.now() - from) / 1000).toFixed(0)} s`,
  )
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${residentMb(search.pid()).toFixed(0)} MB resident\n`)
  console.log(
    '| question | all streams, ms | of a processor | one stream, ms | of a processor |\n|---|---|---|---|---|',
  )
  for (const [name, body, path] of questions) {
    if (!only.test(name)) continue
    const askOf = (names: string) => () =>
      expectOk(
        'POST',
        path ?? `/${names}/_search?request_cache=false`,
        JSON.stringify(body).replace('logs-*-default', names),
      )
    const all = await measured(askOf('logs-*-default'))
    const one = await measured(askOf('logs-app0-default'))
    console.log(`| ${[name, ...[...all, ...one].map((each) => each.toFixed(0))].join(' | ')} |`)
  }
} finally {
  await search.stop()
}
