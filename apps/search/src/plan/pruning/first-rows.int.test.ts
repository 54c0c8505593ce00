import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'
import type { TestServices } from '../../testing/search-services.ts'

// Enough rows for a handful of granules, so that a part of the table is fewer than all of it.
const rows = 12_000
const startMs = Date.UTC(2026, 0, 1)
const stepMs = 60_000

let search: NotedSearch
let services: TestServices
/** What should be found: id and time of every document, in order of arrival. */
let documents: { readonly id: string; readonly time: number }[] = []

async function write(written: typeof documents): Promise<void> {
  await services.write(
    'events',
    written.map(({ id, time }) => [id, { '@timestamp': new Date(time).toISOString(), name: id }]),
  )
  const ids = new Set(written.map(({ id }) => id))
  documents = [...documents.filter(({ id }) => !ids.has(id)), ...written]
}

async function remove(ids: readonly string[]): Promise<void> {
  const results = await services.documents.apply(ids.map((id) => ({ action: 'delete', index: 'events', id })))
  for (const result of results) if ('error' in result) throw result.error
  documents = documents.filter(({ id }) => !ids.includes(id))
}

interface Found {
  readonly _scroll_id?: string
  readonly hits: { readonly total?: unknown; readonly hits: { readonly _id: string; readonly sort?: unknown[] }[] }
}

function answer(body: unknown, query: Record<string, unknown> = {}): Promise<Found> {
  return search.ask<Found>('events', body, { request_cache: false, ...query })
}

const ids = ({ hits }: Found): string[] => hits.hits.map(({ _id }) => _id)
const newest = [{ '@timestamp': 'desc' }]

/** The ids of what should be found first in the order of time. */
function inTime(count: number, descending: boolean, among = documents): string[] {
  const sorted = [...among].sort((a, b) => (descending ? b.time - a.time : a.time - b.time))
  return sorted.slice(0, count).map(({ id }) => id)
}

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  services = search.services
  await services.create('events', { properties: { '@timestamp': { type: 'date' }, name: { type: 'keyword' } } })
  await write(Array.from({ length: rows }, (_, at) => ({ id: `d${at}`, time: startMs + at * stepMs })))
})
afterAll(() => services.close())

/** Repeats a search until it looks in a narrow place; what it finds must be right each time. */
async function searchNarrowly(body: Record<string, unknown>, narrow: RegExp, expected: () => string[]): Promise<void> {
  // Unlike `waitFor` it ends at what is thrown.
  await vi.waitUntil(
    async () => {
      expect(ids(await answer(body))).toEqual(expected())
      return search.statements().some((text) => narrow.test(text))
    },
    { timeout: 120_000, interval: 50 },
  )
}

it('finds the newest and the oldest in a part of the table, also between bounds and from page to page', async () => {
  await searchNarrowly({ sort: newest, size: 7 }, /_time >= /, () => inTime(7, true))
  // One narrow look sufficed.
  expect(search.statements().filter((text) => text.includes('`_source`'))).toHaveLength(1)
  await searchNarrowly({ sort: [{ '@timestamp': 'asc' }], size: 7 }, /_time <= /, () => inTime(7, false))
  const lt = startMs + 9_000 * stepMs
  const before = documents.filter(({ time }) => time < lt)
  const query = { range: { '@timestamp': { lt } } }
  await searchNarrowly({ query, sort: newest, size: 7 }, /_time >= /, () => inTime(7, true, before))
  const first = await answer({ sort: newest, size: 5 })
  const after = first.hits.hits.at(-1)?.sort
  expect(ids(await answer({ sort: newest, size: 5, search_after: after }))).toEqual(inTime(10, true).slice(5))
})

it('finds the newest of a filter where it found them before, and everywhere when they lie elsewhere', async () => {
  const ending = (end: string) => ({ wildcard: { name: `d*${end}` } })
  const among = (end: string) => documents.filter(({ id }) => id.endsWith(end))
  const body = (end: string) => ({ query: { bool: { filter: [ending(end)] } }, sort: newest, size: 4 })
  await searchNarrowly(body('7'), /_time >= /, () => inTime(4, true, among('7')))
  expect(search.statements().filter((text) => text.includes('`_source`'))).toHaveLength(1)
  // The next page and another window of time are looked for as narrowly.
  const first = await answer(body('7'))
  const next = await answer({ ...body('7'), search_after: first.hits.hits.at(-1)?.sort })
  expect(ids(next)).toEqual(inTime(8, true, among('7')).slice(4))
  const lt = startMs + 6_000 * stepMs
  const query = { bool: { filter: [ending('7'), { range: { '@timestamp': { lt } } }] } }
  const before = among('7').filter(({ time }) => time < lt)
  await searchNarrowly({ query, sort: newest, size: 4 }, /_time >= /, () => inTime(4, true, before))
  // All that the filter found of late is taken away: the narrow place holds none any more.
  const gone = inTime(500, true, among('3'))
  await searchNarrowly(body('3'), /_time >= /, () => inTime(4, true, among('3')))
  await remove(gone)
  const looks = () => search.statements().filter((text) => text.includes('`_source`'))
  const page = await answer({ ...body('3'), search_after: [startMs + rows * stepMs] })
  expect(ids(page)).toEqual(inTime(4, true, among('3')))
  expect(looks().map((text) => text.includes('_time >= '))).toEqual([true, false])
  // A guess that found too little is not made again.
  expect(ids(await answer(body('3')))).toEqual(inTime(4, true, among('3')))
  expect(looks().map((text) => text.includes('_time >= '))).toEqual([false])
  await write(gone.map((id) => ({ id, time: startMs + Number(id.slice(1)) * stepMs })))
  expect(ids(await answer(body('3')))).toEqual(inTime(4, true, among('3')))
})

