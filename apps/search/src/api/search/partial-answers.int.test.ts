import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const ask = searchOverWire()
const put = (path: string, body: object) => ask(path, { method: 'PUT', body })

beforeAll(async () => {
  for (const [name, field, value] of [
    ['words', { type: 'text' }, 'red'],
    ['key', { type: 'keyword' }, 'red'],
    ['silent', { type: 'text', index: false }, 'red'],
    ['number', { type: 'long' }, 1],
  ] as const) {
    await put(`/${name}`, { mappings: { properties: { t: field } } })
    await put(`/${name}/_doc/1?refresh=true`, { t: value })
  }
})

interface Answer {
  readonly status?: number
  readonly _shards: { readonly failures?: readonly { readonly index: string; readonly reason: object }[] }
  readonly hits: { readonly hits: readonly { readonly _index: string }[] }
}
const post = async (path: string, body: object) => (await ask(path, { method: 'POST', body })).json() as Answer
const found = ({ hits }: Answer) => hits.hits.map(({ _index }) => _index).sort()
const red = { query: { match: { t: 'red' } } }

describe('a search over indices of which some cannot read it', () => {
  it('is answered by the others, and says which failed and why', async () => {
    const answer = await post('/words,key,silent,number/_search', red)
    expect(found(answer)).toEqual(['key', 'words'])
    expect(answer._shards).toMatchObject({ total: 4, successful: 2, skipped: 0, failed: 2 })
    const failures = [...(answer._shards.failures ?? [])].sort((a, b) => (a.index < b.index ? -1 : 1))
    expect(failures).toMatchObject([
      {
        ...{ shard: 0, index: 'number', node: expect.any(String) },
        reason: { type: 'query_shard_exception', index: 'number', index_uuid: expect.any(String) },
      },
      {
        index: 'silent',
        reason: { reason: 'failed to create query: Cannot search on field [t] since it is not indexed.' },
      },
    ])
    const aggs = { a: { terms: { field: 't' } } }
    expect(await post('/key,silent/_search', { size: 0, ...red, aggs })).toMatchObject({
      _shards: { successful: 1, failed: 1, failures: [{ index: 'silent' }] },
      aggregations: { a: { buckets: [{ key: 'red', doc_count: 1 }] } },
    })
    expect(found(await post('/words,number/_search', { post_filter: red.query }))).toEqual(['words'])
  })

  it('fails where all fail, or where it must be whole', async () => {
    const failed = { status: 400, error: { type: 'search_phase_execution_exception' } }
    expect(await post('/silent,number/_search', red)).toMatchObject(failed)
    expect(await post('/words,silent/_search?allow_partial_search_results=false', red)).toMatchObject(failed)
    const whole = '?scroll=1m&allow_partial_search_results=false'
    expect(await post(`/words,silent/_search${whole}`, red)).toMatchObject(failed)
    expect(await post('/words,silent/_search', { query: { nonsense: {} } })).toMatchObject({ status: 400 })
    const setting = { 'search.default_allow_partial_results': false }
    await put('/_cluster/settings', { transient: setting })
    expect(await post('/words,silent/_search', red)).toMatchObject(failed)
    expect(found(await post('/words,silent/_search?allow_partial_search_results=true', red))).toEqual(['words'])
    await put('/_cluster/settings', { transient: { 'search.default_allow_partial_results': null } })
  })

  it('is partial in a scroll, whose later pages are of the others alone', async () => {
    await put('/words/_doc/2?refresh=true', { t: 'red' })
    const first = await post('/words,silent/_search?scroll=1m', { size: 1, ...red })
    expect(first._shards).toMatchObject({ successful: 1, failed: 1, failures: [{ index: 'silent' }] })
    const { _scroll_id: scroll } = first as Answer & { readonly _scroll_id: string }
    const second = await post('/_search/scroll', { scroll: '1m', scroll_id: scroll })
    expect([...found(first), ...found(second)]).toEqual(['words', 'words'])
    expect(second._shards).toMatchObject({ successful: 1, failed: 0 })
    await ask('/words/_doc/2?refresh=true', { method: 'DELETE' })
  })

  it('is counted by the others', async () => {
    const counted = await post('/words,silent/_count', red)
    expect(counted).toMatchObject({ count: 1, _shards: { total: 2, failed: 1, failures: [{ index: 'silent' }] } })
    expect(await post('/silent/_count', red)).toMatchObject({ status: 400 })
  })

  it('is partial as one of several, over a point in time and when nobody waits for it', async () => {
    const lines = (header: object) => `${JSON.stringify(header)}\n${JSON.stringify(red)}\n`
    const body =
      lines({ index: 'words,silent' }) + lines({ index: 'words,silent', allow_partial_search_results: false })
    const headers = { 'content-type': 'application/x-ndjson' }
    const many = (await ask('/_msearch', { method: 'POST', body, headers })).json() as { responses: Answer[] }
    expect(many.responses).toMatchObject([{ _shards: { successful: 1, failed: 1 } }, { status: 400 }])
    const pit = (await ask('/words,silent/_pit?keep_alive=1m', { method: 'POST' })).json() as { id: string }
    expect(found(await post('/_search', { ...red, pit: { id: pit.id } }))).toEqual(['words'])
    expect(await post('/words,silent/_async_search?wait_for_completion_timeout=10s', red)).toMatchObject({
      is_partial: true,
      is_running: false,
      response: { _shards: { failed: 1 } },
    })
  })
})

