import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

const startMs = Date.UTC(2026, 0, 1)
const documents = 120
let search: NotedSearch

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  const properties = {
    '@timestamp': { type: 'date' },
    kind: { type: 'keyword' },
    host: { type: 'keyword' },
    n: { type: 'long' },
    tags: { type: 'keyword' },
    message: { type: 'text' },
  }
  await search.services.create('events', { properties })
  await search.services.write(
    'events',
    Array.from({ length: documents }, (_, at) => [
      `${at}`,
      {
        '@timestamp': new Date(startMs + at * 60_000).toISOString(),
        kind: at % 4 === 0 ? 'left' : 'kept',
        // Most have no host, so that this is the largest group; one in six has no number, some have several tags.
        ...(at % 3 === 0 ? { host: `host-${at % 5}` } : {}),
        ...(at % 6 === 0 ? {} : { n: at }),
        tags: at % 2 === 0 ? ['a', 'b'] : 'a',
        message: at % 10 === 1 ? 'connection closed' : 'connection opened',
      },
    ]),
  )
})
afterAll(() => search.services.close())

const kept = { term: { kind: 'kept' } }
const expected = documents - documents / 4
interface Answer {
  readonly hits: { readonly total: { readonly value: number; readonly relation: string } }
  readonly aggregations: Record<string, { readonly buckets: readonly { key: unknown; doc_count: number }[] }>
}

async function ask(aggs: object, body: object = {}) {
  const given = { query: kept, size: 0, track_total_hits: true, aggs, ...body }
  const { hits, aggregations } = await search.ask<Answer>('events', given)
  return { total: hits.total, aggregations, asked: search.statements().length }
}

const host = { terms: { field: 'host', size: 2 } }
const aggregations: readonly (readonly [string, object, number])[] = [
  ['a histogram of time', { a: { date_histogram: { field: '@timestamp', fixed_interval: '7m' } } }, 1],
  ['a histogram of numbers that not all have', { a: { histogram: { field: 'n', interval: 10 } } }, 1],
  ['values that most have not', { a: host }, 1],
  ['values under a filter of keys', { a: { terms: { field: 'host', exclude: 'host-0' } } }, 1],
  ['values with metrics', { a: { ...host, aggs: { m: { max: { field: 'n' } } } } }, 1],
  ['spans of numbers', { a: { range: { field: 'n', ranges: [{ to: 30 }, { from: 30, to: 60 }] } } }, 1],
  ['a metric', { a: { sum: { field: 'n' } } }, 1],
  ['a round histogram of time', { a: { auto_date_histogram: { field: '@timestamp', buckets: 5 } } }, 2],
  // Of these nobody comes across all rows once.
  ['spans that overlap', { a: { range: { field: 'n', ranges: [{ to: 30 }, { from: 20 }] } } }, 2],
  ['values that some have several of', { a: { terms: { field: 'tags' } } }, 2],
  ['a filter', { a: { filter: { term: { tags: 'b' } } } }, 2],
  ['frequent values only', { a: { terms: { field: 'host', min_doc_count: 2 } } }, 2],
  ['all documents', { a: { global: {}, aggs: { b: host } } }, 3],
]

it.each(aggregations)('counts what a search finds beside or on the way to %s', async (_what, aggs, statements) => {
  const found = await ask(aggs)
  expect(found).toMatchObject({ total: { value: expected, relation: 'eq' }, asked: statements })
  // As with a total that is not asked for.
  expect(found.aggregations).toEqual((await ask(aggs, { track_total_hits: false })).aggregations)
  expect(await ask(aggs, { track_total_hits: expected })).toMatchObject({ total: { value: expected, relation: 'eq' } })
  expect(await ask(aggs, { track_total_hits: 20 })).toMatchObject({ total: { value: 20, relation: 'gte' } })
  expect(await ask(aggs, { query: { term: { kind: 'none' } } })).toMatchObject({ total: { value: 0, relation: 'eq' } })
})

