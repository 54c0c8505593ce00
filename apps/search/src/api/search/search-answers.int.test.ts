import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body: object) => send(path, { method: 'PUT', body })
const post = (path: string, body?: object) => send(path, { method: 'POST', ...(body ? { body } : {}) })
const remove = (path: string, body?: object) => send(path, { method: 'DELETE', ...(body ? { body } : {}) })

async function search(index: string, body: object, parameters = '') {
  const answer = await post(`/${index}/_search${parameters}`, body)
  return { status: answer.status, ...(answer.json() as Answer) }
}

interface Answer {
  readonly error?: { readonly type: string; readonly reason: string; readonly stack_trace?: string }
  readonly hits?: { readonly hits: readonly Hit[] }
}

interface Hit {
  readonly _id: string
  readonly _source?: unknown
  readonly matched_queries?: unknown
}

const idsOf = ({ hits }: Answer) => hits?.hits.map(({ _id }) => _id)

beforeAll(async () => {
  const properties = {
    code: { type: 'keyword', normalizer: 'lowercase' },
    blob: { type: 'binary', doc_values: true },
    loose: { type: 'binary' },
    n: { type: 'long' },
    text: { type: 'text' },
  }
  await put('/kept', { mappings: { properties } })
  await put('/kept/_doc/1', { code: 'WEB-01', blob: 'aGVsbG8=', loose: 'aGVsbG8=', n: 1, text: 'disk is full' })
  await put('/kept/_doc/2', { code: 'db-01', n: [1, 2], text: 'disk' })
  await put('/hidden', { mappings: { _source: { enabled: false }, properties: { n: { type: 'long' } } } })
  await put('/hidden/_doc/1', { n: 7 })
})

describe('named clauses', () => {
  const clause = (value: number, boost: number) => ({ match: { n: { query: value, boost, _name: `is-${value}` } } })
  const query = { bool: { should: [clause(1, 1), clause(2, 10)] } }

  it('are named, or show what each scores by itself', async () => {
    const named = await search('kept', { query })
    expect(named.hits?.hits.map((hit) => hit.matched_queries)).toEqual([['is-1', 'is-2'], ['is-1']])
    const scored = await search('kept', { query }, '?include_named_queries_score=true')
    expect(scored.hits?.hits.map((hit) => hit.matched_queries)).toEqual([{ 'is-1': 1, 'is-2': 10 }, { 'is-1': 1 }])
  })

  it('are scored in filters and when rescoring, by the words they look for', async () => {
    const body = {
      query: { bool: { filter: { match: { text: { query: 'disk', _name: 'word' } } } } },
      rescore: { window_size: 5, query: { rescore_query: { match: { text: { query: 'full', _name: 'again' } } } } },
    }
    const found = await search('kept', body, '?include_named_queries_score=true')
    const byId = Object.fromEntries(found.hits?.hits.map((hit) => [hit._id, hit.matched_queries]) ?? [])
    expect(byId).toEqual({
      '1': { word: expect.any(Number), again: expect.any(Number) },
      '2': { word: expect.any(Number) },
    })
    const [long, short] = [byId['1'], byId['2']] as { word: number }[]
    expect(short?.word).toBeGreaterThan(long?.word ?? 0)
    expect(long?.word).toBeGreaterThan(0)
  })
})

it('writes regular expressions as the normalizer writes values', async () => {
  expect(idsOf(await search('kept', { query: { regexp: { code: 'WEB-[0-9]+' } } }))).toEqual(['1'])
})

it('knows which documents hold a binary value that is kept', async () => {
  expect(idsOf(await search('kept', { query: { exists: { field: 'blob' } } }))).toEqual(['1'])
  expect(idsOf(await search('kept', { query: { exists: { field: 'loose' } } }))).toEqual([])
  const refused = await search('kept', { query: { term: { blob: 'aGVsbG8=' } } })
  expect(refused.status).toBe(400)
  expect(idsOf(await search('kept', { query: { query_string: { query: 'full' } } }))).toEqual(['1'])
})

describe('an index without sources', () => {
  it('is searched and read, but shows none', async () => {
    expect(await search('hidden', { query: { term: { n: 7 } } })).toMatchObject({ hits: { total: { value: 1 } } })
    expect((await search('hidden', { query: { term: { n: 7 } } })).hits?.hits[0]?._source).toBeUndefined()
    expect((await send('/hidden/_doc/1')).json()).toEqual({
      _index: 'hidden',
      _id: '1',
      _version: 1,
      _seq_no: 0,
      _primary_term: 1,
      found: true,
    })
    expect((await send('/hidden/_source/1')).status).toBe(404)
    expect((await send('/hidden/_mapping')).json()).toMatchObject({
      hidden: { mappings: { _source: { enabled: false } } },
    })
  })

  it('computes with what it does not show', async () => {
    const script = { source: "doc['n'].value == params.n", params: { n: 7 } }
    expect(idsOf(await search('hidden', { query: { script: { script } } }))).toEqual(['1'])
  })

  it('is not copied, its fields are not read from sources, and it stays what it is', async () => {
    const copied = await post('/_reindex', { source: { index: 'hidden' }, dest: { index: 'copy' } })
    expect(copied.json()).toMatchObject({ error: { reason: "[hidden][1] didn't store _source" }, status: 400 })
    expect((await search('hidden', { fields: ['n'] })).status).toBe(400)
    const changed = await put('/hidden/_mapping', { _source: { enabled: true } })
    expect(changed.json()).toMatchObject({ error: { type: 'illegal_argument_exception' } })
  })
})

