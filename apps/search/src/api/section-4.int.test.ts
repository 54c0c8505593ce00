import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** The requests of the interface's section 4, as an operator types them, against a search of its own. */

let search: TestSearch
let client: WireClient

const newPassword = 'another-password-of-elastic'
let auth = ''

const send: WireClient['send'] = (path, request = {}) => client.send(path, { auth, ...request })

beforeAll(async () => {
  search = await startSearch()
  auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

it('1: the root names the node and the version of the API', async () => {
  const answer = await send('/')
  expect(answer.status).toBe(200)
  expect(answer.json()).toEqual({
    name: 'logstack-search',
    cluster_name: expect.any(String),
    cluster_uuid: expect.stringMatching(/^[\w-]{22}$/),
    version: {
      number: expect.stringMatching(/^8\.19\.\d+$/),
      build_flavor: 'default',
      build_type: 'logstack',
      build_hash: expect.any(String),
      build_date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/),
      build_snapshot: false,
      lucene_version: expect.any(String),
      minimum_wire_compatibility_version: expect.any(String),
      minimum_index_compatibility_version: expect.any(String),
    },
    tagline: 'You Know, for Search',
  })
})

it('answers a wrong password with 401 and the words of section 7', async () => {
  const path = '/_cluster/health?filter_path=status,*_shards'
  const answer = await send(path, { auth: 'elastic:wrong' })
  const reason = `unable to authenticate user [elastic] for REST request [${path}]`
  expect(answer.status).toBe(401)
  expect(answer.json()).toMatchObject({ error: { type: 'security_exception', reason }, status: 401 })
})

describe('2 to 4: health, shards and replicas', () => {
  const health = async () => (await send('/_cluster/health?filter_path=status,*_shards')).json()

  beforeAll(async () => {
    await send('/logs-a', { method: 'PUT', body: { settings: { number_of_shards: 1 } } })
    await send('/.hidden-b', { method: 'PUT', body: { settings: { index: { hidden: true } } } })
    await send('/.logstack-state', { method: 'PUT', body: { settings: { index: { hidden: true } } } })
  })

  it('is green on one node from the start', async () => {
    expect(await health()).toEqual({
      status: 'green',
      active_primary_shards: 3,
      active_shards: 3,
      relocating_shards: 0,
      initializing_shards: 0,
      unassigned_shards: 0,
      unassigned_primary_shards: 0,
      delayed_unassigned_shards: 0,
    })
    expect((await send('/_cluster/health?pretty&filter_path=status')).text).toBe('{\n  "status" : "green"\n}\n')
  })

  it('turns yellow with replicas, lists them as unassigned, and green again without', async () => {
    const put = await send('/_settings', { method: 'PUT', body: { 'index.number_of_replicas': 2 } })
    expect([put.status, put.json()]).toEqual([200, { acknowledged: true }])
    // The stack's own state keeps none.
    expect(await health()).toMatchObject({ status: 'yellow', active_primary_shards: 3, unassigned_shards: 4 })
    const shards = await send('/_cat/shards?v=true&h=index,shard,prirep,state,node,unassigned.reason&s=state')
    expect(shards.headers['content-type']).toBe('text/plain; charset=UTF-8')
    const lines = shards.text.trimEnd().split('\n')
    expect(lines[0]?.split(/ +/)).toEqual(['index', 'shard', 'prirep', 'state', 'node', 'unassigned.reason'])
    expect(lines.slice(1, 4).map((line) => line.trim().split(/ +/).slice(1))).toEqual(
      Array.from({ length: 3 }, () => ['0', 'p', 'STARTED', 'logstack-search']),
    )
    expect(lines.slice(4).map((line) => line.trim().split(/ +/).slice(1))).toEqual(
      Array.from({ length: 4 }, () => ['0', 'r', 'UNASSIGNED', 'REPLICA_ADDED']),
    )
    await send('/_settings', { method: 'PUT', body: { 'index.number_of_replicas': 0 } })
    expect(await health()).toMatchObject({ status: 'green', unassigned_shards: 0 })
  })

  it('refuses a negative number', async () => {
    const answer = await send('/_settings', { method: 'PUT', body: { 'index.number_of_replicas': -1 } })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('illegal_argument_exception')])
  })
})

