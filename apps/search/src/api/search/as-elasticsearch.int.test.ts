import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

// What Elasticsearch 8.19 answered to the same, and OpenSearch where it lacks a field type.
const send = searchOverWire()
const put = (path: string, body: object = {}) => send(path, { method: 'PUT', body })
const post = (path: string, body: object = {}) => send(path, { method: 'POST', body })
const get = (path: string) => send(path)
const errorOf = (answer: { json(): unknown }) => Object(Object(answer.json()).error)

beforeAll(async () => {
  await put('/five', { settings: { number_of_shards: 5 } })
  await put('/closed-1')
  await post('/closed-1/_close')
  await put('/counted/_doc/1?refresh=true', { n: 1, users: { name: 'a' } })
})

describe('shards', () => {
  it('are counted as an index was made with them', async () => {
    const all = { total: 5, successful: 5, skipped: 0, failed: 0 }
    expect((await post('/five/_search', { size: 0 })).json()).toMatchObject({ _shards: all })
    expect((await post('/five/_count')).json()).toMatchObject({ _shards: all })
    expect((await post('/five/_pit?keep_alive=1m')).json()).toMatchObject({ _shards: all })
  })

  it('that a deletion or an update is not led to keep their documents', async () => {
    await put('/five/_doc/1?routing=5&refresh=true', { foo: 'bar' })
    const deleted = await send('/five/_doc/1?routing=4', { method: 'DELETE' })
    expect(deleted.status).toBe(404)
    expect(deleted.json()).toMatchObject({ result: 'not_found', _version: 1 })
    expect(errorOf(await post('/five/_update/1', { doc: { foo: 'baz' } }))).toMatchObject({
      type: 'document_missing_exception',
    })
    const many = ['{"delete":{"_index":"five","_id":"1"}}', '{"update":{"_index":"five","_id":"1"}}', '{"doc":{"a":1}}']
    const bulk = await send('/_bulk', {
      method: 'POST',
      body: `${many.join('\n')}\n`,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    expect(bulk.json()).toMatchObject({
      errors: true,
      items: [{ delete: { status: 404, result: 'not_found' } }, { update: { status: 404 } }],
    })
    expect((await get('/five/_doc/1?routing=5')).json()).toMatchObject({ _version: 1, _source: { foo: 'bar' } })
    expect((await post('/five/_count')).json()).toMatchObject({ count: 1 })
    const updated = await post('/five/_update/1?routing=5', { doc: { foo: 'baz' } })
    expect(updated.json()).toMatchObject({ result: 'updated', _version: 2 })
    expect((await send('/five/_doc/1?routing=5', { method: 'DELETE' })).json()).toMatchObject({ result: 'deleted' })
  })

  it('are found by what changes documents by a query, which knows where each is', async () => {
    for (const routing of ['a', 'b', 'c'])
      await put(`/five/_doc/${routing}-1?routing=${routing}&refresh=true`, { n: 1 })
    const query = { match_all: {} }
    const script = { source: 'ctx._source.n = 2' }
    expect((await post('/five/_update_by_query?refresh=true', { query, script })).json()).toMatchObject({ updated: 3 })
    expect((await post('/five/_delete_by_query?refresh=true', { query })).json()).toMatchObject({ deleted: 3 })
    expect((await post('/five/_count')).json()).toMatchObject({ count: 0 })
  })
})

describe('indices of a request', () => {
  it('that a pattern finds closed are refused, or left out where what is unavailable is', async () => {
    for (const api of ['_search', '_count'])
      expect(errorOf(await get(`/closed-*/${api}?expand_wildcards=open,closed`))).toMatchObject({
        type: 'index_closed_exception',
      })
    const none = await get('/closed-*/_search?expand_wildcards=closed&ignore_unavailable=true')
    expect(none.json()).toMatchObject({ _shards: { total: 0 } })
  })

  it('that an alias stands for are not deleted by it, and it is passed over where what is unavailable is', async () => {
    await put('/behind', { aliases: { before: {} } })
    expect((await send('/before', { method: 'DELETE' })).status).toBe(400)
    expect((await send('/before?ignore_unavailable=true', { method: 'DELETE' })).json()).toEqual({ acknowledged: true })
    expect((await send('/behind', { method: 'HEAD' })).status).toBe(200)
  })
})

it('shows both routings of an alias of a template', async () => {
  const aliases = { plain: {}, routed: { routing: 'b' } }
  await put('/_index_template/routed', { index_patterns: ['routed-*'], template: { aliases } })
  const [shown] = Object((await get('/_index_template/routed')).json()).index_templates
  expect(shown.index_template.template.aliases).toEqual({
    plain: {},
    routed: { index_routing: 'b', search_routing: 'b' },
  })
})

describe('refusals', () => {
  it('name all that a scroll may not have', async () => {
    expect(errorOf(await post('/counted/_search?scroll=1m&request_cache=true', { size: 0 })).reason).toBe(
      'Validation Failed: 1: [size] cannot be [0] in a scroll context;2: [request_cache] cannot be used in a scroll context;',
    )
  })

  it('of more buckets than there may be are made before any is', async () => {
    const sources = [{ n: { terms: { field: 'n' } } }]
    const refused = await post('/counted/_search', { aggs: { a: { composite: { size: 1_000_000_000, sources } } } })
    expect(errorOf(refused).root_cause).toMatchObject([
      {
        type: 'too_many_buckets_exception',
        reason: expect.stringContaining('less than or equal to: [65536] but was [1000000000].'),
      },
    ])
  })

  it('of numbers that no order holds exactly', async () => {
    await put('/unsigned', { mappings: { properties: { n: { type: 'unsigned_long' } } } })
    await put('/unsigned/_doc/1?refresh=true', { n: 10_000_000_000_000_000_000 })
    const refused = await post('/unsigned,counted/_search', { sort: 'n' })
    expect(refused.status).toBe(400)
    expect(errorOf(refused).caused_by.reason).toBe(
      "Can't do sort across indices, as a field has [unsigned_long] type in one index, and different type in another index!",
    )
    expect((await post('/unsigned/_search', { sort: 'n' })).status).toBe(200)
  })

  it('of a flush that neither waits nor yields', async () => {
    expect(errorOf(await post('/counted/_flush?force=true&wait_if_ongoing=false'))).toMatchObject({
      type: 'action_request_validation_exception',
    })
  })
})

describe('refusals that name what is meant', () => {
  it('of how exact an estimate shall be, and of slices, name the member', async () => {
    const percentiles = (given: object) =>
      post('/counted/_search', { aggs: { a: { percentiles: { field: 'n', ...given } } } })
    const ranks = { percentile_ranks: { field: 'n', values: [1], hdr: { number_of_significant_value_digits: 9 } } }
    expect(errorOf(await percentiles({ tdigest: { compression: -1 } })).caused_by.caused_by.reason).toBe(
      '[compression] must be greater than or equal to 0. Found [-1.0]',
    )
    expect(errorOf(await post('/counted/_search', { aggs: { a: ranks } })).caused_by.caused_by.reason).toBe(
      '[numberOfSignificantValueDigits] must be between 0 and 5',
    )
    expect(errorOf(await post('/counted/_search?scroll=1m', { slice: { id: 2, max: 2 } }))).toMatchObject({
      reason: expect.stringContaining('[slice] failed to parse field [max]'),
      caused_by: { reason: 'max must be greater than id' },
    })
  })

  it('of aliases that are not there name each', async () => {
    const remove = { index: 'counted', aliases: ['x', 'y'] }
    expect(errorOf(await post('/_aliases', { actions: [{ remove }] }))).toMatchObject({
      reason: 'aliases [x, y] missing',
      'resource.id': ['x', 'y'],
    })
  })

  it('of a task of a node that is not there', async () => {
    expect(errorOf(await get('/_tasks/foo:1'))).toMatchObject({
      reason:
        "task [foo:1] belongs to the node [foo] which isn't part of the cluster and there is no record of the task",
      caused_by: { reason: "task [foo:1] isn't running and hasn't stored its results" },
    })
  })
})

describe('refusals of what is only looked at', () => {
  it('are told in one line, by index where one of them refuses it', async () => {
    const parsing = 'org.elasticsearch.common.ParsingException'
    const validate = async (query: object) =>
      Object((await post('/counted/_validate/query?explain=true', { query })).json())
    expect(await validate({ boool: {} })).toEqual({
      valid: false,
      error: expect.stringContaining(`${parsing}: unknown query [boool] did you mean [bool]?; `),
    })
    expect(await validate({ term: {} })).toEqual({
      valid: false,
      error: `${parsing}: Failed to parse; java.lang.IllegalArgumentException: field name is null or empty`,
    })
    expect(await validate({ range: { n: { gte: 'abc' } } })).toMatchObject({
      _shards: { total: 1, successful: 1 },
      valid: false,
      explanations: [
        {
          index: 'counted',
          valid: false,
          error: expect.stringMatching(
            /^\[counted\/.{22}\] org\.elasticsearch\.index\.query\.QueryShardException: failed to create query: For input string: "abc"; java\.lang\.NumberFormatException: /,
          ),
        },
      ],
    })
  })
})

describe('statistics', () => {
  it('count what an index consists of, and nothing of one that is closed', async () => {
    const count = async (path: string) => Object((await get(path)).json()).indices.parts?.primaries.segments.count
    await put('/parts')
    expect(await count('/parts/_stats/segments')).toBe(0)
    await put('/parts/_doc/1', { a: 1 })
    expect(await count('/parts/_stats/segments')).toBe(1)
    await post('/parts/_close')
    const closed = '/_stats/segments?expand_wildcards=closed&forbid_closed_indices=false'
    expect(await count(closed)).toBe(0)
    expect(await count(`${closed}&include_unloaded_segments=true`)).toBe(1)
  })

  it('of the node tell what is written, and each index by itself', async () => {
    const stats = async (path: string) => Object(Object.values(Object((await get(path)).json()).nodes)[0])
    const { memory } = (await stats('/_nodes/stats/indexing_pressure')).indexing_pressure
    expect(memory).toMatchObject({ current: { all_in_bytes: 0 }, limit_in_bytes: 256 * 1024 ** 2 })
    expect(memory.total.primary_in_bytes).toBeGreaterThan(0)
    const byIndex = (await stats('/_nodes/stats/indices/docs?level=indices')).indices
    expect(byIndex.indices.counted).toEqual({ docs: { count: 1, deleted: 0, total_size_in_bytes: expect.any(Number) } })
    const byShard = (await stats('/_nodes/stats/indices/docs?level=shards')).indices
    expect(byShard.shards.counted).toMatchObject([{ 0: { docs: { count: 1 } } }])
  })
})

it('names aggregations of what no index has after texts', async () => {
  const aggs = {
    a: { terms: { field: 'nope' } },
    b: { significant_terms: { field: 'nope' } },
    c: { rare_terms: { field: 'nope' } },
  }
  const { aggregations } = Object((await post('/counted/_search?typed_keys=true', { size: 0, aggs })).json())
  expect(Object.keys(aggregations).sort()).toEqual(['sigsterms#b', 'sterms#a', 'sterms#c'])
})

describe('histograms over indices that map a field otherwise', () => {
  const asked = (aggs: object) => post('/h-*/_search', { size: 0, aggs: { a: aggs } })
  const answerOf = async (aggs: object) => {
    const { _shards, aggregations, error } = Object((await asked(aggs)).json())
    return { failed: _shards?.failures?.map(({ index }: { index: string }) => index), a: aggregations?.a, error }
  }

  beforeAll(async () => {
    const types = { number: 'long', truth: 'boolean', word: 'keyword' }
    const values = { number: 5, truth: true, word: 'a' }
    for (const [name, type] of Object.entries(types)) {
      await put(`/h-${name}`, { mappings: { properties: { f: { type } } } })
      await put(`/h-${name}/_doc/1?refresh=true`, { f: values[name as keyof typeof values] })
    }
  })

  it('answer for the indices that can, and name the others', async () => {
    const { failed, a } = await answerOf({ histogram: { field: 'f', interval: 5 } })
    expect(failed).toEqual(['h-word'])
    expect(a).toEqual({
      buckets: [
        { key: 0, doc_count: 1 },
        { key: 5, doc_count: 1 },
      ],
    })
  })

  it('of time take numbers and truths for milliseconds, without a text, and in no zone', async () => {
    const { failed, a } = await answerOf({ date_histogram: { field: 'f', fixed_interval: '2ms' } })
    expect(failed).toEqual(['h-word'])
    expect(a).toEqual({
      buckets: [
        { key: 0, doc_count: 1 },
        { key: 2, doc_count: 0 },
        { key: 4, doc_count: 1 },
      ],
    })
    const zoned = { date_histogram: { field: 'f', calendar_interval: 'day', time_zone: '+01:00' } }
    expect(errorOf(await post('/h-number/_search', { aggs: { a: zoned } })).root_cause[0].reason).toBe(
      'Field [f] of type [long] does not support custom time zones',
    )
  })
})