describe('totals as integers', () => {
  it('are -1 where nothing was counted', async () => {
    const totalOf = async (body: object) =>
      Object((await search('kept', body, '?rest_total_hits_as_int=true')).hits as object).total
    expect([await totalOf({}), await totalOf({ track_total_hits: false })]).toEqual([2, -1])
  })
})

describe('error_trace', () => {
  const line = '[absent] IndexNotFoundException[no such index [absent]]'

  it('shows the exception and where it happened, alone and among several searches', async () => {
    expect((await search('absent', {}, '?error_trace=true')).error?.stack_trace).toBe(line)
    expect((await search('absent', {})).error).not.toHaveProperty('stack_trace')
    const several = await send('/_msearch?error_trace', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson' },
      body: '{"index":"absent"}\n{}\n',
    })
    expect(several.json()).toMatchObject({ responses: [{ error: { stack_trace: line } }] })
    const documents = await post('/_mget?error_trace=true', { docs: [{ _index: 'absent', _id: '1' }] })
    expect(documents.json()).toMatchObject({ docs: [{ error: { stack_trace: line } }] })
  })
})

describe('shapes', () => {
  const within = (shape: object, relation?: string) => ({
    query: { geo_shape: { at: { shape, ...(relation ? { relation } : {}) } } },
    sort: ['_doc'],
  })

  it('hold points or do not', async () => {
    await put('/places', { mappings: { properties: { at: { type: 'geo_point' } } } })
    for (const [id, at] of [
      ['1', '4.9,52.3'],
      ['2', ['14,152', '4,52']],
      ['3', '-33,151'],
    ] as const)
      await put(`/places/_doc/${id}`, { at })
    await put('/places/_doc/4', {})
    const envelope = {
      type: 'envelope',
      coordinates: [
        [51, 5],
        [53, 3],
      ],
    }
    expect(idsOf(await search('places', within(envelope)))).toEqual(['1', '2'])
    expect(idsOf(await search('places', within(envelope, 'disjoint')))).toEqual(['3'])
    const ring = [
      [50, 0],
      [54, 0],
      [54, 6],
      [50, 6],
      [50, 0],
    ]
    const hole = [
      [51.9, 3.9],
      [52.1, 3.9],
      [52.1, 4.1],
      [51.9, 4.1],
      [51.9, 3.9],
    ]
    expect(idsOf(await search('places', within({ type: 'Polygon', coordinates: [ring, hole] })))).toEqual(['1'])
    const circle = { type: 'circle', coordinates: [151, -33], radius: '10km' }
    expect(idsOf(await search('places', within(circle, 'within')))).toEqual(['3'])
    expect(idsOf(await search('places', within({ type: 'point', coordinates: [151, -33] })))).toEqual(['3'])
    const text = { query: { geo_shape: { at: { shape: 'BBOX (150, 153, 20, 10)' } } } }
    expect(idsOf(await search('places', text))).toEqual(['2'])
  })
})

