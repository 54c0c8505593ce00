import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

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
    for (const source of ['{"query": {"match_all": {} }', '{"query": ']) {
      const cut = await post('/logs-a/_search/template', { source })
      expect(cut.json()).toMatchObject({ error: { type: 'json_e_o_f_exception' }, status: 400 })
    }
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

describe('runtime fields', () => {
  const script = "emit(dissect('%{what} is %{how}').extract(params._source.message))"
  const said = { type: 'composite', script, fields: { what: { type: 'keyword' }, how: { type: 'keyword' } } }

  it('of a mapping are shown as written, those of a composite among the fields', async () => {
    await put('/logs-said', {
      mappings: { runtime: { said, day: { type: 'long', script: 'emit(1)', meta: { a: 'b' } } } },
    })
    await put('/logs-said/_doc/1?refresh=true', { message: 'disk is full' })
    expect((await send('/logs-said/_mapping')).json()).toMatchObject({
      'logs-said': {
        mappings: {
          runtime: {
            said: { ...said, script: { source: script, lang: 'painless' } },
            day: { type: 'long', script: { source: 'emit(1)', lang: 'painless' }, meta: { a: 'b' } },
          },
        },
      },
    })
    const { fields } = (await send('/logs-said/_field_caps?fields=said*,day')).json() as { fields: object }
    expect(fields).toEqual({
      said: { object: { type: 'object', metadata_field: false, searchable: false, aggregatable: false } },
      'said.how': { keyword: { type: 'keyword', metadata_field: false, searchable: true, aggregatable: true } },
      'said.what': { keyword: { type: 'keyword', metadata_field: false, searchable: true, aggregatable: true } },
      day: {
        long: { type: 'long', metadata_field: false, searchable: true, aggregatable: true, meta: { a: ['b'] } },
      },
    })
    const found = await post('/logs-said/_search', { query: { term: { 'said.how': 'full' } } })
    expect(found.json()).toMatchObject({ hits: { total: { value: 1 } } })
  })

  it('of a request hide those of the index among its fields', async () => {
    const runtime_mappings = { said, level: { type: 'long' } }
    const asked = await post('/logs-a/_field_caps', { fields: ['said.*', 'level'], runtime_mappings })
    const { fields } = asked.json() as { fields: Record<string, object> }
    expect(Object.entries(fields).map(([name, types]) => [name, Object.keys(types)])).toEqual([
      ['level', ['long']],
      ['said', ['object']],
      ['said.how', ['keyword']],
      ['said.what', ['keyword']],
    ])
    const wrong = await post('/logs-a/_field_caps', { fields: '*', runtime_mappings: { a: { type: 'composite' } } })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('must declare a [script]')])
  })
})

describe('the terms of a field', () => {
  const ask = async (body: object, index = 'terms-*'): Promise<Record<string, unknown>> =>
    (await post(`/${index}/_terms_enum`, body)).json() as Record<string, unknown>
  const terms = async (body: object, index?: string) => (await ask(body, index))['terms']

  beforeAll(async () => {
    const properties = { app: { type: 'keyword' }, from: { type: 'ip' }, day: { type: 'date' }, text: { type: 'text' } }
    for (const name of ['terms-a', 'terms-b']) await put(`/${name}`, { mappings: { properties } })
    await put('/terms-a/_doc/1', { app: ['nginx', 'Node', 'a.b+c'], from: '10.0.0.1', day: '2026-01-01', text: 'x' })
    await put('/terms-a/_doc/2', { app: 'node', from: '10.0.0.20', day: '2026-01-02' })
    await put('/terms-b/_doc/1', { app: ['nginy', 'a-b'], from: '10.1.0.1', day: '2026-06-01' })
  })

  it('come in their order, by what they begin with', async () => {
    expect(await ask({ field: 'app' })).toEqual({
      _shards: { total: 2, successful: 2, failed: 0 },
      terms: ['Node', 'a-b', 'a.b+c', 'nginx', 'nginy', 'node'],
      complete: true,
    })
    expect(await terms({ field: 'app', string: 'n' })).toEqual(['nginx', 'nginy', 'node'])
    expect(await terms({ field: 'app', string: 'nO', case_insensitive: true })).toEqual(['Node', 'node'])
    expect(await terms({ field: 'app', string: 'a.b+' })).toEqual(['a.b+c'])
    expect(await terms({ field: 'app', string: 'n', size: 1 })).toEqual(['nginx'])
    expect(await ask({ field: 'app', string: 'n', timeout: '10s' })).toMatchObject({ complete: true })
    expect(await terms({ field: 'app', string: 'n', size: 2, search_after: 'nginx' })).toEqual(['nginy', 'node'])
    expect(await terms({ field: 'from', string: '10.0.' })).toEqual(['10.0.0.1', '10.0.0.20'])
  })

  it('are of the indices that a filter leaves, and none of a field that is not there', async () => {
    const indexFilter = { range: { day: { gte: '2026-05-01' } } }
    expect(await terms({ field: 'app', index_filter: indexFilter })).toEqual(['a-b', 'nginy'])
    expect(await terms({ field: 'app' }, 'terms-a')).not.toContain('nginy')
    expect(await terms({ field: 'nothing' })).toEqual([])
    expect(await terms({ field: 'app', index_filter: { match_none: {} } })).toEqual([])
  })

  it.each([
    [{}, 'field cannot be null'],
    [{ field: 'app', size: 0 }, 'size must be positive'],
    [{ field: 'app', size: 20_000 }, '[size] is at most [10000]'],
    [{ field: 'app', string: 1 }, 'failed to parse field [string]'],
    [{ field: 'app', timeout: 'soon' }, 'soon'],
    [{ field: 'app', prefix: 'a' }, 'unknown field [prefix]'],
    [{ field: 'text' }, 'ielddata'],
  ])('are refused for %j', async (body, reason) => {
    const refused = await post('/terms-a/_terms_enum', body)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(reason)
  })
})

