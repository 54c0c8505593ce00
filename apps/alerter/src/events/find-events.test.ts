import type { SearchClient } from '@logstack/search-client'
import { expect, test } from 'vitest'
import type { EventRange, EventSource } from './event-query.ts'
import { placesClause, spansOf } from './find-events.ts'
import { EventReader } from './read-events.ts'

const timestamp = { field: '@timestamp', type: 'iso', format: '' } as const
const source: EventSource = {
  filter: [{ term: { a: 1 } }],
  query: { language: 'eql', text: 'any where b == 2', index: 'logs-*' },
  timestamp,
  queryKey: [],
  termsSize: 50,
}
const esql: EventSource = {
  ...source,
  query: { language: 'esql', text: 'from logs-*\n| STATS BY _id', index: 'logs-*' },
}

interface Sent {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
}

/** A search that holds an event for every sequence number, of which a query finds some, and what it was sent. */
function searchWith(finds: (seqNo: number) => boolean, { isPartial = false, shards = 1 } = {}) {
  const sent: Sent[] = []
  const request = async ({ path, body }: Sent) => {
    sent.push({ path, body })
    const text = JSON.stringify(body)
    const [, after, upTo] = /"gt":(-?\d+),"lte":(\d+)/.exec(text) ?? []
    const within = Array.from({ length: 300 }, (_, at) => at).filter((at) => at > Number(after) && at <= Number(upTo))
    const limit = Number(body['size'] ?? /LIMIT (\d+)/.exec(text)?.[1])
    const hit = (seqNo: number) => ({
      _index: 'logs-1',
      _id: `e${seqNo}`,
      _seq_no: seqNo,
      _source: { '@timestamp': '2026-01-01T00:00:00Z' },
    })
    if (path === '/_query') {
      const values = within
        .filter(finds)
        .slice(0, limit)
        .map((seqNo) => [`e${seqNo}`, 'logs-1'])
      return { body: { is_partial: isPartial, columns: [{ name: '_id' }, { name: '_index' }], values } }
    }
    if (path.endsWith('/_eql/search')) {
      // Those of the highest numbers first: their order says nothing.
      const events = within
        .filter(finds)
        .reverse()
        .flatMap((at) =>
          Array.from({ length: shards }, (_, of) => ({
            ...hit(at),
            ...(of > 0 ? { _id: `of-shard-${of}-${at}` } : {}),
          })),
        )
        .slice(0, limit)
      return { body: { is_partial: isPartial, hits: { events } } }
    }
    const hits = within.filter((seqNo) => text.includes(`"e${seqNo}"`)).map(hit)
    return { body: { hits: { hits: hits.slice(0, limit) } } }
  }
  const client = { capabilities: async () => ({ product: 'logstack' }), request } as unknown as SearchClient
  return { sent, client }
}

test('an event of a host whose clock is ahead happened by now', async () => {
  const { client } = searchWith(() => true)
  const now = Date.parse('2025-12-31T00:00:00Z')
  const { events } = await new EventReader(client, () => now).readEvents(source, rangeOf(-1, 2), 10)
  expect(events.map(({ time }) => time)).toEqual([now, now, now])
})

const rangeOf = (after: number, checkpoint: number, shards = 1): EventRange => ({
  shard: { index: 'logs-1', shard: 0, shards, checkpoint },
  after,
  notBefore: 0,
})

async function readAll(client: SearchClient, of: EventSource, pageEventsMax: number, checkpoint = 299) {
  const reader = new EventReader(client, Date.now)
  const pages: number[][] = []
  for (let after = -1; after < checkpoint; ) {
    const { events, upTo } = await reader.readEvents(of, rangeOf(after, checkpoint), pageEventsMax)
    expect(upTo).toBeGreaterThan(after)
    pages.push(events.map(({ seqNo }) => seqNo))
    after = upTo
  }
  return pages
}

const numbers = (finds: (seqNo: number) => boolean) => Array.from({ length: 300 }, (_, at) => at).filter(finds)

