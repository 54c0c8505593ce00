import { describe, expect, it } from 'vitest'
import type { Services } from '../../services.ts'
import { searchOverWire } from '../../testing/search-over-wire.ts'
import type { RouteRequest } from '../define-route.ts'
import { hotThreadsRoute } from './hot-threads.ts'

const send = searchOverWire()
const put = (path: string, body: object = {}) => send(path, { method: 'PUT', body })
const post = (path: string, body?: object) => send(path, { method: 'POST', ...(body === undefined ? {} : { body }) })
const json = async (path: string): Promise<Record<string, unknown>> => Object((await send(path)).json())
const oneNode = async (path: string): Promise<Record<string, unknown>> => {
  const [node] = Object.values(Object((await json(path))['nodes']))
  return Object(node)
}
const typeOf = (answer: { json(): unknown }): unknown => Object(Object(answer.json()).error).type

describe('the node', () => {
  it('says where it really listens, and who is connected', async () => {
    const address = new URL(send.url()).host
    const http = { bound_address: [address], publish_address: address }
    expect(await oneNode('/_nodes/http')).toMatchObject({ http })
    expect((await send('/_cat/nodes?h=http')).text.trim()).toBe(address)
    const headers = { 'user-agent': 'the-test', 'x-opaque-id': 'me' }
    const stats = Object(Object.values(Object((await send('/_nodes/stats/http', { headers })).json()).nodes)[0])
    expect(stats.http).toMatchObject({ current_open: 1, total_opened: 1 })
    expect(stats.http.clients).toEqual([
      expect.objectContaining({
        agent: 'the-test',
        x_opaque_id: 'me',
        local_address: address,
        last_uri: '/_nodes/stats/http',
        request_count: 3,
      }),
    ])
    await put('/_cluster/settings', { persistent: { 'http.client_stats.enabled': false } })
    expect(await oneNode('/_nodes/stats/http')).toMatchObject({ http: { total_opened: 1, clients: [] } })
    expect(await json('/_info/http')).toMatchObject({ cluster_name: 'logstack', http: { total_opened: 1 } })
    expect(typeOf(await send('/_info/else'))).toBe('illegal_argument_exception')
  })

  it('counts what is asked of it, and aggregations by the kind of their values', async () => {
    await put('/used', { mappings: { properties: { n: { type: 'integer' }, k: { type: 'keyword' } } } })
    await put('/used/_doc/1?refresh=true', { n: 1, k: 'a' })
    const aggs = {
      k: { terms: { field: 'k' }, aggs: { n: { max: { field: 'n' } } } },
      n: { terms: { field: 'n' } },
      all: { filter: { match_all: {} } },
      best: { max_bucket: { buckets_path: 'k>n' } },
    }
    expect((await post('/used/_search', { size: 0, aggs })).status).toBe(200)
    const usage = await oneNode('/_nodes/usage')
    expect(usage['rest_actions']).toMatchObject({ search_action: 1, index_action: 1, nodes_usage_action: 1 })
    expect(usage['aggregations']).toEqual({
      terms: { keyword: 1, numeric: 1 },
      max: { numeric: 1 },
      filter: { other: 1 },
    })
    expect(await oneNode('/_nodes/_local/usage/rest_actions')).not.toHaveProperty('aggregations')
    expect(await json('/_nodes/other/usage')).toMatchObject({ _nodes: { total: 0 }, nodes: {} })
    expect(typeOf(await send('/_nodes/usage/odd'))).toBe('illegal_argument_exception')
  })

  it('reads its secrets anew', async () => {
    const name = { name: 'logstack-search' }
    const reloaded = Object((await post('/_nodes/reload_secure_settings')).json())
    expect(Object.values(reloaded.nodes)).toEqual([name])
    expect((await post('/_nodes/_all/reload_secure_settings', { secure_settings_password: 'x' })).status).toBe(200)
    expect(typeOf(await post('/_nodes/reload_secure_settings', { password: 'x' }))).toBe('x_content_parse_exception')
  })

  it('shows which of its threads are busy', async () => {
    const services = { catalogue: { clusterUuid: 'u' }, nodeName: 'n', now: () => 0 } as unknown as Services
    const asked = (params: object, query: object) =>
      ({ params, query, signal: new AbortController().signal }) as unknown as RouteRequest
    const spin = setInterval(() => {
      for (let at = 0; at < 3_000_000; at += 1) Math.sqrt(at)
    }, 1)
    const { text } = await hotThreadsRoute.handle(asked({}, { interval: 300, threads: 1 }), services)
    clearInterval(spin)
    expect(text).toMatch(/^::: \{n\}\{u\}.*\n {3}Hot threads at .*interval=300ms, busiestThreads=1/)
    expect(text?.match(/cpu usage by thread '.+\[\d+\]'/g)).toHaveLength(1)
    expect(await hotThreadsRoute.handle(asked({ node: 'other' }, {}), services)).toEqual({ text: '' })
    expect((await send('/_nodes/hot_threads?interval=1ms')).headers['content-type']).toContain('text/plain')
  })
})

it('watches no threads for days', async () => {
  for (const interval of ['99999d', '3601s', `${'9'.repeat(400)}d`]) {
    const refused = await send(`/_nodes/hot_threads?interval=${interval}`)
    expect(refused.status).toBe(400)
    expect(refused.json()).toMatchObject({
      error: { type: 'illegal_argument_exception', reason: '[interval] must not be longer than [1h]' },
    })
  }
})