describe('the pages of a scroll', () => {
  it('all tell what the best hit of the first scored', async () => {
    for (const id of [1, 2]) await put(`/paged/_doc/${id}`, { t: id === 1 ? 'a' : 'a b c' })
    const read = (answer: { json(): unknown }) =>
      answer.json() as { _scroll_id: string; hits: { max_score: number; hits: unknown[] } }
    const first = read(await post('/paged/_search?scroll=1m', { size: 1, query: { match: { t: 'a' } } }))
    const next = async () => read(await post('/_search/scroll', { scroll: '1m', scroll_id: first._scroll_id })).hits
    const pages = [await next(), await next()]
    expect(first.hits.max_score).toBeGreaterThan(0)
    expect(pages.map(({ max_score, hits }) => [max_score, hits.length])).toEqual([
      [first.hits.max_score, 1],
      [first.hits.max_score, 0],
    ])
  })
})

describe('slices of a scroll', () => {
  const slice = async (id: number, max: number) => {
    const body = { slice: { id, max }, sort: 'foo', size: 50 }
    const { hits } = (await post('/sliced/_search?scroll=1m', body)).json() as { hits: { hits: { _id: string }[] } }
    return hits.hits.map(({ _id }) => _id)
  }

  it('are shards where there are more of them, and together everything once', async () => {
    await put('/sliced', { settings: { number_of_shards: 5 } })
    for (const id of [1, 2, 3, 4]) await put(`/sliced/_doc/${id}`, { foo: id })
    expect(await slice(0, 2)).toEqual(['2', '3', '4'])
    expect(await slice(1, 2)).toEqual(['1'])
    const parts = await Promise.all(Array.from({ length: 12 }, (_, id) => slice(id, 12)))
    expect(parts.flat().sort()).toEqual(['1', '2', '3', '4'])
  })
})

describe('scripts that are tried out', () => {
  const run = (body: object) => post('/_scripts/painless/_execute', body)

  it('run over nothing, or over a document of an index', async () => {
    expect((await run({ script: { source: 'params.a + 1', params: { a: 2 } } })).json()).toEqual({ result: '3' })
    const json = { 'content-type': 'application/json' }
    const decimals = '{"script":{"source":"params.a / params.list[0]","params":{"a":1.0,"list":[10],"s":"1.0"}}}'
    const divided = await send('/_scripts/painless/_execute', { method: 'POST', body: decimals, headers: json })
    expect(divided.json()).toEqual({ result: '0.1' })
    const setup = { index: 'logs-a', document: { level: 'warn' } }
    const filter = { script: "doc['level'].value.length() == 4", context: 'filter', context_setup: setup }
    expect((await run(filter)).json()).toEqual({ result: true })
    const score = { script: "_score + doc['level'].value.length()", context: 'score', context_setup: setup }
    expect((await run(score)).text).toBe('{"result":5.0}')
  })

  it('say what is wrong', async () => {
    const broken = await run({ script: 'while (true) { }' })
    expect(broken.json()).toMatchObject({ error: { type: 'script_exception', reason: 'compile error' }, status: 400 })
    const unknown = await run({ script: '1', context: 'nothing' })
    expect(unknown.json()).toMatchObject({ error: { reason: 'unsupported script context name [nothing]' } })
    const nowhere = await run({ script: '1', context: 'filter', context_setup: { index: 'none', document: {} } })
    expect(nowhere.status).toBe(404)
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