it('finds the newest after writes that the guess knows nothing of', async () => {
  const later = Array.from({ length: 30 }, (_, at) => ({ id: `late${at}`, time: startMs + (rows + at) * stepMs }))
  await write(later)
  expect(ids(await answer({ sort: newest, size: 20 }))).toEqual(inTime(20, true))
  const gone = inTime(40, true)
  await remove(gone)
  expect(ids(await answer({ sort: newest, size: 20 }))).toEqual(inTime(20, true))
  expect(ids(await answer({ sort: newest, size: 3_000, _source: false }))).toEqual(inTime(3_000, true))
})

it('finds the first that came in a part of the table, and when they are gone the next', async () => {
  const arrived = (count: number) => () => documents.slice(0, count).map(({ id }) => id)
  await searchNarrowly({ size: 5 }, /AND _seq <= \d+ ORDER BY `_seq` ASC/, arrived(5))
  await remove(documents.slice(0, 2_000).map(({ id }) => id))
  expect(ids(await answer({ size: 5 }))).toEqual(arrived(5)())
  await searchNarrowly({ size: 5 }, /AND _seq <= \d+ ORDER BY `_seq` ASC/, arrived(5))
})

it('finds the first matches of a filter where it found them before, and everywhere when they are gone', async () => {
  const ending = (end: string) => ({ wildcard: { name: `d*${end}` } })
  const among = (end: string) => documents.filter(({ id }) => id.startsWith('d') && id.endsWith(end))
  const arrived = (end: string, from: number, to: number) =>
    among(end)
      .slice(from, to)
      .map(({ id }) => id)
  const narrow = /AND _seq <= \d+ ORDER BY/
  const looks = () => search.statements().filter((text) => text.includes('`_source`'))
  const body = (end: string) => ({ query: { bool: { filter: ending(end) } }, size: 4 })
  await searchNarrowly(body('9'), narrow, () => arrived('9', 0, 4))
  expect(looks()).toHaveLength(1)
  // From page to page, by a score that all have as well.
  const scored = { query: { constant_score: { filter: ending('9'), boost: 1.5 } }, sort: ['_score', '_doc'], size: 4 }
  await searchNarrowly(scored, narrow, () => arrived('9', 0, 4))
  expect(looks()[0]).toMatch(/ORDER BY `_seq` ASC(, `_seq` ASC)? LIMIT/)
  const [last] = (await answer(scored)).hits.hits.slice(-1)
  expect(last?.sort?.[0]).toBe(1.5)
  expect(ids(await answer({ ...scored, search_after: last?.sort }))).toEqual(arrived('9', 4, 8))
  expect(looks()).toHaveLength(1)
  // What was found first goes, all but two in the narrow place.
  await remove(arrived('9', 2, 800))
  expect(ids(await answer(body('9')))).toEqual(arrived('9', 0, 4))
  expect(looks().map((text) => narrow.test(text))).toEqual([true, false])
  expect(ids(await answer(body('9')))).toEqual(arrived('9', 0, 4))
  expect(looks()).toHaveLength(1)
  // Fewer than asked for are looked for once each time.
  await remove(arrived('9', 3, 12_000))
  for (const tries of [2, 1]) {
    expect(ids(await answer(body('9')))).toEqual(arrived('9', 0, 4))
    expect(looks().length).toBeLessThanOrEqual(tries)
  }
})

it('finds the first of each value of a collapsed field', async () => {
  await services.create('groups', { properties: { name: { type: 'keyword' } } })
  await services.write(
    'groups',
    Array.from({ length: 6_000 }, (_, at) => [`${at}`, { name: `n${Math.floor(at / 1_500)}` }]),
  )
  const body = { collapse: { field: 'name' }, size: 3 }
  const ask = async (more: object) => ids(await search.ask<Found>('groups', { ...more }, { request_cache: false }))
  for (const size of [3, 4, 10, 3]) {
    expect(await ask({ size: 5 })).toEqual(['0', '1', '2', '3', '4'])
    expect(await ask({ ...body, size })).toEqual(['0', '1500', '3000', '4500'].slice(0, size))
  }
  const looks = search.statements().filter((text) => text.includes('`_source`'))
  expect(looks).toHaveLength(1)
})

