import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { columnValues } from '../../documents/column-values.ts'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// Enough rows for a handful of granules, so that the newest of a table are fewer than all of it.
const rows = 16_000
const startMs = Date.UTC(2026, 0, 1)

interface Document {
  readonly '@timestamp'?: string
  readonly kind: string
  readonly level?: string
  readonly n: number
}

/** Kinds that are everywhere, among the oldest only, newest, or without a time; three documents have each time. */
function document(n: number): Document {
  const kind = n < 40 ? 'old' : n === rows - 5 ? 'single' : n % 900 === 7 ? 'rare' : `k${n % 3}`
  const at = { '@timestamp': new Date(startMs + Math.floor(n / 3) * 60_000).toISOString() }
  const hasTime = n % 50 !== 1 && kind !== 'rare'
  return { ...(hasTime || n < 9_000 ? at : {}), kind, ...(n % 4 === 0 ? {} : { level: `l${n % 2}` }), n }
}
const documents = Array.from({ length: rows }, (_, n) => document(n))

let search: NotedSearch

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  columnValues(search.services, { rowsMin: 0 })
  const keyword = { type: 'keyword' }
  const properties = { '@timestamp': { type: 'date' }, kind: keyword, level: keyword, n: { type: 'long' } }
  await search.services.create('events', { properties })
  await search.services.write(
    'events',
    documents.map((each) => [String(each.n), each]),
  )
}, 60_000)
afterAll(() => search.services.close())

/** The first documents by time, the newest first, and those without one last. */
function newest(of: (document: Document) => boolean, count: number): Document[] {
  const timeOf = ({ '@timestamp': at }: Document) => (at === undefined ? Number.NEGATIVE_INFINITY : Date.parse(at))
  return documents
    .filter(of)
    .toSorted((a, b) => (timeOf(a) === timeOf(b) ? a.n - b.n : timeOf(b) > timeOf(a) ? 1 : -1))
    .slice(0, count)
}

interface Bucket {
  readonly key: unknown
  readonly doc_count: number
  readonly top: { readonly hits: { readonly hits: readonly { readonly _id: string }[] } }
  readonly last: { readonly top: readonly { readonly metrics: { readonly n: number } }[] }
  readonly level: { readonly buckets: readonly Bucket[] }
}
interface Answer {
  readonly aggregations: { readonly kinds: { readonly buckets: readonly Bucket[] }; readonly some: Bucket }
}

const sort = [{ '@timestamp': 'desc' }]
const top = { top_hits: { size: 4, sort, _source: false } }
const last = { top_metrics: { metrics: { field: 'n' }, sort: { '@timestamp': 'desc' } } }

/** The answer, once it looks among the newest rows, and how many such looks there were. */
async function asked(aggs: object, query: object = { match_all: {} }) {
  // Unlike `waitFor` it ends at what is thrown.
  return vi.waitUntil(async () => {
    const { aggregations } = await search.ask<Answer>('events', { size: 0, query, aggs })
    return search.statements().some((text) => /`z\d+` >= \d/u.test(text)) && aggregations
  }, 10_000)
}

const ids = ({ top: { hits } }: Bucket) => hits.hits.map(({ _id }) => _id)
const idsOf = (of: (document: Document) => boolean) => newest(of, 4).map(({ n }) => String(n))

describe('the newest of a bucket', () => {
  it('are found among the newest rows, and among all of them where these hold too few', async () => {
    const { kinds } = await asked({ kinds: { terms: { field: 'kind' }, aggs: { top } } })
    expect(kinds.buckets.map(({ key }) => key).toSorted()).toEqual(['k0', 'k1', 'k2', 'old', 'rare', 'single'])
    for (const bucket of kinds.buckets) {
      expect(bucket.doc_count).toBe(newest(({ kind }) => kind === bucket.key, rows).length)
      expect(ids(bucket)).toEqual(idsOf(({ kind }) => kind === bucket.key))
    }
  })

  it('are found by several keys, by time and beside other metrics', async () => {
    const most = { max: { field: 'n' } }
    const level = { terms: { field: 'level' }, aggs: { most, top, last } }
    const { kinds } = await asked({ kinds: { terms: { field: 'kind', size: 4 }, aggs: { level } } })
    for (const { key, level: levels } of kinds.buckets)
      for (const bucket of levels.buckets) {
        const of = (each: Document) => each.kind === key && each.level === bucket.key
        expect(ids(bucket)).toEqual(idsOf(of))
        const timed = newest((each) => of(each) && each['@timestamp'] !== undefined, 1)
        expect(bucket.last.top.length).toBe(timed.length)
        // Of one time `top_metrics` takes any.
        for (const { metrics } of bucket.last.top)
          expect(documents[metrics.n]?.['@timestamp']).toBe(timed[0]?.['@timestamp'])
      }
  })

  it('are found in a bucket of a filter, and of those between times', async () => {
    const { some } = await asked({ some: { filter: { term: { kind: 'k1' } }, aggs: { top } } })
    expect(ids(some)).toEqual(idsOf(({ kind }) => kind === 'k1'))
    const until = new Date(startMs + 4_000 * 60_000).toISOString()
    const query = { range: { '@timestamp': { lte: until } } }
    const { kinds } = await asked({ kinds: { terms: { field: 'kind' }, aggs: { top } } }, query)
    for (const bucket of kinds.buckets)
      expect(ids(bucket)).toEqual(idsOf(({ kind, '@timestamp': at = '9' }) => kind === bucket.key && at <= until))
  })
})
