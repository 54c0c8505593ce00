import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

// Rows that were deleted lie beside the parts of the engine for a while: hits are read in two steps then, and are the same.

const startMs = Date.UTC(2026, 0, 1)
const count = 900
let search: NotedSearch

interface Answer {
  readonly hits: {
    readonly hits: readonly { readonly _id: string; readonly sort?: unknown[]; readonly _source?: unknown }[]
  }
}

const sourceOf = (n: number) => ({
  ...(n % 11 === 0 ? {} : { '@timestamp': new Date(startMs + ((n * 37) % 200) * 1000).toISOString() }),
  ...(n % 7 === 0 ? {} : { size: (n * 101) % 50 }),
  host: `host-${n % 5}`,
  text: n % 3 === 0 ? 'red green' : n % 2 === 0 ? 'green' : 'blue green green',
})
const isDeleted = (n: number): boolean => n % 3 === 1

beforeAll(async () => {
  search = await openNotedSearch(() => startMs)
  const { services } = search
  const properties = {
    '@timestamp': { type: 'date' },
    size: { type: 'long' },
    host: { type: 'keyword' },
    text: { type: 'text' },
  } as const
  const all = Array.from({ length: count }, (_, n) => n)
  for (const name of ['patched', 'plain']) await services.create(name, { properties })
  const document = (n: number): [string, object] => [String(n), sourceOf(n)]
  await services.write('plain', all.filter((n) => !isDeleted(n)).map(document))
  await services.write('patched', all.map(document))
  const deleted = all.filter(isDeleted).map((n) => ({ action: 'delete' as const, index: 'patched', id: String(n) }))
  await services.documents.apply(deleted)
  const table = services.catalogue.index('patched')?.table ?? 0
  await services.documents.shown([table])
  // Many rows are deleted in the engine soon.
  await vi.waitFor(() => expect(services.documents.visibility(table).dead).toEqual([]), { timeout: 60_000 })
})
afterAll(() => search.services.close())

const requests: Readonly<Record<string, object>> = {
  'by a number': { sort: [{ size: 'desc' }, { '@timestamp': 'asc' }], size: 20 },
  'by a number, with missing ones': { sort: [{ size: { order: 'asc', missing: '_first' } }], size: 300 },
  'by time, of a host': { query: { term: { host: 'host-3' } }, sort: [{ '@timestamp': 'desc' }], size: 50 },
  'by time, all': { sort: [{ '@timestamp': 'desc' }], size: 30 },
  'by score': { query: { match: { text: 'red blue' } }, size: 15 },
  'by arrival': { query: { range: { size: { gte: 40 } } }, sort: ['_doc'], size: 25 },
  'from a place on': { sort: [{ size: 'desc' }, { host: 'asc' }], search_after: [30, 'host-2'], size: 40 },
  'the first of each host': { sort: [{ size: 'desc' }], collapse: { field: 'host' }, size: 3 },
  'of a phrase': { query: { match_phrase: { text: 'blue green' } }, sort: [{ size: 'asc' }], size: 9 },
}

it.each(Object.entries(requests))('finds the same %s', async (what, request) => {
  const [patched, plain] = [await search.ask<Answer>('patched', request), await search.ask<Answer>('plain', request)]
  // Each index counts arrivals by itself.
  const sorted = what !== 'by arrival'
  const shown = ({ hits }: Answer) => hits.hits.map(({ _id, sort, _source }) => [_id, sorted && sort, _source])
  expect(shown(plain).length).toBeGreaterThan(2)
  expect(shown(patched)).toEqual(shown(plain))
})

it('reads whole rows of those alone that it shows', async () => {
  await search.ask('patched', requests['by a number'])
  expect(search.statements().some((each) => each.includes('_seq IN (SELECT _seq'))).toBe(true)
  await search.ask('plain', requests['by a number'])
  expect(search.statements().some((each) => each.includes('_seq IN (SELECT _seq'))).toBe(false)
})
