import { afterEach, describe, expect, it } from 'vitest'
import { searchOverWire } from '../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body: object = {}) => send(path, { method: 'PUT', body })
const post = (path: string, body?: object) => send(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
const bulk = (path: string, sources: readonly object[]) =>
  send(path, {
    method: 'POST',
    body: sources.map((source) => `{"index":{}}\n${JSON.stringify(source)}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson' },
  })
const remove = (path: string) => send(path, { method: 'DELETE' })
const set = (settings: object) => put('/_cluster/settings', { persistent: settings })
const reasonOf = (answer: { json(): unknown }): unknown => Object(Object(answer.json()).error).reason
const json = async (path: string): Promise<Record<string, unknown>> => Object((await send(path)).json())

afterEach(async () => {
  const blocks = { 'cluster.blocks.read_only': null, 'cluster.blocks.read_only_allow_delete': null }
  expect((await set(blocks)).status).toBe(200)
  expect((await set({ '*': null })).status).toBe(200)
})

describe('the answer', () => {
  it('shows defaults of what is not set, nested or flat', async () => {
    await set({ search: { max_buckets: 12 } })
    const flat = await json('/_cluster/settings?include_defaults=true&flat_settings=true')
    expect(flat).toMatchObject({
      persistent: { 'search.max_buckets': '12' },
      transient: {},
      defaults: {
        'cluster.name': expect.any(String),
        'cluster.max_shards_per_node': '10000',
        'cluster.routing.allocation.disk.watermark.low': '85%',
        'path.repo': [expect.any(String)],
      },
    })
    expect(flat['defaults']).not.toHaveProperty(['search.max_buckets'])
    expect(await json('/_cluster/settings?include_defaults=true')).toMatchObject({
      persistent: { search: { max_buckets: '12' } },
      defaults: { cluster: { max_shards_per_node: '10000' }, search: { max_keep_alive: '24h' } },
    })
    expect(await json('/_cluster/settings')).toEqual({ persistent: { search: { max_buckets: '12' } }, transient: {} })
  })

  it('refuses what is asked wrongly, and keeps nothing of it', async () => {
    const wrong = await set({ 'search.max_buckets': 5, 'cluster.max_shards_per_node': 'abc' })
    expect(wrong.json()).toEqual({
      error: {
        root_cause: [
          {
            type: 'illegal_argument_exception',
            reason: 'Failed to parse value [abc] for setting [cluster.max_shards_per_node]',
          },
        ],
        type: 'illegal_argument_exception',
        reason: 'Failed to parse value [abc] for setting [cluster.max_shards_per_node]',
        caused_by: { type: 'number_format_exception', reason: 'For input string: "abc"' },
      },
      status: 400,
    })
    expect(await json('/_cluster/settings')).toEqual({ persistent: {}, transient: {} })
    expect(reasonOf(await put('/_cluster/settings', {}))).toBe('Validation Failed: 1: no settings to update;')
    expect((await put('/_cluster/settings', { lasting: { 'search.max_buckets': 1 } })).json()).toMatchObject({
      error: { type: 'x_content_parse_exception' },
    })
    expect(reasonOf(await put('/_cluster/settings', { transient: { 'a.b': 1 } }))).toBe(
      'transient setting [a.b], not recognized',
    )
  })
})

it('a usual life of scrolls that is longer than the longest is refused, whichever of both is changed', async () => {
  const refusal = (standard: string, most: string) =>
    `Default keep alive setting for request [search.default_keep_alive][${standard}] should be smaller than max keep alive [search.max_keep_alive][${most}], was (${standard} > ${most})`
  const long = '99999999999d'
  expect(reasonOf(await set({ 'search.default_keep_alive': long }))).toBe(refusal(long, '24h'))
  expect(reasonOf(await set({ 'search.max_keep_alive': '4m' }))).toBe(refusal('5m', '4m'))
  expect((await set({ 'search.default_keep_alive': '2d', 'search.max_keep_alive': '2d' })).status).toBe(200)
  expect(reasonOf(await set({ 'search.max_keep_alive': null }))).toBe(refusal('2d', '24h'))
  const transient = { 'search.max_keep_alive': '1h' }
  expect(reasonOf(await put('/_cluster/settings', { transient }))).toBe(refusal('2d', '1h'))
  expect((await set({ 'search.*': null })).status).toBe(200)
})

describe('settings that bound', () => {
  it('search.max_buckets bounds and widens', async () => {
    await put('/many', { mappings: { properties: { n: { type: 'integer' } } } })
    await bulk(
      '/many/_bulk?refresh=true',
      [0, 1, 2, 3].map((n) => ({ n })),
    )
    const terms = { size: 0, aggs: { n: { terms: { field: 'n' } } } }
    await set({ 'search.max_buckets': 3 })
    expect((await post('/many/_search', terms)).text).toMatch(/Must be less than or equal to: \[3\]/)
    await set({ 'search.max_buckets': 4 })
    expect((await post('/many/_search', terms)).status).toBe(200)
    const gaps = {
      size: 0,
      aggs: { n: { histogram: { field: 'n', interval: 1, extended_bounds: { min: 0, max: 70_000 } } } },
    }
    await set({ 'search.max_buckets': null })
    expect((await post('/many/_search', gaps)).text).toMatch(/less than or equal to: \[65536\]/)
    await set({ 'search.max_buckets': 80_000 })
    const wide = Object((await post('/many/_search?filter_path=aggregations.n.buckets.key', gaps)).json())
    expect(wide.aggregations.n.buckets).toHaveLength(70_001)
  })

  it('cluster.max_shards_per_node refuses indices, replicas and opening', async () => {
    const used = async () =>
      Object(await json('/_health_report/shards_capacity?filter_path=**.data')).indicators.shards_capacity.details.data
        .current_used_shards
    await put('/closing', { settings: { number_of_shards: 2 } })
    await post('/closing/_close')
    const before = await used()
    await set({ 'cluster.max_shards_per_node': before + 1 })
    const full = `Validation Failed: 1: this action would add [2] shards, but this cluster currently has [${before}]/[${before + 1}] maximum normal shards open;`
    const refused = await put('/too-many', { settings: { number_of_shards: 2 } })
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({ error: { type: 'validation_exception', reason: full } })
    expect(reasonOf(await post('/closing/_open'))).toBe(full)
    expect(reasonOf(await put('/many/_settings', { number_of_replicas: 2 }))).toBe(full)
    expect((await put('/just-one')).status).toBe(200)
    expect(reasonOf(await put('/one-more/_doc/1', { a: 1 }))).toMatch(/this action would add \[1\] shards/)
    expect(await json('/_health_report/shards_capacity')).toMatchObject({
      indicators: { shards_capacity: { status: 'red' } },
    })
    await set({ 'cluster.max_shards_per_node': null })
    expect((await post('/closing/_open')).status).toBe(200)
  })
})

describe('settings that block', () => {
  it('cluster.blocks.read_only keeps everything but itself as it is', async () => {
    await put('/still/_doc/1?refresh=true', { a: 1 })
    await set({ 'cluster.blocks.read_only': true })
    const reason = 'blocked by: [FORBIDDEN/6/cluster read-only (api)];'
    for (const answer of [
      await put('/still/_doc/2', { a: 2 }),
      await put('/new'),
      await remove('/still'),
      await put('/_index_template/t', { index_patterns: ['t'] }),
      await set({ 'search.max_buckets': 5 }),
      await bulk('/still/_bulk', [{ a: 2 }]),
    ]) {
      expect(answer.status).toBe(403)
      expect(answer.json()).toMatchObject({ error: { type: 'cluster_block_exception', reason } })
    }
    expect(await json('/still/_count')).toMatchObject({ count: 1 })
    expect(await json('/_cluster/state/blocks')).toMatchObject({
      blocks: { global: { 6: { description: 'cluster read-only (api)', levels: ['write', 'metadata_write'] } } },
    })
    expect((await set({ 'cluster.blocks.read_only': false })).status).toBe(200)
    expect((await put('/still/_doc/2', { a: 2 })).status).toBe(201)
  })

  it('cluster.blocks.read_only_allow_delete lets indices go', async () => {
    await put('/going')
    await set({ 'cluster.blocks.read_only_allow_delete': true })
    expect(reasonOf(await put('/going/_doc/1', { a: 1 }))).toBe(
      'blocked by: [FORBIDDEN/13/cluster read-only / allow delete (api)];',
    )
    expect((await remove('/going')).status).toBe(200)
  })

  it('cluster.indices.close.enable keeps indices open', async () => {
    await put('/kept-open')
    await set({ 'cluster.indices.close.enable': false })
    const refused = await post('/kept-open/_close')
    expect([refused.status, reasonOf(refused)]).toEqual([500, expect.stringContaining('closing indices is disabled')])
  })
})

describe('settings of searches', () => {
  it('search.max_open_scroll_context bounds scrolls and points in time', async () => {
    await put('/scrolled/_doc/1?refresh=true', { a: 1 })
    await set({ 'search.max_open_scroll_context': 1 })
    expect((await post('/scrolled/_search?scroll=1m')).status).toBe(200)
    const second = await post('/scrolled/_search?scroll=1m')
    expect([second.status, reasonOf(second)]).toEqual([429, expect.stringContaining('less than or equal to: [1]')])
    await remove('/_search/scroll/_all')
  })

  it('search.max_async_search_response_size bounds what is kept', async () => {
    await put('/asked/_doc/1?refresh=true', { a: 'x'.repeat(2_000) })
    await set({ 'search.max_async_search_response_size': '1kb' })
    expect(reasonOf(await post('/asked/_async_search?keep_on_completion=false'))).toBe(
      "Can't store an async search response larger than [1024] bytes",
    )
  })

  it('search.allow_expensive_queries refuses patterns, ranges of keywords, objects apart and scripts', async () => {
    const properties = {
      k: { type: 'keyword' },
      w: { type: 'wildcard' },
      t: { type: 'text' },
      n: { type: 'long' },
      o: { type: 'nested' },
    }
    await put('/dear', { mappings: { properties } })
    await put('/dear/_doc/1?refresh=true', { k: 'abc', w: 'abc', t: 'some words', n: 1 })
    const ask = async (query: object) => Object((await post('/dear/_search', { query })).json())
    const dear: readonly (readonly [object, string])[] = [
      [{ wildcard: { k: 'a*' } }, '[wildcard] queries'],
      [{ prefix: { k: 'a' } }, '[prefix] queries'],
      [{ bool: { must_not: { regexp: { t: 'wo.*' } } } }, '[regexp] queries'],
      [{ query_string: { query: 'k:ab*' } }, 'queries'],
      [{ match: { t: { query: 'wrods', fuzziness: 2 } } }, '[fuzzy] queries'],
      [{ range: { k: { gt: 'a' } } }, '[range] queries on [text] or [keyword] fields'],
      [{ nested: { path: 'o', query: { match_all: {} } } }, '[joining] queries'],
      [{ script: { script: "doc['n'].value == 1" } }, '[script] queries'],
      [{ script_score: { query: { match_all: {} }, script: { source: '1' } } }, '[script score] queries'],
    ]
    const refusedAnyhow = { range: { t: { gt: 'a' } } }
    const cheap = [
      { wildcard: { w: 'a*' } },
      { match: { t: 'words' } },
      { range: { n: { gte: 1 } } },
      { term: { k: 'abc' } },
    ]
    for (const [query] of dear) expect(await ask(query)).not.toHaveProperty('error')
    await set({ 'search.allow_expensive_queries': false })
    for (const [query, what] of dear) {
      const { error, status } = await ask(query)
      expect([status, error?.root_cause[0].type]).toEqual([400, 'exception'])
      expect(error.root_cause[0].reason).toContain(what)
      expect(error.root_cause[0].reason).toContain(
        "cannot be executed when 'search.allow_expensive_queries' is set to false.",
      )
    }
    expect((await ask(refusedAnyhow)).error.root_cause[0].reason).toContain(
      '[range] queries on [text] or [keyword] fields',
    )
    for (const query of cheap) expect((await ask(query)).hits.total.value).toBe(1)
  })
})
