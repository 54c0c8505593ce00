import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

let search: NotedSearch

/** Values that are many, missing and alike, so that the order of arrival decides, too. */
const documents = Array.from({ length: 400 }, (_, n) => ({
  '@timestamp': new Date(Date.UTC(2026, 10, 21, 8) + ((n * 37) % 50) * 1_000).toISOString(),
  n,
  ...(n % 9 === 0 ? {} : { group: `g${(n * n) % 23}` }),
  ...(n % 5 === 0 ? {} : { half: (((n * 11) % 7) - 3) / 2 }),
  ...(n % 8 === 0 ? {} : { name: `k${(n * 7) % 13}` }),
  far: (n * 13) % 6,
  text: `fox ${'quick '.repeat(n % 4)}`,
}))

beforeAll(async () => {
  search = await openNotedSearch(Date.now)
  for (const [index, type] of [
    ['few-1', 'long'],
    ['few-2', 'double'],
  ] as const) {
    await search.services.create(index, {
      properties: {
        '@timestamp': { type: 'date' },
        n: { type: 'integer' },
        group: { type: 'keyword' },
        half: { type: 'double' },
        name: { type: 'keyword' },
        far: { type },
        text: { type: 'text' },
      },
    })
    const own = documents.filter(({ n }) => (n % 3 === 0) === (index === 'few-2'))
    await search.services.write(
      index,
      own.map((document) => [String(document.n), document]),
    )
  }
})
afterAll(() => search.services.close())

interface FoundHit {
  readonly _id: string
  readonly _score: number | null
  readonly sort?: readonly unknown[]
  readonly fields?: Readonly<Record<string, readonly unknown[]>>
  readonly inner_hits?: Readonly<Record<string, Found>>
}

interface Found {
  readonly hits: { readonly total: unknown; readonly max_score: number | null; readonly hits: readonly FoundHit[] }
}

const ask = async (body: object, indices: string) => (await search.ask<Found>(indices, body)).hits.hits

const orders: Readonly<Record<string, object>> = {
  'by arrival': {},
  'by time': { sort: [{ '@timestamp': 'desc' }] },
  'by time, the oldest first': { sort: ['@timestamp', { half: 'desc' }] },
  'by doubles': { sort: [{ half: 'desc' }] },
  'by doubles, missing ones first': { sort: [{ half: { missing: '_first' } }, { n: 'desc' }] },
  'by arrival, the last first': { sort: [{ _doc: 'desc' }] },
  'by a number and the last arrival': { sort: ['far', { _doc: 'desc' }] },
  'by texts': { sort: ['name', { far: 'desc' }] },
  'by four numbers': { sort: ['far', { half: 'desc' }, { '@timestamp': 'desc' }, { n: 'desc' }] },
  'by score': { query: { match: { text: 'quick' } } },
}

it.each(Object.entries(orders))('finds the first hit of each value among all hits: %s', async (_, body) => {
  for (const indices of ['few-1', 'few-1,few-2']) {
    const all = await ask({ ...body, size: documents.length }, indices)
    const groupOf = (id: string) => documents[Number(id)]?.group
    const firsts = all.filter(({ _id }, at) => all.findIndex((one) => groupOf(one._id) === groupOf(_id)) === at)
    for (const size of [1, 7, 100]) {
      const found = await ask({ ...body, size, collapse: { field: 'group' } }, indices)
      expect(found.map(({ _id, sort }) => [_id, sort])).toEqual(
        firsts.slice(0, size).map(({ _id, sort }) => [_id, sort]),
      )
    }
  }
})

const ofValue = (field: string, value: unknown) =>
  value === undefined ? { bool: { must_not: { exists: { field } } } } : { term: { [field]: value } }

it.each(Object.entries(orders))('shows in each hit what a search for its value finds: %s', async (_, body) => {
  const { query = { match_all: {} }, ...order } = body as { query?: object }
  for (const indices of ['few-1', 'few-1,few-2'])
    for (const [field, more] of [
      ['group', { size: 3, from: 1, _source: ['n'] }],
      ['half', { size: 5, collapse: { field: 'group' } }],
    ] as const) {
      const own = { ...order, ...more }
      const post_filter = { range: { n: { lt: 300 } } }
      const collapse = { field, inner_hits: { name: 'own', ...own } }
      const found = await ask({ query, post_filter, size: 100, sort: 'n', collapse }, indices)
      expect(found.length).toBeGreaterThan(5)
      for (const hit of found) {
        const filter = [post_filter, ofValue(field, hit.fields?.[field]?.[0])]
        const alone = await search.ask<Found>(indices, {
          ...own,
          track_total_hits: true,
          query: { bool: { must: query, filter } },
        })
        expect(hit.inner_hits?.['own']?.hits).toEqual(alone.hits)
      }
    }
})
