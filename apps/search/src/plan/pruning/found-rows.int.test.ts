import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// More than a search names one by one.
const many = 5_000
const startMs = Date.UTC(2026, 0, 1)
let search: NotedSearch

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  const { services } = search
  const properties = {
    '@timestamp': { type: 'date' },
    message: { type: 'text' },
    kind: { type: 'keyword' },
    users: { type: 'nested', properties: { name: { type: 'keyword' }, age: { type: 'long' } } },
  }
  for (const index of ['events', 'more']) await services.create(index, { properties })
  const document = (at: number): unknown => ({
    '@timestamp': new Date(startMs + at * 1000).toISOString(),
    message:
      at % 1000 === 3
        ? `a rare phrase of words${' more'.repeat((at / 1000 + 3) % 5)}`
        : 'words of a phrase that is frequent, and rare',
    kind: `k${at % 3}`,
    users: [
      { name: 'anna', age: at % 2000 },
      { name: 'bert', age: 7 },
    ],
  })
  await services.write(
    'events',
    Array.from({ length: many }, (_, at) => [`${at}`, document(at)]),
  )
  await services.write('more', [['m', document(1_003)]])
})
afterAll(() => search.services.close())

interface Answer {
  readonly hits: { readonly total: unknown; readonly hits: { readonly _id: string; readonly _score: unknown }[] }
  readonly aggregations?: { readonly kinds: { readonly buckets: readonly { readonly doc_count: number }[] } }
}

function ask(body: Record<string, unknown>, expression = 'events'): Promise<Answer> {
  return search.ask<Answer>(expression, body, 'slice' in body ? { scroll: 60_000 } : undefined)
}

const aggs = { kinds: { terms: { field: 'kind' } } }
const sort = [{ '@timestamp': 'desc' }]
const rare = { match_phrase: { message: 'rare phrase' } }
const rareIds = ['4003', '3003', '2003', '1003', '3']
const counted = (answer: Answer): number =>
  (answer.aggregations?.kinds.buckets ?? []).reduce((sum, one) => sum + one.doc_count, 0)
const lookingAtTexts = (): number => search.statements().filter((text) => text.includes('hasSubstr')).length

it('looks at the order of words once for hits, total and aggregations', async () => {
  const found = await ask({ query: { bool: { filter: rare } }, sort, aggs })
  expect(found.hits.hits.map(({ _id }) => _id)).toEqual(rareIds)
  expect([found.hits.total, counted(found), lookingAtTexts()]).toEqual([{ value: 5, relation: 'eq' }, 5, 1])
  const scored = await ask({ query: rare, aggs })
  expect([scored.hits.hits.length, scored.hits.total, counted(scored)]).toEqual([5, { value: 5, relation: 'eq' }, 5])
  expect(Number(scored.hits.hits[0]?._score)).toBeGreaterThan(0)
})

it('names only the best of them to the statement of the hits', async () => {
  const named = (text: string): number => /_seq IN \(([^)]*)\)/u.exec(text)?.[1]?.split(', ').length ?? 0
  const all = await ask({ query: rare, aggs })
  const scored = (answer: Answer) => answer.hits.hits.map(({ _id, _score }) => [_id, _score])
  const two = await ask({ query: rare, aggs, size: 2 })
  expect(scored(two)).toEqual(scored(all).slice(0, 2))
  expect(search.statements().map(named)).toContain(2)
  const latest = await ask({ query: rare, sort, aggs, size: 2 })
  expect(latest.hits.hits.map(({ _id }) => _id)).toEqual(rareIds.slice(0, 2))
  const pages = [0, 2, 4].map(async (from) => scored(await ask({ query: rare, aggs, size: 2, from })))
  expect((await Promise.all(pages)).flat()).toEqual(scored(all))
})

it.each([
  ['a slice', { slice: { id: 0, max: 2 } }],
  ['a filter of hits only', { post_filter: { range: { '@timestamp': { gte: startMs + 2_000_000 } } } }],
  ['a number to count to', { track_total_hits: 3 }],
])('finds the same with %s as in the statement itself', async (_what, more) => {
  const all = { bool: { filter: [{ bool: { should: [rare, { term: { kind: 'none' } }] } }] } }
  const dear = await ask({ query: all, sort, aggs, ...more })
  const ids = { ids: { values: rareIds } }
  const cheap = await ask({ query: ids, sort, aggs, ...more })
  expect([dear.hits.hits.map(({ _id }) => _id), dear.hits.total, dear.aggregations]).toEqual([
    cheap.hits.hits.map(({ _id }) => _id),
    cheap.hits.total,
    cheap.aggregations,
  ])
})

it('finds nothing, and what is in several tables', async () => {
  const nothing = await ask({ query: { bool: { filter: { match_phrase: { message: 'phrase words' } } } }, aggs })
  expect([nothing.hits.hits, nothing.hits.total, counted(nothing)]).toEqual([[], { value: 0, relation: 'eq' }, 0])
  const both = await ask({ query: { bool: { filter: rare } }, aggs }, 'events,more')
  expect([both.hits.hits.length, both.hits.total, counted(both)]).toEqual([6, { value: 6, relation: 'eq' }, 6])
})

it('leaves what is many to the statements, and does not look for it twice', async () => {
  const frequent = {
    query: { bool: { filter: { match_phrase: { message: 'a phrase' } } } },
    track_total_hits: true,
    sort,
    aggs,
  }
  const looks: number[] = []
  for (const _ of [1, 2]) {
    const found = await ask(frequent)
    expect([found.hits.total, counted(found)]).toEqual([{ value: many - 5, relation: 'eq' }, many - 5])
    looks.push(search.statements().filter((text) => text.startsWith('SELECT _seq FROM')).length)
  }
  expect(looks).toEqual([1, 0])
})

it('finds nested objects and patterns of words', async () => {
  const both = { bool: { must: [{ term: { 'users.name': 'anna' } }, { term: { 'users.age': 17 } }] } }
  const nested = await ask({ query: { nested: { path: 'users', query: both } }, aggs })
  expect([nested.hits.hits.map(({ _id }) => _id), counted(nested)]).toEqual([['17', '2017', '4017'], 3])
  const pattern = await ask({ query: { bool: { must_not: { wildcard: { message: 'fre*ent' } } } }, aggs, sort })
  expect([pattern.hits.hits.map(({ _id }) => _id), counted(pattern)]).toEqual([rareIds, 5])
})