describe('what other programs ask before they use it', () => {
  it('knows licences, features and what a next version would not take', async () => {
    expect(await json('/_license/basic_status')).toEqual({ eligible_to_start_basic: false })
    expect(await json('/_license/trial_status')).toEqual({ eligible_to_start_trial: false })
    for (const [what, why] of [
      ['basic', 'Current license is basic.'],
      ['trial', 'Trial was already activated.'],
    ]) {
      const started = await send(`/_license/start_${what}?acknowledge=true`, { method: 'POST' })
      const answer = { acknowledged: true, [`${what}_was_started`]: false, error_message: `Operation failed: ${why}` }
      expect([started.status, started.json()]).toEqual([403, answer])
    }
    expect(await json('/_features')).toEqual({ features: [] })
    expect(await json('/_migration/system_features')).toMatchObject({ migration_status: 'NO_MIGRATION_NEEDED' })
    await put('/_cluster/settings', { transient: { 'search.max_buckets': 1000 } })
    expect(await json('/used/_migration/deprecations')).toEqual({
      cluster_settings: [
        expect.objectContaining({ level: 'warning', message: 'Transient cluster settings are deprecated' }),
      ],
      node_settings: [],
      index_settings: {},
      data_streams: {},
      templates: {},
      ilm_policies: {},
      ml_settings: [],
    })
    expect((await send('/not-there/_migration/deprecations')).status).toBe(404)
  })

  it.each([
    ['transforms', 'id state checkpoint documents_processed checkpoint_progress changes_last_detection_time'],
    [
      'ml/anomaly_detectors',
      'id state data.processed_records model.bytes model.memory_status forecasts.total buckets.count',
    ],
    ['ml/datafeeds', 'id state buckets.count search.count'],
    ['ml/data_frame/analytics', 'id create_time type state'],
    ['ml/trained_models', 'id heap_size operations create_time type ingest.pipelines data_frame.id'],
  ])('has an empty table of %s', async (path, columns) => {
    expect((await send(`/_cat/${path}?v`)).text.trim()).toBe(columns)
    expect(await json(`/_cat/${path}/a*?format=json`)).toEqual([])
    expect(typeOf(await send(`/_cat/${path}/one`))).toBe('resource_not_found_exception')
    expect(typeOf(await send(`/_cat/${path}/a*?allow_no_match=false`))).toBe('resource_not_found_exception')
    expect((await send('/_cat')).text).toContain(`/_cat/${path}\n`)
  })

  it('says which clusters an expression leads to', async () => {
    const found = { connected: true, skip_unavailable: false, matching_indices: true }
    expect(await json('/_resolve/cluster/use*')).toMatchObject({ '(local)': found })
    expect(await json('/_resolve/cluster/els*,other*:x')).toMatchObject({ '(local)': { matching_indices: false } })
    expect(await json('/_resolve/cluster/not-there')).toEqual({
      '(local)': { connected: true, skip_unavailable: false, error: 'no such index [not-there]' },
    })
    expect(await json('/_resolve/cluster')).toEqual({})
    const remote = await send('/_resolve/cluster/other:x')
    expect([remote.status, typeOf(remote)]).toEqual([404, 'no_such_remote_cluster_exception'])
  })

  it('says which requests it takes', async () => {
    const takes = async (query: string) => (await json(`/_capabilities?${query}`))['supported']
    expect(await takes('method=GET&path=/_search&parameters=timeout,pretty')).toBe(true)
    expect(await takes('method=GET&path=/_search&parameters=odd')).toBe(false)
    expect(await takes('method=GET&path=/_search/more/than/this')).toBe(false)
    expect(await takes('method=POST&path=/_bulk&capabilities=odd')).toBe(false)
  })
})

it('says what data streams hold and how their lifecycles went', async () => {
  const template = { index_patterns: ['stream-*'], data_stream: {}, template: { lifecycle: { data_retention: '7d' } } }
  await put('/_index_template/streams', template)
  await post('/stream-a/_doc?refresh=true', { '@timestamp': '2026-11-02T00:00:00Z' })
  await post('/stream-a/_doc?refresh=true', { '@timestamp': '2026-11-01T00:00:00Z' })
  await put('/_data_stream/stream-b')
  const stats = await json('/_data_stream/stream-*/_stats?human')
  expect(stats).toMatchObject({
    _shards: { total: 2, successful: 2, failed: 0 },
    data_stream_count: 2,
    backing_indices: 2,
    total_store_size: expect.stringMatching(/b$/),
    data_streams: [
      { data_stream: 'stream-a', backing_indices: 1, maximum_timestamp: Date.UTC(2026, 10, 2) },
      { data_stream: 'stream-b', backing_indices: 1, maximum_timestamp: 0, store_size_bytes: 0 },
    ],
  })
  expect((await send('/_data_stream/stream-c/_stats')).status).toBe(404)
  expect(await json('/_lifecycle/stats')).toMatchObject({
    data_stream_count: 2,
    data_streams: [
      { name: 'stream-a', backing_indices_in_total: 1, backing_indices_in_error: 0 },
      { name: 'stream-b', backing_indices_in_total: 1, backing_indices_in_error: 0 },
    ],
  })
})

it('shows the state of the cluster flat where it is asked to', async () => {
  const state = await json('/_cluster/state/metadata/used?flat_settings=true')
  expect(state).toMatchObject({
    metadata: { indices: { used: { settings: { 'index.number_of_shards': '1' } } } },
  })
  expect(state).not.toHaveProperty('routing_table')
})
