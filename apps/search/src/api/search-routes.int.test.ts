import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body: object) => send(path, { method: 'PUT', body })
const post = (path: string, body: object) => send(path, { method: 'POST', body })

beforeAll(async () => {
  await put('/logs-a', { mappings: { properties: { message: { type: 'text' }, level: { type: 'keyword' } } } })
  await put('/logs-a/_doc/1', { message: 'disk is full', level: 'error' })
  await put('/logs-a/_doc/2', { message: 'disk is fine', level: 'info' })
})

describe('search templates', () => {
  const source = { query: { match: { message: '{{word}}' } }, size: '{{size}}{{^size}}5{{/size}}' }

  it('are filled with their parameters, stored or not', async () => {
    expect((await put('/_scripts/find-word', { script: { lang: 'mustache', source } })).json()).toEqual({
      acknowledged: true,
    })
    for (const template of [{ id: 'find-word' }, { source: JSON.stringify(source) }]) {
      const found = await post('/logs-a/_search/template', { ...template, params: { word: 'full' } })
      expect(found.json()).toMatchObject({ hits: { total: { value: 1 }, hits: [{ _id: '1' }] } })
    }
    expect((await post('/_render/template/find-word', { params: { word: 'x', size: 1 } })).json()).toEqual({
      template_output: { query: { match: { message: 'x' } }, size: '1' },
    })
  })

  it('that are missing or cannot be read are named', async () => {
    const missing = await post('/logs-a/_search/template', { id: 'none' })
    expect(missing.status).toBe(404)
    expect(missing.json()).toMatchObject({ error: { reason: 'unable to find script [none] in cluster state' } })
    const open = await post('/logs-a/_search/template', { source: '{"size": {{#a}}1' })
    expect(open.json()).toMatchObject({ error: { type: 'script_exception' }, status: 400 })
    const unknown = await post('/logs-a/_search/template', { source: '{}', parameters: {} })
    expect(unknown.json()).toMatchObject({ error: { reason: '[search_template] unknown field [parameters]' } })
  })

  it('come several at a time, each with its own fault', async () => {
    const lines = [{}, { id: 'find-word', params: { word: 'fine' } }, {}, { id: 'none' }]
    const answer = await send('/logs-a/_msearch/template', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    })
    expect(answer.json()).toMatchObject({
      responses: [{ status: 200, hits: { hits: [{ _id: '2' }] } }, { status: 404 }],
    })
  })
})

describe('_explain', () => {
  it('says whether a document matches and what its score is made of', async () => {
    const full = { query: { bool: { must: { match: { message: 'disk' } }, filter: { term: { level: 'error' } } } } }
    const explained = (await post('/logs-a/_explain/1?_source=level', full)).json()
    expect(explained).toMatchObject({
      _index: 'logs-a',
      _id: '1',
      matched: true,
      explanation: { value: expect.any(Number), description: expect.any(String), details: expect.any(Array) },
      get: { found: true, _source: { level: 'error' } },
    })
    const { hits } = (await post('/logs-a/_search', full)).json() as { hits: { hits: { _score: number }[] } }
    expect(Object(explained).explanation.value).toBeCloseTo(hits.hits[0]?._score ?? 0, 5)
    expect((await post('/logs-a/_explain/2', full)).json()).toMatchObject({
      matched: false,
      explanation: { value: 0, description: 'no matching clause' },
    })
  })

  it('has no answer without a query or a document', async () => {
    expect((await send('/logs-a/_explain/1')).json()).toMatchObject({ error: { reason: 'query is missing' } })
    const absent = await post('/logs-a/_explain/9', { query: { match_all: {} } })
    expect([absent.status, absent.json()]).toEqual([404, { _index: 'logs-a', _id: '9', matched: false }])
  })
})