describe('6: update by query, of what stops a re-index', () => {
  const reindex = { source: { index: 'winlogbeat-old' }, dest: { index: 'winlogbeat-new' } }

  beforeAll(async () => {
    await send('/winlogbeat-old', {
      method: 'PUT',
      body: { mappings: { properties: { source: { properties: { ip: { type: 'keyword' } } } } } },
    })
    const ip = { properties: { source: { properties: { ip: { type: 'ip' } } } } }
    await send('/winlogbeat-new', { method: 'PUT', body: { mappings: ip } })
    const documents = ['LOCAL', '10.0.0.7', 'LOCAL']
    const body = documents.map((value) => `{"index":{}}\n${JSON.stringify({ source: { ip: value } })}\n`).join('')
    const headers = { 'content-type': 'application/x-ndjson' }
    const bulk = await send('/winlogbeat-old/_bulk?refresh=true', { method: 'POST', body, headers })
    expect(bulk.json()).toMatchObject({ errors: false })
  })

  it('finds the word that stops the re-index', async () => {
    const failed = await send('/_reindex', { method: 'POST', body: reindex })
    expect(failed.status).toBe(400)
    expect(failed.json()).toMatchObject({
      failures: expect.arrayContaining([
        expect.objectContaining({
          index: 'winlogbeat-new',
          status: 400,
          cause: expect.objectContaining({
            type: 'document_parsing_exception',
            caused_by: expect.objectContaining({
              type: 'illegal_argument_exception',
              reason: "'LOCAL' is not an IP string literal.",
            }),
          }),
        }),
      ]),
    })
  })

  it('mends it, so that the re-index goes through', async () => {
    const mended = await send('/winlogbeat-old/_update_by_query', {
      method: 'POST',
      body: {
        script: { source: "ctx._source.source.ip = '127.0.0.1'", lang: 'painless' },
        query: { match: { 'source.ip': 'LOCAL' } },
      },
    })
    expect([mended.status, mended.json()]).toEqual([
      200,
      {
        took: expect.any(Number),
        timed_out: false,
        total: 2,
        updated: 2,
        deleted: 0,
        batches: 1,
        version_conflicts: 0,
        noops: 0,
        retries: { bulk: 0, search: 0 },
        throttled_millis: 0,
        requests_per_second: -1,
        throttled_until_millis: 0,
        failures: [],
      },
    ])
    expect(mended.text).toContain('"requests_per_second":-1.0')
    const again = await send('/_reindex', { method: 'POST', body: reindex })
    expect(again.json()).toMatchObject({ total: 3, failures: [] })
  })
})

describe('6: faults of update by query', () => {
  it('refuses a word in the query where the field is a true IP field', async () => {
    const answer = await send('/winlogbeat-new/_update_by_query', {
      method: 'POST',
      body: { script: { source: 'ctx.op = "noop"', lang: 'painless' }, query: { match: { 'source.ip': 'LOCAL' } } },
    })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("'LOCAL' is not an IP string literal.")])
  })

  it('shows where a script is wrong, and which languages there are not', async () => {
    const run = (script: object) => send('/winlogbeat-old/_update_by_query', { method: 'POST', body: { script } })
    expect((await run({ source: 'ctx._source.x = nothing', lang: 'painless' })).json()).toMatchObject({
      error: {
        type: 'script_exception',
        reason: 'compile error',
        script_stack: ['ctx._source.x = nothing', '                ^---- HERE'],
        caused_by: { type: 'illegal_argument_exception', reason: 'cannot resolve symbol [nothing]' },
      },
      status: 400,
    })
    expect((await run({ source: '1', lang: 'groovy' })).text).toContain('script_lang not supported [groovy]')
  })
})

describe('5: the password', () => {
  it('is changed by its user, with an empty answer, and the old one fails at once', async () => {
    const changed = await send('/_security/user/elastic/_password', { method: 'POST', body: { password: newPassword } })
    expect([changed.status, changed.text]).toEqual([200, '{}'])
    expect((await send('/')).status).toBe(401)
    auth = `elastic:${newPassword}`
    expect((await send('/')).status).toBe(200)
  })

  it('may be changed by nobody else without manage_security', async () => {
    await send('/_security/user/reader', {
      method: 'POST',
      body: { password: 'password-of-reader', roles: ['viewer'] },
    })
    const path = '/_security/user/elastic/_password'
    const refused = await send(path, {
      method: 'POST',
      body: { password: 'taken-over' },
      auth: 'reader:password-of-reader',
    })
    expect(refused.status).toBe(403)
    const own = { method: 'POST', body: { password: 'next-password-of-reader' }, auth: 'reader:password-of-reader' }
    expect((await send('/_security/user/reader/_password', own)).text).toBe('{}')
  })

  it('outlives a restart, whatever the secret says', async () => {
    await search.restart()
    expect((await send('/')).status).toBe(200)
    expect((await send('/', { auth: `elastic:${search.password}` })).status).toBe(401)
  })
})
