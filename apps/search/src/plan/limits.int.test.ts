import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
})
afterAll(() => logs.services.close())

it('takes as many clauses as allowed and refuses more with the error of Elasticsearch', async () => {
  const should = Array.from({ length: 4096 }, (_, at) => ({ term: { status: at } }))
  expect(await logs.answer({ query: { bool: { should } } })).toMatchObject({ hits: { total: { value: 4 } } })
  await expect(
    logs.answer({ query: { bool: { should: [...should, { match_none: {} }, { term: { load: 1 } }] } } }),
  ).rejects.toMatchObject({
    code: 'search_phase_execution_exception',
  })
})

it('counts words of a text and weighs phrases with slop', async () => {
  const words = Array.from({ length: 4097 }, (_, at) => `w${at}`).join(' ')
  await expect(logs.answer({ query: { match: { message: words } } })).rejects.toThrow()
  const should = Array.from({ length: 300 }, (_, at) => ({ match_phrase: { message: { query: `a w${at}`, slop: 1 } } }))
  await expect(logs.answer({ query: { bool: { should } } })).rejects.toThrow()
  const exact = should.map((_, at) => ({ match_phrase: { message: `a w${at}` } }))
  expect(await logs.answer({ query: { bool: { should: exact } } })).toMatchObject({ hits: { total: { value: 0 } } })
})

it('answers five hundred aggregations side by side', async () => {
  const aggs = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`a${at}`, { terms: { field: 'status' } }]))
  const answered = (await logs.aggs(aggs)) as Record<string, { buckets: unknown[] }>
  expect(Object.values(answered).map(({ buckets }) => buckets.length)).toEqual(Array.from({ length: 500 }, () => 3))
})