describe('shapes that are kept or refused', () => {
  it('of documents are kept and shown, not searched by area', async () => {
    await put('/areas', { mappings: { properties: { area: { type: 'geo_shape' } } } })
    await put('/areas/_doc/1', { area: 'POINT (1.5 2.5)' })
    await put('/areas/_doc/2', { area: null })
    const refused = await put('/areas/_doc/3', { area: 'POINT (east west)' })
    expect(refused.json()).toMatchObject({ error: { type: 'document_parsing_exception' }, status: 400 })
    const found = await search('areas', { query: { exists: { field: 'area' } }, fields: ['area'] })
    expect(found.hits?.hits).toMatchObject([
      { _id: '1', fields: { area: [{ type: 'Point', coordinates: [1.5, 2.5] }] } },
    ])
    const byArea = await search('areas', {
      query: { geo_shape: { area: { shape: { type: 'point', coordinates: [1, 1] } } } },
    })
    expect(byArea.status).toBe(400)
  })

  it.each([
    [
      {
        shape: {
          type: 'linestring',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
      },
      'is not supported on points',
    ],
    [{ shape: { type: 'point', coordinates: [] } }, 'failed to parse geometry'],
    [{ indexed_shape: { id: '1' } }, '[indexed_shape] of [geo_shape] is not supported'],
    [{}, 'No shape defined'],
    [{ shape: 'POINT (1 1)', relation: 'contains' }, 'of [geo_shape] is not supported on points'],
  ])('%j are refused', async (clause, reason) => {
    const answer = await post('/places/_search', { query: { geo_shape: { at: clause } } })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(reason)
  })
})

describe('_search_shards', () => {
  it('says where a search would go, and what the aliases of it let through', async () => {
    const filtered = (value: string) => ({ filter: { term: { code: value } } })
    await put('/three', {
      settings: { number_of_shards: 3 },
      aliases: { 'of-a': filtered('a'), 'of-b': filtered('b'), everything: {} },
    })
    const asked = async (expression: string) =>
      (await send(`/${expression}/_search_shards`)).json() as { shards: unknown[][]; indices: Record<string, unknown> }
    const one = await asked('of-a')
    expect(one.shards.map(([copy]) => copy)).toEqual(
      [0, 1, 2].map((shard) => expect.objectContaining({ shard, index: 'three', state: 'STARTED', primary: true })),
    )
    expect(one.indices['three']).toEqual({ aliases: ['of-a'], filter: { term: { code: { boost: 1, value: 'a' } } } })
    expect((await asked('of-a,of-b')).indices['three']).toMatchObject({
      aliases: ['of-a', 'of-b'],
      filter: { bool: { should: [{ term: {} }, { term: {} }], adjust_pure_negative: true } },
    })
    for (const expression of ['of-a,everything', 'of-a,three']) {
      expect((await asked(expression)).indices['three']).not.toHaveProperty('filter')
    }
    expect((await asked('three')).indices).toEqual({ three: {} })
    expect((await send('/three/_search_shards?routing=x')).json()).toMatchObject({ shards: [[{ index: 'three' }]] })
    expect((await send('/absent/_search_shards')).status).toBe(404)
  })
})

describe('the order of arrival', () => {
  it('is no sort outside a point in time, and the error names the way', async () => {
    expect((await post('/kept/_search', { sort: [{ _shard_doc: {} }] })).json()).toMatchObject({
      error: {
        type: 'action_request_validation_exception',
        reason: expect.stringMatching(
          /^Validation Failed: 1: \[_shard_doc\] sort field cannot be used without \[point in time\].*PIT.*;$/,
        ),
      },
      status: 400,
    })
  })
})

describe("OpenSearch's clients", () => {
  it('open points in time, list them and delete them', async () => {
    const opened = (await post('/kept/_search/point_in_time?keep_alive=1m')).json() as { pit_id: string }
    expect(opened).toMatchObject({ _shards: { failed: 0 }, creation_time: expect.any(Number) })
    const page = (await post('/_search', { pit: { id: opened.pit_id }, sort: [{ _shard_doc: 'asc' }] })).json()
    expect(page).toMatchObject({ pit_id: opened.pit_id, hits: { total: { value: 2 } } })
    expect((await send('/_search/point_in_time/_all')).json()).toEqual({
      pits: [{ pit_id: opened.pit_id, creation_time: expect.any(Number), keep_alive: 60_000 }],
    })
    expect((await remove('/_search/point_in_time', {})).status).toBe(400)
    const second = (await post('/kept/_search/point_in_time?keep_alive=1m')).json() as { pit_id: string }
    expect((await remove('/_search/point_in_time', { pit_id: [opened.pit_id, 'none'] })).json()).toEqual({
      pits: [
        { pit_id: opened.pit_id, successful: true },
        { pit_id: 'none', successful: false },
      ],
    })
    expect((await remove('/_search/point_in_time/_all')).json()).toEqual({
      pits: [{ pit_id: second.pit_id, successful: true }],
    })
    expect((await remove('/_search/point_in_time/_all')).json()).toEqual({ pits: [] })
  })

  it('need not wait until an index is open or copied', async () => {
    await put('/whole', { settings: { 'index.blocks.write': true } })
    const copied = (await post('/whole/_clone/twin?wait_for_completion=false')).json() as { task: string }
    expect((await send(`/_tasks/${copied.task}?wait_for_completion=true`)).json()).toMatchObject({
      completed: true,
      task: { action: 'indices:admin/resize', description: 'clone from [whole] to [twin]' },
      response: { acknowledged: true, index: 'twin' },
    })
    await post('/twin/_close')
    const opened = (await post('/twin/_open?wait_for_completion=false')).json() as { task: string }
    expect((await send(`/_tasks/${opened.task}?wait_for_completion=true`)).json()).toMatchObject({
      task: { description: 'open indices [twin]' },
      response: { acknowledged: true, shards_acknowledged: true },
    })
  })
})

it('shows numbers beyond 2^53 as exactly as they were written', async () => {
  const properties = { big: { type: 'unsigned_long' }, n: { type: 'long' } }
  await put('/exact', { mappings: { properties } })
  const headers = { 'content-type': 'application/json' }
  const written = '{"big":18446744073709551609,"n":-9007199254740993}'
  await send('/exact/_doc/1', { method: 'PUT', body: written, headers })
  await post('/exact/_refresh')
  for (const kind of ['fields', 'docvalue_fields']) {
    const shown = { [kind]: ['*'], _source: false, size: 1 }
    const { status, text } = await post('/exact/_search', { ...shown, aggs: { top: { top_hits: shown } } })
    expect(status).toBe(200)
    expect(text.match(/"big":\[18446744073709551609\]/gu)).toHaveLength(2)
    expect(text.match(/"n":\[-9007199254740993\]/gu)).toHaveLength(2)
  }
})