it('leaves rows without a value out of buckets, of the rest and of the most there may be', async () => {
  const hosts = (size: number) => ask({ a: { terms: { field: 'host', size } } })
  const all = (await hosts(10)).aggregations['a']?.buckets ?? []
  const withHost = Array.from({ length: documents }, (_, at) => at).filter((at) => at % 3 === 0 && at % 4 !== 0)
  expect(all.map(({ key }) => key).sort()).toEqual(['host-0', 'host-1', 'host-2', 'host-3', 'host-4'])
  expect(all.reduce((sum, { doc_count }) => sum + doc_count, 0)).toBe(withHost.length)
  for (const size of [1, 5, 6]) {
    const { buckets = [], ...rest } = (await hosts(size)).aggregations['a'] ?? {}
    expect(buckets).toEqual(all.slice(0, size))
    const shown = buckets.reduce((sum, { doc_count }) => sum + doc_count, 0)
    expect(rest).toMatchObject({ sum_other_doc_count: withHost.length - shown })
  }
})

const numbers = { histogram: { field: 'n', interval: 25 } }
const times = { date_histogram: { field: '@timestamp', fixed_interval: '30m' } }
const halves = { range: { field: 'n', ranges: [{ to: 50 }, { from: 50 }] } }
const overlapping = { filters: { filters: { odd: { term: { tags: 'a' } }, even: { term: { tags: 'b' } } } } }
const frequent = { terms: { field: 'host', min_doc_count: 0 } }

it.each([
  ['of times by numbers that not all have', { a: times }, { b: numbers }, 1],
  ['of numbers by times', { a: numbers }, { b: times }, 1],
  ['that overlap by numbers', { a: overlapping }, { b: numbers }, 2],
  ['of spans by times and by numbers', { a: halves }, { c: times, b: numbers }, 2],
  ['of times, three deep', { a: times }, { b: { ...halves, aggs: { c: numbers } } }, 2],
  ['with metrics', { a: times }, { b: numbers, m: { max: { field: 'n' } } }, 2],
  ['by values without documents', { a: times }, { b: frequent }, 4],
  [
    'in the order of their counts',
    { a: { date_histogram: { ...times.date_histogram, order: { _count: 'desc' } } } },
    { b: numbers },
    1,
  ],
])('finds the same buckets with others below them as without, %s', async (_what, above, below, statements) => {
  for (const query of [kept, { match_all: {} }, { term: { kind: 'none' } }]) {
    const plain = await ask(above, { query })
    const nested = await ask({ a: { ...above.a, aggs: below } }, { query })
    const shown = JSON.stringify(nested.aggregations['a'], (name, value: unknown) =>
      name === 'b' || name === 'c' || name === 'm' ? undefined : value,
    )
    expect(JSON.parse(shown)).toEqual(plain.aggregations['a'])
    expect(nested.total).toEqual(plain.total)
    if (query === kept) expect(nested.asked).toBe(statements)
  }
})

it('counts hits of a filter beside the query by themselves', async () => {
  const aggs = { a: { date_histogram: { field: '@timestamp', fixed_interval: '7m' } } }
  const found = await ask(aggs, { post_filter: { term: { host: 'host-3' } } })
  const hits = Array.from({ length: documents }, (_, at) => at).filter((at) => at % 15 === 3 && at % 4 !== 0)
  expect(found).toMatchObject({ total: { value: hits.length, relation: 'eq' }, asked: 2 })
})

it('looks words up for the statements only that read them', async () => {
  const words = {
    filters: { filters: { closed: { match: { message: 'closed' } }, opened: { match: { message: 'opened' } } } },
  }
  const found = await ask({ words, time: { date_histogram: { field: '@timestamp', fixed_interval: '1h' } } })
  expect(found.aggregations['words']?.buckets).toMatchObject({ closed: { doc_count: 12 }, opened: { doc_count: 78 } })
  const looked = search.statements().map((text) => text.split('groupBitmapState').length - 1)
  expect(looked.sort()).toEqual([0, 2])
})

it('fails with the error of an aggregation while its total is waited for', async () => {
  await expect(ask({ a: { terms: { field: 'host', order: { nothing: 'asc' } } } }, { size: 5 })).rejects.toMatchObject({
    code: 'search_phase_execution_exception',
  })
})
