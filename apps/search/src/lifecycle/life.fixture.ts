import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SearchClient, sendBulk } from '@logstack/search-client'
import type { TestSearch } from '@logstack/testkit'

export const hoursOfDay = 24
/** Events are kept so long. */
const retentionHours = 5
const documentsOfBulk = 200
const statesOfIndex = 500

/** What a search holds at the end of an hour. */
export interface Hour {
  readonly hour: number
  readonly events: number
  readonly stored: number
  readonly searches: number
  readonly refused: number
  readonly residentMb: number
  readonly diskMb: number
  readonly files: number
  readonly openFiles: number
  readonly parts: number
}

/** What is compared of the hours: of each, how much more the later ones may hold, as a share and on top of it. */
export const growthMax = {
  residentMb: { share: 1.15, more: 96 },
  diskMb: { share: 1.35, more: 24 },
  files: { share: 1.35, more: 300 },
  openFiles: { share: 1.25, more: 64 },
  parts: { share: 1.35, more: 40 },
} as const satisfies Partial<Record<keyof Hour, { share: number; more: number }>>

/**
 * A day in the life of a search, an hour being as long as told: events come into a data stream that is rolled over every hour and loses what is older than
 * five, states are replaced over and over, and people look at both.
 */
export async function liveOneDay(search: TestSearch, hourMs: number, eachMs: number): Promise<Hour[]> {
  const client = new SearchClient({ url: search.url, ca: search.ca, credentials: search, timeoutMs: 120_000 })
  const send = (method: 'GET' | 'PUT' | 'POST', path: string, body?: unknown) => client.request({ method, path, body })
  await send('PUT', '/_cluster/settings', { persistent: { 'indices.lifecycle.poll_interval': '5s' } })
  const data_retention = `${Math.max(1, Math.round((retentionHours * hourMs) / 1000))}s`
  const mappings = { properties: { message: { type: 'text' }, host: { properties: { name: { type: 'keyword' } } } } }
  const template = { mappings, lifecycle: { data_retention } }
  await send('PUT', '/_index_template/life', { index_patterns: ['life-*'], data_stream: {}, template })
  await send('PUT', '/_data_stream/life-events')
  const done = { events: 0, searches: 0, refused: 0, over: false }
  const work = [ingest(client, done, eachMs), replaceStates(client, done, eachMs), look(client, done, eachMs)]
  const hours: Hour[] = []
  const eventsOfHour = Math.floor(hourMs / (4 * eachMs)) * documentsOfBulk
  try {
    for (let hour = 1; hour <= hoursOfDay; hour += 1) {
      const enough = done.events + eventsOfHour
      await sleep(hourMs)
      // On a busy machine an hour is longer, so that each holds as many events: what is compared grows with them.
      while (done.events < enough) await sleep(eachMs)
      await send('POST', '/life-events/_rollover')
      const { body } = await client.request<{ count: number }>({ method: 'GET', path: '/life-events/_count' })
      const { events, searches, refused } = done
      hours.push({ hour, events, stored: body.count, searches, refused, ...heldBy(search) })
    }
  } finally {
    done.over = true
    await Promise.all(work)
    client.close()
  }
  return hours
}

interface Done {
  events: number
  searches: number
  refused: number
  over: boolean
}

async function ingest(client: SearchClient, done: Done, eachMs: number): Promise<void> {
  for (let from = 0; !done.over; from += documentsOfBulk) {
    const results = await sendBulk(
      client,
      Array.from({ length: documentsOfBulk }, (_, at) => ({
        action: 'create' as const,
        index: 'life-events',
        document: eventOf(from + at),
      })),
    )
    for (const { status } of results) {
      if (status < 300) done.events += 1
      else done.refused += 1
    }
    await sleep(eachMs * 4)
  }
}

function eventOf(number: number): unknown {
  const user = (number * 7919) % 1_000
  return {
    '@timestamp': new Date().toISOString(),
    message: `session ${number} of user${user} from 10.${number % 256}.${(number >> 8) % 256}.${user % 256} was opened by sshd`,
    host: { name: `host-${user % 40}` },
    bytes: (number * 31) % 10_000,
    // A field now and then that was not there before.
    labels: { [`label_${Math.floor(number / 50_000) % 50}`]: String(user) },
  }
}

/** What hosts have now: few documents that are replaced again and again. */
async function replaceStates(client: SearchClient, done: Done, eachMs: number): Promise<void> {
  for (let round = 0; !done.over; round += 1) {
    const first = (round * 50) % statesOfIndex
    await sendBulk(
      client,
      Array.from({ length: 50 }, (_, at) => ({
        action: 'index' as const,
        index: 'states',
        id: `state-${(first + at) % statesOfIndex}`,
        document: { round, load: (round * at) % 100 },
      })),
    )
    await sleep(eachMs * 5)
  }
}

const searches: readonly unknown[] = [
  { sort: [{ '@timestamp': 'desc' }], size: 50 },
  { query: { match: { message: 'user77' } }, size: 10, track_total_hits: true },
  { size: 0, aggs: { a: { terms: { field: 'host.name', size: 40 } } } },
  { size: 0, aggs: { a: { date_histogram: { field: '@timestamp', fixed_interval: '10s' } } } },
  { size: 0, aggs: { a: { avg: { field: 'bytes' } } }, query: { term: { 'host.name': 'host-7' } } },
]

async function look(client: SearchClient, done: Done, eachMs: number): Promise<void> {
  for (let turn = 0; !done.over; turn += 1) {
    const path = turn % 6 === 5 ? '/states/_search' : '/life-events/_search'
    const body = path === '/states/_search' ? { size: 100 } : searches[turn % searches.length]
    await client.request({ method: 'POST', path, body, accept: [404] })
    done.searches += 1
    await sleep(eachMs * 2)
  }
}

function heldBy({ dataDir, pid }: TestSearch): Omit<Hour, 'hour' | 'events' | 'stored' | 'searches' | 'refused'> {
  const status = readFileSync(`/proc/${pid()}/status`, 'utf8')
  const found = { bytes: 0, files: 0, parts: 0 }
  measure(dataDir, found)
  return {
    residentMb: Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024),
    diskMb: Math.round(found.bytes / 1024 ** 2),
    files: found.files,
    openFiles: readdirSync(`/proc/${pid()}/fd`).length,
    parts: found.parts,
  }
}

// What is deleted while it is counted was there at the hour's end as well as not.
function measure(folder: string, found: { bytes: number; files: number; parts: number }): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      if (/_\d+_\d+_\d+(_\d+)?$/.test(entry.name)) found.parts += 1
      measure(path, found)
      continue
    }
    found.files += 1
    found.bytes += (statSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * 512
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw thrown
  }
}
