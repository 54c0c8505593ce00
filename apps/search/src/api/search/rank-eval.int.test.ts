import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const evaluate = async (body: object, path = '/foo/_rank_eval') => (await send(path, { method: 'POST', body })).json()

beforeAll(async () => {
  const mappings = { properties: { text: { type: 'text' }, bar: { type: 'long' } } }
  await send('/foo', { method: 'PUT', body: { mappings, aliases: { other: {} } } })
  const texts = ['berlin', 'amsterdam', 'amsterdam', 'something about amsterdam and berlin']
  for (const [at, text] of texts.entries())
    await send(`/foo/_doc/doc${at + 1}?refresh=true`, { method: 'PUT', body: { text, bar: at + 1 } })
})

const rated = (id: string, rating: number) => ({ _index: 'foo', _id: id, rating })
const amsterdam = {
  id: 'a',
  request: { query: { match: { text: 'amsterdam' } } },
  ratings: [rated('doc1', 0), rated('doc2', 1), rated('doc3', 3)],
}
const berlin = {
  id: 'b',
  request: { query: { match: { text: 'berlin' } }, size: 1 },
  ratings: [rated('doc1', 1)],
}
const metric = { precision: {} }

describe('_rank_eval', () => {
  it('measures searches by ratings, and shows what they found', async () => {
    const answer = await evaluate({ requests: [amsterdam, berlin], metric })
    const unrated_docs = [{ _index: 'foo', _id: 'doc4' }]
    const hit = (id: string, rating: number | null) => ({ hit: { _index: 'foo', _id: id }, rating })
    expect(answer).toMatchObject({
      metric_score: (2 / 3 + 1 / 2) / 2,
      details: {
        a: {
          metric_score: 2 / 3,
          unrated_docs,
          hits: [hit('doc2', 1), hit('doc3', 3), hit('doc4', null)],
          metric_details: { precision: { relevant_docs_retrieved: 2, docs_retrieved: 3 } },
        },
        // Its size is that of the measure, and no source is shown.
        b: { metric_score: 0.5, unrated_docs, hits: [hit('doc1', 1), hit('doc4', null)] },
      },
      failures: {},
    })
    expect(JSON.stringify(answer)).not.toContain('_source')
  })

  it('is had of an alias, of all indices and by GET', async () => {
    const body = { requests: [amsterdam], metric: { recall: {} } }
    for (const path of ['/other/_rank_eval', '/_rank_eval'])
      expect(await evaluate(body, path)).toMatchObject({ metric_score: 1 })
    const got = await send('/foo/_rank_eval', { method: 'GET', body })
    expect(got.text).toContain('"metric_score":1.0')
  })

  it('fills templates', async () => {
    const templates = [{ id: 't', template: { source: '{"query":{"match":{"text":"{{q}}"}}}' } }]
    const from = { id: 'x', template_id: 't', params: { q: 'berlin' }, ratings: [rated('doc1', 1)] }
    expect(await evaluate({ templates, requests: [from], metric })).toMatchObject({ metric_score: 0.5 })
    const aggs = [{ id: 't', template: { source: '{"aggs":{"a":{"avg":{"field":"{{q}}"}}}}' } }]
    expect(await evaluate({ templates: aggs, requests: [from], metric })).toMatchObject({
      error: { reason: 'Query in rated requests should not contain aggregations.' },
      status: 400,
    })
    expect(await evaluate({ requests: [from], metric })).toMatchObject({ status: 400 })
  })

  it('shows each search that failed, and rates the others', async () => {
    const failing = { id: 'x', request: { query: { range: { bar: { gt: 'z' } } } }, ratings: [] }
    expect(await evaluate({ requests: [failing, amsterdam], metric })).toMatchObject({
      metric_score: 2 / 3,
      details: { a: {} },
      failures: { x: { error: { type: 'search_phase_execution_exception' } } },
    })
    expect(await evaluate({ requests: [amsterdam], metric }, '/none/_rank_eval')).toMatchObject({
      metric_score: 'NaN',
      failures: { a: { error: { type: 'index_not_found_exception' } } },
    })
  })
})

describe('what _rank_eval refuses', () => {
  const request = (more: object) => ({ requests: [{ ...amsterdam, ...more }], metric })
  const search = (more: object) => request({ request: { ...amsterdam.request, ...more } })
  it.each([
    [{}, 'Required [requests, metric]'],
    [{ requests: [amsterdam] }, 'Required [metric]'],
    [{ requests: [], metric }, 'Cannot evaluate ranking if no search requests with rated results are provided'],
    [{ requests: [amsterdam], metric, more: 1 }, '[rank_eval] unknown field [more]'],
    [{ requests: [amsterdam], metric, max_concurrent_searches: 0 }, 'maxConcurrentSearchRequests must be positive'],
    [request({ id: undefined }), 'Required [id]'],
    [request({ ratings: undefined }), 'Required [ratings]'],
    [request({ request: undefined }), 'Need to set at least test request or test request template parameters.'],
    [request({ params: { q: 1 } }), 'Ambiguous rated request'],
    [request({ request: undefined, params: { q: 1 } }), 'need to set id of template'],
    [request({ ratings: [rated('1', 1), rated('1', 2)] }), 'Found duplicate rated document key'],
    [request({ ratings: [{ _id: '1', rating: 1 }] }), 'Required [_index]'],
    [search({ suggest: { s: { text: 'x', term: { field: 'text' } } } }), 'should not contain a suggest section.'],
    [search({ highlight: { fields: { text: {} } } }), 'should not contain a highlighter section.'],
    [search({ profile: true }), 'should not use profile.'],
    [search({ explain: 'true' }), 'should not use explain.'],
    [search({ query: { matchx: {} } }), 'unknown query [matchx]'],
  ])('%j', async (body, reason) => {
    const answer = await send('/foo/_rank_eval', { method: 'POST', body })
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.json())).toContain(reason)
  })
})