it('finds the newest of nanoseconds from page to page', async () => {
  await services.create('nanos', { properties: { '@timestamp': { type: 'date_nanos' }, name: { type: 'keyword' } } })
  const count = 9_000
  const at = (row: number): string => new Date(startMs + Math.floor(row / 3) * stepMs).toISOString()
  await services.write(
    'nanos',
    Array.from({ length: count }, (_, row) => [
      `${row}`,
      { '@timestamp': at(row).replace('Z', `${row % 3}00001Z`), name: row % 2 === 0 ? 'even' : 'odd' },
    ]),
  )
  const nanos = [{ '@timestamp': { order: 'desc', format: 'strict_date_optional_time_nanos' } }]
  const newestFirst = Array.from({ length: count }, (_, row) => `${count - 1 - row}`)
  const even = newestFirst.filter((id) => Number(id) % 2 === 0)
  const ask = (body: object) => search.ask<Found>('nanos', { sort: nanos, size: 5, ...body }, { request_cache: false })
  const query = { term: { name: 'even' } }
  const looks = () => search.statements().filter((text) => text.includes('`_source`'))
  await vi.waitUntil(
    async () => {
      expect(ids(await ask({ query }))).toEqual(even.slice(0, 5))
      return looks().length === 1 && looks().every((text) => text.includes('_time >= '))
    },
    { timeout: 60_000, interval: 50 },
  )
  for (const [more, expected] of [
    [{ query }, even],
    [{}, newestFirst],
  ] as const) {
    let page = await ask(more)
    for (let from = 0; from < 150; from += 5) {
      expect(ids(page)).toEqual(expected.slice(from, from + 5))
      page = await ask({ ...more, search_after: page.hits.hits.at(-1)?.sort })
    }
    expect(looks().map((text) => text.includes('_time >= '))).toEqual([true])
  }
})

it('counts all documents without reading them again, as long as the writes since could not change the answer', async () => {
  const total = async (track: unknown) => (await answer({ size: 0, track_total_hits: track })).hits.total
  const there = documents.length
  expect(await total(true)).toEqual({ value: there, relation: 'eq' })
  expect(await total(true)).toEqual({ value: there, relation: 'eq' })
  expect(search.statements()).toEqual([])
  expect(await total(100)).toEqual({ value: 100, relation: 'gte' })
  expect(search.statements()).toEqual([])
  await remove([documents[0]?.id ?? ''])
  expect(await total(there - 2)).toEqual({ value: there - 2, relation: 'gte' })
  expect(search.statements()).toEqual([])
  expect(await total(there - 1)).toEqual({ value: there - 1, relation: 'eq' })
  await write([{ id: 'one more', time: startMs }])
  expect(await total(true)).toEqual({ value: there, relation: 'eq' })
})

it('answers repeated searches from what was read before, and never from before a write', async () => {
  const body = { query: { range: { '@timestamp': { gte: startMs } } }, size: 0, track_total_hits: true }
  const counted = async () => (await answer(body, { request_cache: true })).hits.total
  const there = documents.length
  // Where rows that were replaced are swept away between two searches, the second one has another snapshot, and asks.
  await vi.waitFor(async () => {
    expect(await counted()).toEqual({ value: there, relation: 'eq' })
    expect(await counted()).toEqual({ value: there, relation: 'eq' })
    expect(search.statements()).toEqual([])
  })
  await write([{ id: 'another', time: startMs + 1 }])
  expect(await counted()).toEqual({ value: there + 1, relation: 'eq' })
  expect(search.statements()).not.toEqual([])
})

it('orders rows of one time by what comes after it, also where a page ends among them', async () => {
  await services.create('ties', { properties: { '@timestamp': { type: 'date' }, place: { type: 'long' } } })
  const all = Array.from({ length: 400 }, (_, at) => ({
    id: `t${at}`,
    time: startMs + (at % 7 === 0 ? 3 : at % 5) * 1000,
    place: (at * 37) % 400,
  }))
  await services.write(
    'ties',
    all.map(({ id, time, place }) => [id, { '@timestamp': time, place }]),
  )
  const order = (descending: boolean, byPlace: boolean) =>
    all
      .map((each, arrival) => ({ ...each, arrival }))
      .sort(
        (a, b) =>
          (descending ? b.time - a.time : a.time - b.time) ||
          (byPlace ? b.place - a.place : 0) ||
          a.arrival - b.arrival,
      )
      .map(({ id }) => id)
  for (const descending of [true, false])
    for (const byPlace of [true, false])
      for (const size of [1, 3, 79, 80, 81, 200, 399, 400, 401]) {
        const sort = [{ '@timestamp': descending ? 'desc' : 'asc' }, ...(byPlace ? [{ place: 'desc' }] : [])]
        const body = { sort, size, query: { bool: { filter: { range: { place: { gte: 0, lt: 400 + size } } } } } }
        const found = await search.ask<Found>('ties', body, { request_cache: false })
        expect(ids(found)).toEqual(order(descending, byPlace).slice(0, size))
      }
})
