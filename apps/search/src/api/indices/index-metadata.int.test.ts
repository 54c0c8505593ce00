import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body: object) => send(path, { method: 'PUT', body })
const post = (path: string, body: object) => send(path, { method: 'POST', body })
const json = async (path: string) => (await send(path)).json()

describe('aliases', () => {
  beforeAll(async () => {
    await put('/aliased', { aliases: { 'read-a': {}, 'read-b': {}, write: {} } })
  })

  it('are found by names, patterns and exclusions', async () => {
    const found = (names: string[]) => ({
      aliased: { aliases: Object.fromEntries(names.map((name) => [name, {}])) },
    })
    expect(await json('/_alias/read-*,-read-a')).toEqual(found(['read-b']))
    expect(await json('/_alias/write,read-a,-read-*')).toEqual(found(['write']))
    expect(await json('/_alias/-read-a,read-*')).toMatchObject({ status: 404, error: 'alias [-read-a] missing' })
    expect(await json('/_alias/none')).toMatchObject({ status: 404 })
  })

  it('take no unknown keys and no empty lists', async () => {
    const unknown = await put('/aliased/_alias/more', { odd: 1 })
    expect(unknown.json()).toMatchObject({ error: { reason: 'unknown field [odd]' }, status: 400 })
    const empty = await post('/_aliases', { actions: [{ remove: { index: 'aliased', aliases: [] } }] })
    expect(empty.json()).toMatchObject({ error: { reason: "[aliases] can't be empty" }, status: 400 })
  })

  it('that are not there are an error where nothing else is done, or where they must be', async () => {
    const remove = (more = {}) => ({ remove: { index: 'aliased', alias: 'gone', ...more } })
    const add = { add: { index: 'aliased', alias: 'came' } }
    const asked = async (...actions: object[]) => (await post('/_aliases', { actions })).status
    expect([await asked(remove()), await asked(add, remove({ must_exist: true }))]).toEqual([404, 404])
    expect([await asked(add, remove()), await asked(add, remove({ must_exist: false }))]).toEqual([200, 200])
    expect(await asked(remove({ must_exist: false }))).toBe(404)
    expect((await send('/_alias/came', { method: 'HEAD' })).status).toBe(200)
    expect(await asked({ remove: { index: 'aliased', alias: 'came' } }, remove())).toBe(200)
  })

  it('found by no pattern keep an index from being deleted with others', async () => {
    const refused = await send('/aliased,none*?allow_no_indices=false', { method: 'DELETE' })
    expect(refused.status).toBe(404)
    expect((await send('/aliased', { method: 'HEAD' })).status).toBe(200)
  })
})

describe('mappings and settings', () => {
  it('take no mapping under the name of a type', async () => {
    await put('/typed', {})
    const refused = await put('/typed/_mapping', { _doc: { properties: { a: { type: 'keyword' } } } })
    expect(refused.json()).toMatchObject({
      error: { type: 'illegal_argument_exception', reason: 'Types cannot be provided in put mapping requests' },
    })
    expect((await put('/typed/_mapping', { properties: { a: { type: 'keyword' } } })).status).toBe(200)
  })

  it('show settings as people read them, and those that were not given', async () => {
    await put('/shown', { settings: { 'index.max_result_window': 5 } })
    const human = (await send('/shown?human')).json()
    expect(human).toMatchObject({
      shown: {
        settings: {
          index: {
            creation_date_string: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
            version: { created_string: expect.stringMatching(/^8\.19\./) },
          },
        },
      },
    })
    expect(await json('/shown/_settings?include_defaults&flat_settings')).toMatchObject({
      shown: {
        settings: { 'index.max_result_window': '5' },
        defaults: expect.not.objectContaining({ 'index.max_result_window': expect.anything() }),
      },
    })
  })
})

describe('templates', () => {
  beforeAll(async () => {
    await put('/_template/old', { index_patterns: ['sim*'], settings: { number_of_shards: 3 } })
    const template = { settings: { number_of_shards: 2 }, mappings: { properties: { a: { type: 'keyword' } } } }
    await put('/_index_template/low', { index_patterns: ['sim-*'], priority: 1, template })
  })

  it('show what an index would get, and what they beat', async () => {
    expect((await post('/_index_template/_simulate_index/sim-1', {})).status).toBe(400)
    const answer = await send('/_index_template/_simulate_index/sim-1', { method: 'POST' })
    expect(answer.json()).toMatchObject({
      template: {
        settings: { index: { number_of_shards: '2' } },
        mappings: { properties: { a: { type: 'keyword' } } },
        aliases: {},
      },
      overlapping: [{ name: 'old', index_patterns: ['sim*'] }],
    })
    expect((await send('/_index_template/_simulate_index/other', { method: 'POST' })).json()).toEqual({})
  })

  it('show what one that is not stored would make', async () => {
    const body = { index_patterns: ['sim-*'], priority: 9, template: { settings: { 'index.blocks.write': true } } }
    expect((await post('/_index_template/_simulate', body)).json()).toMatchObject({
      template: { settings: { index: { blocks: { write: 'true' } } } },
      overlapping: [{ name: 'old' }, { name: 'low' }],
    })
    expect((await send('/_index_template', {})).json()).toMatchObject({ index_templates: [{ name: 'low' }] })
  })
})

