import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'

let search: NotedSearch
const documents = Array.from({ length: 200 }, (_, n) => ({ n }))

beforeAll(async () => {
  search = await openNotedSearch(Date.now)
  await search.services.create('filtered', { properties: { n: { type: 'long' } } })
  await search.services.write(
    'filtered',
    documents.map((document) => [String(document.n), document]),
  )
})
afterAll(() => search.services.close())

interface Answer {
  readonly aggregations: { readonly a: { readonly buckets: unknown } }
}

const bucketsOf = async (a: object) =>
  (await search.ask<Answer>('filtered', { size: 0, aggs: { a } })).aggregations.a.buckets

/** Of the numbers those that a filter finds: beyond the last list of them, too. */
const isIn = (filter: number, n: number) => n % 70 === filter || (filter === 69 && n < 3)
const filterOf = (filter: number) => ({
  terms: { n: documents.flatMap(({ n }) => (isIn(filter, n) ? [n] : [])) },
})

it('counts what each of many filters finds, and what none does', async () => {
  const filters = Array.from({ length: 70 }, (_, filter) => filterOf(filter)).filter((_, filter) => filter !== 40)
  const found = documents.map(({ n }) =>
    Array.from({ length: 70 }, (_, at) => at).filter((at) => at !== 40 && isIn(at, n)),
  )
  const counts = Array.from({ length: 70 }, (_, at) => at)
    .filter((at) => at !== 40)
    .map((at) => ({ doc_count: found.filter((of) => of.includes(at)).length }))
  const others = { doc_count: found.filter((of) => of.length === 0).length }
  expect(others.doc_count).toBeGreaterThan(0)
  expect(await bucketsOf({ filters: { filters, other_bucket: true } })).toEqual([...counts, others])
})

it('counts what two of many filters find together', async () => {
  const names = Array.from({ length: 70 }, (_, at) => `f${String(at).padStart(2, '0')}`)
  const filters = Object.fromEntries(names.map((name, at) => [name, filterOf(at)]))
  const buckets = await bucketsOf({ adjacency_matrix: { filters } })
  const counted = new Map<string, number>()
  for (const { n } of documents) {
    const held = names.filter((_, at) => isIn(at, n))
    for (const [at, name] of held.entries())
      for (const other of held.slice(at)) {
        const key = name === other ? name : `${name}&${other}`
        counted.set(key, (counted.get(key) ?? 0) + 1)
      }
  }
  const wanted = [...counted].map(([key, doc_count]) => ({ key, doc_count }))
  expect(buckets).toEqual(wanted.sort((a, b) => (a.key < b.key ? -1 : 1)))
  expect(wanted.map(({ key }) => key)).toContain('f00&f69')
})
