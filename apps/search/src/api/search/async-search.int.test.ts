import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const get = async (path: string, auth?: string) => {
  const answer = await send(path, auth === undefined ? {} : { auth })
  return { status: answer.status, body: answer.json() as Answer }
}
const submit = async (path: string, body: object) => {
  const answer = await send(path, { method: 'POST', body })
  return { status: answer.status, body: answer.json() as Answer }
}

interface Answer {
  readonly id?: string
  readonly is_running?: boolean
  readonly expiration_time_in_millis?: number
  readonly response?: object
  readonly error?: { readonly type: string; readonly reason: string }
}

const request = {
  size: 2,
  sort: [{ n: 'desc' }],
  query: { range: { n: { gte: 10 } } },
  aggs: { kinds: { terms: { field: 'kind' } } },
}

beforeAll(async () => {
  const lines = Array.from(
    { length: 100 },
    (_, n) => `{"index":{}}\n${JSON.stringify({ n, kind: n % 2 ? 'odd' : 'even' })}\n`,
  )
  const mappings = { properties: { n: { type: 'long' }, kind: { type: 'keyword' } } }
  await send('/numbers', { method: 'PUT', body: { mappings } })
  const headers = { 'content-type': 'application/x-ndjson' }
  await send('/numbers/_bulk', { method: 'POST', headers, body: lines.join('') })
  const role = { cluster: ['monitor'], indices: [{ names: ['numbers'], privileges: ['read'] }] }
  await send('/_security/role/reads', { method: 'PUT', body: role })
  await send('/_security/user/other', { method: 'PUT', body: { password: 'other-password', roles: ['reads'] } })
})

async function synchronous(body: object): Promise<object> {
  const answer = (await submit('/numbers/_search', body)).body as Record<string, unknown>
  return { ...answer, took: expect.any(Number) }
}

describe('_async_search', () => {
  it('answers what _search does, without an id, when it ends in time', async () => {
    const { status, body } = await submit('/numbers/_async_search?wait_for_completion_timeout=60s', request)
    expect(status).toBe(200)
    expect(body).toEqual({
      is_partial: false,
      is_running: false,
      start_time_in_millis: expect.any(Number),
      expiration_time_in_millis: expect.any(Number),
      completion_time_in_millis: expect.any(Number),
      response: await synchronous(request),
    })
  })

  it('goes on after its answer, is asked for by its id, tells its state and is deleted', async () => {
    const { body: begun } = await submit(
      '/numbers/_async_search?wait_for_completion_timeout=0ms&keep_on_completion=true&keep_alive=2m',
      request,
    )
    const path = `/_async_search/${begun.id}`
    const ended = await get(`${path}?wait_for_completion_timeout=60s&keep_alive=10m`)
    expect(ended.body).toMatchObject({ id: begun.id, is_running: false, response: await synchronous(request) })
    expect(ended.body.expiration_time_in_millis).toBeGreaterThan(begun.expiration_time_in_millis ?? Number.NaN)
    expect((await get(`/_async_search/status/${begun.id}`)).body).toEqual({
      id: begun.id,
      is_partial: false,
      is_running: false,
      start_time_in_millis: expect.any(Number),
      expiration_time_in_millis: ended.body.expiration_time_in_millis,
      completion_time_in_millis: expect.any(Number),
      _shards: { total: 1, successful: 1, skipped: 0, failed: 0 },
      completion_status: 200,
    })
    expect((await send(path, { method: 'DELETE' })).json()).toEqual({ acknowledged: true })
    expect(await get(path)).toMatchObject({
      status: 404,
      body: { error: { type: 'resource_not_found_exception', reason: begun.id } },
    })
  })

  it('is kept when that is asked for, for its owner alone', async () => {
    const kept = '/numbers/_async_search?wait_for_completion_timeout=60s&keep_on_completion=true&typed_keys=true'
    const { body } = await submit(kept, { ...request, size: 0 })
    expect(body).toMatchObject({ is_running: false, response: { aggregations: { 'sterms#kinds': expect.anything() } } })
    expect((await get(`/_async_search/${body.id}?typed_keys=true`)).body).toEqual(body)
    expect((await get(`/_async_search/${body.id}?typed_keys=false`)).status).toBe(400)
    for (const path of [`/_async_search/${body.id}`, `/_async_search/status/${body.id}`])
      expect((await get(path, 'other:other-password')).status).toBe(404)
  })
})

describe('_async_search of other requests', () => {
  it('takes what Kibana sends, for the indices that are there', async () => {
    const parameters =
      'batched_reduce_size=64&ccs_minimize_roundtrips=true&wait_for_completion_timeout=200ms&keep_on_completion=false&keep_alive=60000ms&ignore_unavailable=true&preference=1700000000000'
    const { status, body } = await submit(`/numbers,missing-*/_async_search?${parameters}`, {
      ...request,
      track_total_hits: false,
    })
    expect(status).toBe(200)
    const { response } =
      body.id === undefined ? body : (await get(`/_async_search/${body.id}?wait_for_completion_timeout=60s`)).body
    expect(response).toMatchObject({ hits: { hits: [{ _source: { n: 99 } }, { _source: { n: 98 } }] } })
  })

  it.each([
    ['/missing/_async_search?wait_for_completion_timeout=60s', {}, 404, 'index_not_found_exception'],
    ['/numbers/_async_search?wait_for_completion_timeout=60s', { query: { nonsense: {} } }, 400, 'parsing_exception'],
    ['/numbers/_async_search?keep_alive=1s', {}, 400, 'action_request_validation_exception'],
    ['/numbers/_async_search?scroll=1m', {}, 400, 'illegal_argument_exception'],
    [
      '/numbers/_async_search?batched_reduce_size=1&wait_for_completion_timeout=60s',
      {},
      400,
      'illegal_argument_exception',
    ],
  ])('refuses %s', async (path, body, status, type) => {
    expect(await submit(path, body)).toMatchObject({ status, body: { error: { type }, status } })
  })

  it('keeps why a search failed', async () => {
    const path = '/missing/_async_search?wait_for_completion_timeout=60s&keep_on_completion=true'
    const { status, body } = await submit(path, {})
    const error = { type: 'index_not_found_exception', reason: 'no such index [missing]' }
    expect({ status, body }).toMatchObject({ status: 404, body: { is_running: false, is_partial: true, error } })
    expect(await get(`/_async_search/${body.id}`)).toMatchObject({ status: 404, body: { error } })
    expect((await get(`/_async_search/status/${body.id}`)).body).toMatchObject({ completion_status: 404 })
  })
})