describe('_analyze', () => {
  it('names the words of texts, one after the other', async () => {
    const answer = await post('/_analyze', { text: ['Ab cd', 'Ef'], analyzer: 'standard' })
    expect(answer.json()).toEqual({
      tokens: [
        { token: 'ab', start_offset: 0, end_offset: 2, type: '<ALPHANUM>', position: 0 },
        { token: 'cd', start_offset: 3, end_offset: 5, type: '<ALPHANUM>', position: 1 },
        { token: 'ef', start_offset: 6, end_offset: 8, type: '<ALPHANUM>', position: 2 },
      ],
    })
  })

  it("uses an index's own analyzers and those of its fields", async () => {
    await put('/analyzed', {
      settings: {
        analysis: {
          filter: { few: { type: 'stop', stopwords: ['a', 'b,c'] } },
          analyzer: { own: { type: 'custom', tokenizer: 'whitespace', filter: ['few', 'uppercase'] } },
        },
      },
      mappings: { properties: { text: { type: 'text', analyzer: 'own' }, code: { type: 'keyword' } } },
    })
    const words = async (body: object) => {
      const { tokens } = Object((await post('/analyzed/_analyze', body)).json()) as { tokens: { token: string }[] }
      return tokens.map(({ token }) => token)
    }
    expect(await words({ analyzer: 'own', text: 'a b,c d' })).toEqual(['D'])
    expect(await words({ field: 'text', text: 'a e' })).toEqual(['E'])
    expect(await words({ field: 'code', text: 'a e' })).toEqual(['a e'])
    expect(await words({ text: 'A e' })).toEqual(['a', 'e'])
    expect((await post('/analyzed/_analyze', { analyzer: 'none', text: 'a' })).json()).toMatchObject({
      error: { reason: 'failed to find analyzer [none]' },
    })
  })

  it('explains what each part does, and stops at too many words', async () => {
    const filter = [{ type: 'stop', stopwords: ['x'] }]
    const explained = await post('/_analyze', { text: 'x y', tokenizer: 'standard', filter, explain: true })
    expect(explained.json()).toMatchObject({
      detail: {
        custom_analyzer: true,
        tokenizer: { name: 'standard', tokens: [{ token: 'x', bytes: '[78]' }, { token: 'y' }] },
        tokenfilters: [{ tokens: [{ token: 'y', position: 1 }] }],
      },
    })
    await put('/short', { settings: { 'index.analyze.max_token_count': 1 } })
    expect((await post('/short/_analyze', { text: 'a b' })).json()).toMatchObject({
      error: { reason: expect.stringContaining('allowed maximum of [1]') },
    })
  })
})

describe('documents', () => {
  it('of an update in bulk come back where it asks for them, digits kept', async () => {
    const body = [
      '{"index":{"_index":"updated","_id":"1"}}',
      '{"big":9007199254740993,"a":1.0}',
      '{"update":{"_index":"updated","_id":"1","_source":["big"]}}',
      '{"doc":{"bigger":9223372036854775807}}',
      '{"update":{"_index":"updated","_id":"1"}}',
      '{"doc":{"b":1}}',
      '',
    ].join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const { text } = await send('/_bulk?filter_path=items.*.get._source', { method: 'POST', headers, body })
    expect(text).toBe('{"items":[{"update":{"get":{"_source":{"big":9007199254740993}}}}]}')
    const read = await send('/updated/_doc/1?_source=big*&filter_path=_source')
    expect(read.text).toBe('{"_source":{"big":9007199254740993,"bigger":9223372036854775807}}')
  })

  it('are not taken from a body that says one thing twice', async () => {
    const headers = { 'content-type': 'application/json' }
    const answer = await send('/twice', { method: 'PUT', headers, body: '{"settings":{"a":1},\n "settings":{}}' })
    expect(answer.json()).toMatchObject({
      error: { type: 'x_content_parse_exception', reason: "[2:12] Duplicate field 'settings'" },
      status: 400,
    })
  })

  it('without an id are created, which a data stream takes too', async () => {
    const template = { index_patterns: ['streamed'], data_stream: {} }
    expect((await send('/_index_template/streamed', { method: 'PUT', body: template })).status).toBe(200)
    const body = { '@timestamp': '2026-01-01T00:00:00Z' }
    expect((await send('/streamed/_doc', { method: 'POST', body })).status).toBe(201)
    expect((await send('/streamed/_doc/1', { method: 'PUT', body })).status).toBe(400)
    expect((await send('/streamed/_doc?op_type=index', { method: 'POST', body })).status).toBe(400)
  })

  it('show stored fields', async () => {
    const properties = { a: { type: 'keyword', store: true }, b: { properties: { c: { type: 'long', store: true } } } }
    await put('/stored', { mappings: { properties } })
    await put('/stored/_doc/1', { a: ['x', 'y'], b: { c: 1 }, d: 1 })
    expect(await json('/stored/_doc/1?stored_fields=a,b.c,d')).toMatchObject({ fields: { a: ['x', 'y'], 'b.c': [1] } })
    const several = await post('/stored/_mget', { docs: [{ _id: '1', stored_fields: ['a', '_source'] }] })
    expect(several.json()).toMatchObject({ docs: [{ fields: { a: ['x', 'y'] }, _source: { d: 1 } }] })
  })

  it('are counted as they are written, read and searched', async () => {
    await put('/counted/_doc/1', { a: 1 })
    await put('/counted/_doc/2', { a: 1 })
    await send('/counted/_doc/2', { method: 'DELETE' })
    await send('/counted/_doc/1')
    await send('/counted/_doc/9')
    await post('/counted/_search', { stats: ['nightly', 'other'] })
    await send('/counted/_flush', { method: 'POST' })
    const all = (await json('/counted/_stats?groups=night*')) as Record<string, unknown>
    expect(all['_all']).toMatchObject({
      primaries: {
        indexing: { index_total: 2, delete_total: 1, index_failed: 0 },
        get: { total: 2, exists_total: 1, missing_total: 1 },
        search: { query_total: 1, groups: { nightly: { query_total: 1 } } },
        flush: { total: 1 },
      },
    })
  })
})
