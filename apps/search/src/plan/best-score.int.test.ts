import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSampleLogs, type SampleLogs } from '../testing/sample-logs.ts'

let logs: SampleLogs
beforeAll(async () => {
  logs = await openSampleLogs()
  await logs.services.create('scored', { properties: { t: { type: 'text' }, n: { type: 'long' } } })
  await logs.services.write('scored', [
    ['1', { t: 'a b c d', n: 1 }],
    ['2', { t: 'a', n: 2 }],
    ['3', { t: 'a b', n: 3 }],
  ])
})
afterAll(() => logs.services.close())

const query = { match: { t: 'a' } }
const answered = async (more: object) => {
  const { hits } = (await logs.answer({ query, ...more }, {}, 'scored')) as {
    hits: { max_score: number | null; hits: { _id: string; _score: number | null }[] }
  }
  return { best: hits.max_score, ids: hits.hits.map(({ _id }) => _id) }
}

it('tells on every page what the best hit of all scored', async () => {
  const { best, ids } = await answered({})
  expect(ids).toEqual(['2', '3', '1'])
  expect(await answered({ from: 1, size: 1 })).toEqual({ best, ids: ['3'] })
  expect(await answered({ from: 2, sort: ['_score'] })).toEqual({ best, ids: ['1'] })
  expect(await answered({ from: 10 })).toEqual({ best, ids: [] })
  expect(await answered({ from: 1, collapse: { field: 'n' } })).toEqual({ best, ids: ['3', '1'] })
  const rescore = { window_size: 10, query: { rescore_query: { constant_score: { filter: query, boost: 5 } } } }
  expect(await answered({ from: 2, rescore })).toEqual({ best: expect.closeTo((best ?? 0) + 5, 5), ids: ['1'] })
})

it('tells it of hits in buckets and groups, too', async () => {
  const { best } = await answered({})
  const hits = { from: 1, size: 1, _source: false }
  const { aggregations, hits: found } = await logs.answer(
    {
      query,
      aggs: { h: { top_hits: hits } },
      collapse: { field: 'same', inner_hits: { name: 'g', ...hits } },
      runtime_mappings: { same: { type: 'long', script: { source: 'emit(1)' } } },
    },
    {},
    'scored',
  )
  const shown = { hits: { max_score: best, hits: [{ _id: '3' }] } }
  expect(aggregations).toMatchObject({ h: shown })
  expect(found).toMatchObject({ hits: [{ inner_hits: { g: shown } }] })
})

it('tells nothing of it where hits stand in another order, or none is asked for', async () => {
  expect((await answered({ from: 1, sort: ['n'] })).best).toBeNull()
  expect((await answered({ size: 0 })).best).toBeNull()
})
