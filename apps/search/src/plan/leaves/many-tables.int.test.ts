import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// Indices of one name but for numbers lie in one table, so these are in tables of their own; more of them than are read at once.
const letters = 'abcdefghijk'
const families = letters.length
const nameOf = (family: number): string => `family-${letters[family]}`
const startMs = Date.UTC(2026, 0, 1)

interface Written {
  readonly id: string
  readonly index: string
  /** Milliseconds; undefined of a document without a time. */
  readonly time: number | undefined
  readonly n: number
}

/** Some families lie apart in time, others beside each other, two have few documents, and some documents have no time or that of another. */
const documents: readonly Written[] = Array.from({ length: families }, (_, family) =>
  Array.from({ length: family % 5 === 4 ? 3 : 60 }, (_, at): Written => {
    const n = family * 1000 + at
    const time = startMs + (family % 3 === 0 ? family * 1_000_000 : 0) + ((at * 37) % 50) * 1000
    return { id: `d${n}`, index: nameOf(family), time: at % 13 === 5 ? undefined : time, n }
  }),
).flat()

let search: NotedSearch
beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  for (let family = 0; family < families; family += 1) {
    await search.services.create(nameOf(family), {
      properties: { '@timestamp': { type: 'date' }, n: { type: 'long' }, word: { type: 'keyword' } },
    })
  }
  // In an order of arrival that goes over all tables.
  for (let step = 0; step < 60; step += 20)
    for (let family = 0; family < families; family += 1) {
      const index = nameOf(family)
      const some = documents.filter((one) => one.index === index).slice(step, step + 20)
      const sourceOf = ({ time, n }: Written) => ({
        ...(time === undefined ? {} : { '@timestamp': new Date(time).toISOString() }),
        n,
        word: n % 2 === 0 ? 'even' : 'odd',
      })
      await search.services.write(
        index,
        some.map((one) => [one.id, sourceOf(one)]),
      )
    }
}, 120_000)
afterAll(() => search.services.close())

interface Found {
  readonly hits: { readonly hits: { readonly _id: string; readonly sort?: unknown[] }[] }
}

async function ids(body: object): Promise<string[]> {
  const { hits } = await search.ask<Found>('family-*', { _source: false, ...body }, { request_cache: false })
  return hits.hits.map(({ _id }) => _id)
}

/** In the order of time and, among equals, of `n`. */
function inTime(descending: boolean, among = documents): string[] {
  const sign = descending ? -1 : 1
  return among
    .toSorted((a, b) => {
      if (a.time === undefined || b.time === undefined)
        return a.time === b.time ? a.n - b.n : a.time === undefined ? 1 : -1
      return sign * (a.time - b.time) || a.n - b.n
    })
    .map(({ id }) => id)
}

const byTime = (order: string) => [{ '@timestamp': order }, { n: 'asc' }]

it.each([1, 7, 50, 300, 600])('finds the first %i in time of all tables', async (size) => {
  for (const order of ['desc', 'asc']) {
    const expected = inTime(order === 'desc').slice(0, size)
    expect(await ids({ size, sort: byTime(order) })).toEqual(expected)
  }
})

it('finds them among what a query finds, and from page to page', async () => {
  const query = { term: { word: 'even' } }
  const even = inTime(
    true,
    documents.filter(({ n }) => n % 2 === 0),
  )
  expect(await ids({ query, size: 40, sort: byTime('desc') })).toEqual(even.slice(0, 40))
  const pages: string[] = []
  for (let after: unknown[] | undefined, count = 1; count > 0; ) {
    const page: Found = await search.ask('family-b,family-c,family-d,family-e,family-f,family-k', {
      size: 17,
      _source: false,
      sort: byTime('desc'),
      ...(after ? { search_after: after } : {}),
    })
    const found = page.hits.hits
    count = found.length
    pages.push(...found.map(({ _id }) => _id))
    after = found.at(-1)?.sort
  }
  const among = documents.filter(({ index }) => /^family-[bcdefk]$/.test(index))
  expect(pages).toEqual(inTime(true, among))
})

it('finds those that came first', async () => {
  const found = await ids({ size: 45 })
  expect(found).toHaveLength(45)
  const all = await ids({ size: 1000, sort: ['_doc'] })
  expect(all).toHaveLength(documents.length)
  expect(found).toEqual(all.slice(0, 45))
})

it('leaves out tables that end before the time that is asked for, until something comes that does not', async () => {
  const tablesOf = () => new Set(search.statements().flatMap((text) => /FROM `(events_\d+)`/u.exec(text)?.[1] ?? []))
  // Five of the eleven go on beyond it.
  const gte = startMs + 60_000
  const query = { range: { '@timestamp': { gte } } }
  const late = () => documents.filter(({ time }) => time !== undefined && time >= gte)
  const sort = byTime('desc')
  // How late each goes is asked for in the background.
  await vi.waitUntil(async () => {
    expect(await ids({ query, size: 600, sort })).toEqual(inTime(true, late()))
    return tablesOf().size === 3
  }, 60_000)
  const body = {
    query,
    size: 0,
    track_total_hits: true,
    aggs: { words: { terms: { field: 'word', min_doc_count: 0 } } },
  }
  const answer = await search.ask<{
    hits: { total: { value: number } }
    aggregations: { words: { buckets: { key: string; doc_count: number }[] } }
  }>('family-*', body)
  expect(answer.hits.total.value).toBe(late().length)
  const even = late().filter(({ n }) => n % 2 === 0).length
  expect(answer.aggregations.words.buckets.map(({ key, doc_count }) => [key, doc_count]).sort()).toEqual([
    ['even', even],
    ['odd', late().length - even],
  ])
  expect(await ids({ query: { range: { '@timestamp': { gt: startMs + 1e9 } } }, size: 5 })).toEqual([])
  const source = { '@timestamp': new Date(gte).toISOString(), n: 99_999, word: 'odd' }
  await search.services.write(nameOf(1), [['late', source]])
  expect(await ids({ query, size: 600, sort })).toEqual([...inTime(true, late()), 'late'])
  expect(tablesOf().size).toBe(4)
})

it('reads no table that begins behind the first, in time or by arrival', async () => {
  const most = 4
  const tablesRead = () =>
    new Set(search.statements().flatMap((text) => /FROM `(events_\d+)`.* LIMIT/u.exec(text)?.[1] ?? [])).size
  await vi.waitUntil(async () => {
    expect(await ids({ size: 20, sort: byTime('desc') })).toEqual(inTime(true).slice(0, 20))
    return tablesRead() <= most
  }, 60_000)
  const came = await ids({ size: 1000, sort: ['_doc'] })
  expect(await ids({ size: 5 })).toEqual(came.slice(0, 5))
  expect(tablesRead()).toBeLessThanOrEqual(most)
})

it('reads no more of the later tables than can be among the first', async () => {
  // Six that go on to the same time, of which four are read at once.
  await search.ask('family-b,family-c,family-f,family-h,family-i,family-k', { size: 20, sort: byTime('desc') })
  expect(search.statements().filter((text) => /`_time` >= \d+ ORDER BY/u.test(text)).length).toBeGreaterThanOrEqual(2)
})
