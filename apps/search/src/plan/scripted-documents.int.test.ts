import { afterAll, beforeAll, expect, it } from 'vitest'
import { type NotedSearch, openNotedSearch } from '../testing/noted-search.ts'
import { reasonsOf } from '../testing/reasons-of.ts'
import { scriptedDocumentsMax, scriptedPageRows } from './scripted-documents.ts'

let search: NotedSearch
const count = scriptedDocumentsMax + 1
const mostly = { script: { script: "doc['n'].value % 1000 == 7" } }

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