describe('a search by a field that indices map otherwise', () => {
  it('is answered by those that can aggregate, sort by or collapse a field, whichever comes first', async () => {
    const of = (agg: object) => ({ size: 0, aggs: { a: agg } })
    for (const indices of ['key,words', 'words,key']) {
      const answer = await post(`/${indices}/_search`, of({ terms: { field: 't' } }))
      expect(answer).toMatchObject({
        _shards: { successful: 1, failed: 1, failures: [{ index: 'words' }] },
        aggregations: { a: { buckets: [{ key: 'red', doc_count: 1 }] } },
      })
      expect(answer._shards.failures?.[0]?.reason).toMatchObject({
        reason: expect.stringContaining('Fielddata is disabled on [t] in [words]'),
      })
    }
    const below = { filter: { match_all: {} }, aggs: { b: { sum: { field: 't' } } } }
    expect(await post('/key,number/_search', of(below))).toMatchObject({
      _shards: { failures: [{ index: 'key', reason: { reason: expect.stringContaining('of type [keyword]') } }] },
      aggregations: { a: { doc_count: 1, b: { value: 1 } } },
    })
    expect(found(await post('/key,words/_search', { sort: ['t'] }))).toEqual(['key'])
    expect(found(await post('/number,words/_search', { collapse: { field: 't' } }))).toEqual(['number'])
    await put('/unmapped', {})
    const sorted = await post('/number,unmapped/_search', { sort: ['t'] })
    expect(found(sorted)).toEqual(['number'])
    expect(sorted._shards).toMatchObject({ failed: 1, failures: [{ index: 'unmapped' }] })
    await put('/unmapped/_doc/1?refresh=true', {})
    const first = of({ terms: { field: '_index' }, aggs: { b: { top_hits: { sort: [{ t: 'desc' }] } } } })
    expect(await post('/number,unmapped/_search', first)).toMatchObject({
      _shards: { failed: 1, failures: [{ index: 'unmapped' }] },
      aggregations: { a: { buckets: [{ key: 'number', b: { hits: { hits: [{ _index: 'number', sort: [1] }] } } }] } },
    })
    const whole = '?allow_partial_search_results=false'
    expect(await post(`/key,words/_search${whole}`, of({ terms: { field: 't' } }))).toMatchObject({ status: 400 })
    expect(await post('/words/_search', of({ terms: { field: 't' } }))).toMatchObject({ status: 400 })
  })
})