test.each([
  ['all', () => true],
  ['none', () => false],
  ['one among the others', (at: number) => at === 137],
  ['some', (at: number) => at % 7 === 0],
  ['many together', (at: number) => at > 100 && at < 150],
  ['the first and the last', (at: number) => at === 0 || at === 299],
])('each event is read once, in the order of sequence numbers: %s', async (_name, finds) => {
  for (const of of [source, esql])
    for (const pageEventsMax of [1, 2, 10, 299, 300, 301]) {
      const pages = await readAll(searchWith(finds).client, of, pageEventsMax)
      expect(pages.flat()).toEqual(numbers(finds))
      for (const page of pages) expect(page.length).toBeLessThanOrEqual(pageEventsMax)
    }
})

test('a query is asked of all indices of its rule for events of one, and whole events are read of that one', async () => {
  const { sent, client } = searchWith((at) => at === 5)
  expect(await readAll(client, source, 10)).toEqual([[5]])
  const range = { range: { _seq_no: { gt: -1, lte: 299 } } }
  const since = { range: { '@timestamp': { gte: '1970-01-01T00:00:00.000Z' } } }
  expect(sent).toMatchObject([
    {
      path: '/logs-*/_eql/search',
      body: {
        query: 'any where b == 2',
        size: 10,
        timestamp_field: '@timestamp',
        filter: { bool: { filter: [range, since, { term: { _index: 'logs-1' } }, { term: { a: 1 } }] } },
      },
    },
    {
      path: '/logs-1/_search',
      body: { query: { bool: { filter: [range, since, placesClause([{ index: 'logs-1', id: 'e5' }])] } } },
    },
  ])
  sent.length = 0
  await readAll(client, esql, 10)
  expect(sent[0]).toMatchObject({ path: '/_query', body: { query: 'from logs-*\n| STATS BY _id\n| LIMIT 10' } })
})

test('a query without events costs one question', async () => {
  const { sent, client } = searchWith(() => false)
  expect(await readAll(client, source, 3)).toEqual([[]])
  expect(sent).toHaveLength(1)
})

test('where an index has several shards, a part holds no more events of all of them than a page', async () => {
  const { client } = searchWith(() => true, { shards: 4 })
  const reader = new EventReader(client, Date.now)
  const { upTo, events } = await reader.readEvents(source, rangeOf(-1, 299, 4), 10)
  expect(upTo).toBe(1)
  expect(events.map(({ id }) => id)).toEqual(['e0', 'e1'])
})

test('an answer that goes without some events fails', async () => {
  const { client } = searchWith(() => true, { isPartial: true })
  for (const of of [source, esql])
    await expect(readAll(client, of, 10)).rejects.toMatchObject({ code: 'answer_partial' })
})

test('between two times a rule without a query is asked at once', async () => {
  const { sent, client } = searchWith(() => true)
  const { filter } = source
  const spans = []
  for await (const span of spansOf(client, { filter, timestamp }, 5, 9)) spans.push(span)
  expect(spans).toEqual([{ from: 5, to: 9, filter }])
  expect(sent).toEqual([])
})

test('between two times a query is asked of parts that no answer is cut off in, and those without events are left out', async () => {
  // An event in each of these milliseconds, and many in one of them.
  const times = Array.from({ length: 9000 }, (_, at) => (at < 6000 ? at : at < 8000 ? 6500 : 20_000 + at))
  const client = {
    request: async ({ body }: Sent) => {
      const [, gte = '', lt = ''] = /"gte":"([^"]+)","lt":"([^"]+)"/.exec(JSON.stringify(body)) ?? []
      const events = times
        .map((time, at) => ({ time, _index: 'logs-1', _id: `e${at}` }))
        .filter(({ time }) => time >= Date.parse(gte) && time < Date.parse(lt))
      return { body: { hits: { events: events.slice(0, Number(body['size'])) } } }
    },
  } as unknown as SearchClient
  const found: string[] = []
  let last = 0
  for await (const { from, to, filter } of spansOf(client, source, 0, 100_000)) {
    expect(from).toBeGreaterThanOrEqual(last)
    expect(to).toBeGreaterThan(from)
    last = to
    found.push(...(JSON.stringify(filter).match(/e\d+(?=")/g) ?? []))
  }
  expect(found).toHaveLength(9000)
  expect(new Set(found).size).toBe(9000)
})
