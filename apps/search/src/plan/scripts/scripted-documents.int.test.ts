import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../../testing/noted-search.ts'
import { reasonsOf } from '../../testing/reasons-of.ts'
import { scriptedDocumentsMax, scriptedPageRows } from './scripted-documents.ts'

let search: NotedSearch
const count = scriptedDocumentsMax + 1
const stated = { script: { script: "doc['n'].value % 1000 == 7" } }
/** The same in words that SQL does not say. */
const mostly = { script: { script: "for (def n : doc['n']) { if (n % 1000 == 7) return true } return false" } }

interface Answer {
  readonly hits: {
    readonly total: { readonly value: number }
    readonly hits: readonly { readonly _id: string; readonly _score: number; readonly sort?: unknown[] }[]
  }
  readonly aggregations: Readonly<Record<string, { readonly value: number; readonly buckets: readonly unknown[] }>>
}

beforeAll(async () => {
  search = await openNotedSearch(Date.now)
  await search.services.create('many', { properties: { n: { type: 'long' } } })
  const atOnce = 20_000
  for (let from = 0; from < count; from += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - from) }, (_, at) => from + at)
    await search.services.write(
      'many',
      some.map((n) => [String(n), { n }]),
    )
  }
})
afterAll(() => search.services.close())

it('looks for the documents of a script once and reads them by their numbers', async () => {
  const few = 2 * scriptedPageRows + 1
  const query = { bool: { filter: [mostly, { range: { n: { lt: few } } }] } }
  const answer = await search.ask<{ hits: { total: { value: number } } }>('many', { size: 0, query })
  expect(answer.hits.total.value).toBe(10)
  const asked = search.statements()
  expect(asked.filter((each) => each.includes('_source')).length).toBe(3)
  expect(asked.filter((each) => each.includes('_source')).every((each) => each.includes('_seq IN ('))).toBe(true)
})

it('refuses what would be too many before it reads one', async () => {
  expect(await reasonsOf(search.ask('many', { size: 0, query: mostly }))).toContain('read at most [100000] documents')
  expect(search.statements().some((each) => each.includes('_source'))).toBe(false)
  const answer = await search.ask<{ hits: { total: { value: number } } }>('many', {
    size: 0,
    track_total_hits: true,
    query: { bool: { filter: [mostly, { range: { n: { gt: 0 } } }] } },
  })
  expect(answer.hits.total.value).toBe(100)
})

it('says simple scripts in SQL over any number of documents, and reads none', async () => {
  const found = await search.ask<Answer>('many', { size: 0, track_total_hits: true, query: stated })
  expect(found.hits.total.value).toBe(100)
  expect(search.statements().some((each) => each.includes('_source'))).toBe(false)
  const { aggregations } = await search.ask<Answer>('many', {
    size: 0,
    runtime_mappings: {
      half: { type: 'double', script: "emit(doc['n'].value / 2.0)" },
      quarter: { type: 'double', script: "emit(doc['half'].value / 2)" },
    },
    aggs: {
      sum: { sum: { script: "doc['n'].value / 1024" } },
      last: { terms: { script: "doc['n'].value % 3 == 0 ? 'three' : 'other'" } },
      quarter: { max: { field: 'quarter' } },
    },
  })
  let sum = 0
  for (let n = 0; n < count; n += 1) sum += Math.floor(n / 1024)
  expect(aggregations['sum']?.value).toBe(sum)
  expect(aggregations['last']?.buckets).toEqual([
    { key: 'other', doc_count: Math.floor((count * 2) / 3) },
    { key: 'three', doc_count: Math.ceil(count / 3) },
  ])
  expect(aggregations['quarter']?.value).toBe((count - 1) / 4)
  expect(search.statements().some((each) => each.includes('_source'))).toBe(false)
})

it('sorts and scores that many by them', async () => {
  const script = "doc['n'].value % 77"
  const sorted = await search.ask<Answer>('many', {
    size: 2,
    sort: [{ _script: { type: 'number', script: "-doc['n'].value" } }],
  })
  expect(sorted.hits.hits.map(({ _id, sort }) => [_id, sort])).toEqual([
    [String(count - 1), [1 - count]],
    [String(count - 2), [2 - count]],
  ])
  const scored = await search.ask<Answer>('many', {
    size: 1,
    query: { script_score: { query: { match_all: {} }, script: `_score + ${script}` } },
  })
  expect(scored.hits.hits[0]).toMatchObject({ _id: '76', _score: 77 })
})

it('fails as the script does over the first document that it fails over', async () => {
  const asked = search.ask('many', { size: 0, query: { script: { script: "10 / (doc['n'].value - 7) > 1" } } })
  expect(await reasonsOf(asked)).toContain('/ by zero')
  // One document was read for it.
  expect(search.statements().filter((each) => each.includes('_source'))).toHaveLength(1)
})
