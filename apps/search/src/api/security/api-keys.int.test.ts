import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../../testing/https-client.ts'

/** API keys over the wire: changed, found and ended, by their owners and by others. */

let search: TestSearch
let client: WireClient
const password = 'password-of-all'

type Body = Record<string, unknown>
async function send(method: string, path: string, body?: object, name?: string, headers: Record<string, string> = {}) {
  const auth = 'authorization' in headers ? { auth: '' } : name === undefined ? {} : { auth: `${name}:${password}` }
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await client.send(path, {
    method,
    ...json,
    ...auth,
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, body: answer.json() as Body, text: answer.text }
}

async function make(name: string, owner?: string, more: object = {}) {
  const { body } = await send('POST', '/_security/api_key', { name, ...more }, owner)
  return { id: String(body['id']), header: { authorization: `ApiKey ${String(body['encoded'])}` } }
}

const reading = (...names: string[]) => ({ indices: [{ names, privileges: ['read'] }] })

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  for (const name of ['web', 'db']) await send('PUT', `/${name}/_doc/1?refresh=true`, { n: 1 })
  await send('PUT', '/_security/role/owner', { cluster: ['manage_own_api_key'], ...reading('web', 'db') })
  for (const name of ['anna', 'berta']) await send('PUT', `/_security/user/${name}`, { password, roles: ['owner'] })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

describe('who comes with a key', () => {
  const as = (key: { header: Record<string, string> }, path: string, body?: object) =>
    send(body ? 'POST' : 'GET', path, body, '', key.header)

  it('is its owner, without roles', async () => {
    await send('PUT', '/_security/user/anna', { full_name: 'Anna A.', roles: ['owner'] })
    const key = await make('beat', 'anna', { metadata: { host: 'one' } })
    expect((await as(key, '/_security/_authenticate')).body).toEqual({
      username: 'anna',
      roles: [],
      full_name: 'Anna A.',
      email: null,
      metadata: {},
      enabled: true,
      authentication_realm: { name: '_es_api_key', type: '_es_api_key' },
      lookup_realm: { name: '_es_api_key', type: '_es_api_key' },
      authentication_type: 'api_key',
      api_key: { id: key.id, name: 'beat' },
    })
    const asked = { cluster: ['monitor'] }
    expect((await as(key, '/_security/user/_has_privileges', asked)).body).toMatchObject({ username: 'anna' })
  })

  it('is refused by the name of the key and of its owner', async () => {
    const key = await make('refused', 'anna')
    const reason = (answer: { body: Body }) => (answer.body['error'] as Body)['reason']
    expect(reason(await as(key, '/_security/user'))).toBe(
      `action [cluster:admin/xpack/security/user/get] is unauthorized for API key id [${key.id}] of user [anna], this action is granted by the cluster privileges [read_security,manage_security,all]`,
    )
    expect(reason(await as(key, '/other/_search'))).toMatch(
      `action [indices:data/read/search] is unauthorized for API key id [${key.id}] of user [anna] on indices [other], this action is granted by the index privileges [read`,
    )
  })

  it('finds what the key began, and nothing of its owner or of other keys', async () => {
    const [key, other] = [await make('one', 'anna'), await make('two', 'anna')]
    const { body } = await as(key, '/web/_search?scroll=1m', { size: 1 })
    const more = { scroll: '1m', scroll_id: body['_scroll_id'] }
    expect((await as(other, '/_search/scroll', more)).status).toBe(404)
    expect((await send('POST', '/_search/scroll', more, 'anna')).status).toBe(404)
    expect((await as(key, '/_search/scroll', more)).status).toBe(200)
    const shown = (await as(other, '/_security/api_key')).body['api_keys'] as Body[]
    expect(shown.map(({ id }) => id)).toEqual([other.id])
  })
})

it('a key is shown with whether its roles and its ceiling reach restricted indices', async () => {
  const { id } = await make('shown', 'anna', { role_descriptors: { r: reading('web') } })
  const restricted = { indices: [{ names: ['.security'], privileges: ['read'], allow_restricted_indices: true }] }
  const more = await make('restricted', undefined, { role_descriptors: { r: restricted } })
  const granted = { names: ['web'], privileges: ['read'], allow_restricted_indices: false }
  const [shown] = (await send('GET', `/_security/api_key?id=${id}&with_limited_by=true`)).body['api_keys'] as Body[]
  expect(shown).toMatchObject({
    role_descriptors: { r: { indices: [granted] } },
    limited_by: [{ owner: { indices: [{ ...granted, names: ['web', 'db'] }] } }],
  })
  const found = await send('POST', '/_security/_query/api_key', { query: { ids: { values: [more.id] } } })
  expect(found.body).toMatchObject({ api_keys: [{ role_descriptors: { r: restricted } }] })
})

it('a key acts as another user where both its roles and its owner’s say so', async () => {
  await send('PUT', '/_security/role/acting', { cluster: ['manage_own_api_key'], run_as: ['berta', 'anna'] })
  await send('PUT', '/_security/user/carla', { password, roles: ['acting'] })
  const key = await make('acting', 'carla', { role_descriptors: { r: { run_as: ['berta', 'elastic'] } } })
  const as = async (name: string) => {
    const headers = { ...key.header, 'es-security-runas-user': name }
    const { status, body } = await send('GET', '/_security/_authenticate', undefined, '', headers)
    return [status, body['username']]
  }
  expect(await as('berta')).toEqual([200, 'berta'])
  for (const name of ['anna', 'elastic', 'nobody']) expect(await as(name)).toEqual([403, undefined])
})

describe('a change of a key', () => {
  it('gives it other roles, metadata and another end, and tells whether there was a change', async () => {
    const key = await make('changed', 'anna', { role_descriptors: { r: reading('web') } })
    const count = async (index: string) => (await send('GET', `/${index}/_count`, undefined, '', key.header)).status
    expect([await count('web'), await count('db')]).toEqual([200, 403])
    const change = { role_descriptors: { r: reading('db') }, metadata: { host: 'one' }, expiration: '1d' }
    const path = `/_security/api_key/${key.id}`
    expect((await send('PUT', path, change, 'anna')).body).toEqual({ updated: true })
    expect([await count('web'), await count('db')]).toEqual([403, 200])
    expect((await send('PUT', path, { metadata: { host: 'one' } }, 'anna')).body).toEqual({ updated: false })
    const [shown] = (await send('GET', `/_security/api_key?id=${key.id}`)).body['api_keys'] as Body[]
    expect(shown).toMatchObject({ metadata: { host: 'one' }, expiration: expect.any(Number), username: 'anna' })
  })

  it('sets its ceiling to what its owner may now', async () => {
    await send('PUT', '/_security/role/passing', { cluster: ['manage_own_api_key'], ...reading('web') })
    await send('PUT', '/_security/user/carla', { password, roles: ['passing'] })
    const key = await make('ceiling', 'carla')
    const count = async () => (await send('GET', '/web/_count', undefined, '', key.header)).status
    await send('PUT', '/_security/role/passing', { cluster: ['manage_own_api_key'] })
    expect(await count()).toBe(200)
    expect((await send('PUT', `/_security/api_key/${key.id}`, {}, 'carla')).body).toEqual({ updated: true })
    expect(await count()).toBe(403)
  })

  it('is refused to others, to keys, for keys that ended and for what a key does not have', async () => {
    const { id, header } = await make('refused', 'anna')
    const path = `/_security/api_key/${id}`
    const refused = async (answer: ReturnType<typeof send>) => {
      const { status, body } = await answer
      return [status, (body['error'] as Body)['reason']]
    }
    const notOwned = `no API key owned by requesting user found for ID [${id}]`
    expect(await refused(send('PUT', path, {}, 'berta'))).toEqual([404, notOwned])
    expect(await refused(send('PUT', path, {}))).toEqual([404, notOwned])
    expect(await refused(send('PUT', path, {}, '', header))).toEqual([400, expect.stringContaining('via API key')])
    expect((await refused(send('PUT', path, { names: [] }, 'anna')))[1]).toContain('unknown field [names]')
    expect((await refused(send('PUT', path, { metadata: { _own: 1 } }, 'anna')))[1]).toContain('may not start with [_]')
    await send('DELETE', '/_security/api_key', { ids: [id] }, 'anna')
    expect(await refused(send('PUT', path, {}, 'anna'))).toEqual([400, `cannot update invalidated API key [${id}]`])
  })

  it('of many keeps the faults of single keys apart', async () => {
    const [one, two] = [await make('bulk-1', 'anna'), await make('bulk-2', 'anna')]
    const body = { ids: [one.id, two.id, 'nothing'], metadata: { of: 'bulk' } }
    const answer = await send('POST', '/_security/api_key/_bulk_update', body, 'anna')
    expect(answer.body).toMatchObject({
      updated: [one.id, two.id],
      noops: [],
      errors: { count: 1, details: { nothing: { type: 'resource_not_found_exception' } } },
    })
    const again = await send('POST', '/_security/api_key/_bulk_update', { ...body, ids: [one.id] }, 'anna')
    expect(again.body).toEqual({ updated: [], noops: [one.id] })
  })
})

describe('a query of keys', () => {
  const query = (body: object, name?: string) => send('POST', '/_security/_query/api_key', body, name)
  const names = ({ body }: { body: Body }) => (body['api_keys'] as Body[]).map(({ name }) => name)

  it('finds by name, owner, state and metadata, in order and page by page', async () => {
    for (const at of [1, 2, 3]) await make(`asked-${at}`, 'berta', { metadata: { place: { rack: `r${at}` } } })
    const asked = { prefix: { name: 'asked-' } }
    const first = await query({ query: asked, sort: [{ name: 'desc' }], size: 2 })
    expect(first.body).toMatchObject({ total: 3, count: 2, api_keys: [{ name: 'asked-3', _sort: ['asked-3'] }, {}] })
    const second = await query({ query: asked, sort: [{ name: 'desc' }], size: 2, search_after: ['asked-2'] })
    expect(names(second)).toEqual(['asked-1'])
    expect(names(await query({ query: { term: { 'metadata.place.rack': 'r2' } } }))).toEqual(['asked-2'])
    expect(
      names(await query({ query: { bool: { filter: [asked], must_not: [{ term: { name: 'asked-1' } }] } } })),
    ).toHaveLength(2)
    expect(names(await query({ query: { range: { creation: { gt: 'now-1h' } } }, from: 1, size: 1 }))).toHaveLength(1)
    expect(names(await query({ query: { term: { username: 'berta' } } }, 'anna'))).toEqual([])
    expect(names(await query({ query: { term: { username: 'berta' } } }, 'berta'))).toHaveLength(3)
  })

  it.each([
    [{ query: { fuzzy: { name: 'x' } } }, 'Query type [fuzzy]'],
    [{ query: { bool: { must: [{ script: { script: 'true' } }] } } }, 'Query type [script]'],
    [{ query: { term: { key_hash: 'x' } } }, 'Field [key_hash] is not allowed'],
    [{ sort: ['key_hash'] }, 'Field [key_hash] is not allowed'],
    [{ aggs: { a: { avg: { field: 'creation' } } } }, 'Unsupported API Keys agg [a] of type [avg]'],
    [{ aggs: { a: { terms: { field: 'key_hash' } } } }, 'Field [key_hash] is not allowed'],
    [{ size: 20_000 }, 'Result window is too large'],
    [{ search_after: ['a'] }, 'search_after has 1 value(s) but sort has 0.'],
  ])('refuses what keys do not have: %j', async (body, why) => {
    const answer = await query(body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(why)])
  })
})

describe('the end of keys', () => {
  it('comes to those that all selectors mean, and to those of others only for who manages all', async () => {
    const own = await make('ended', 'anna')
    const theirs = await make('ended', 'berta')
    const end = (body: object, name?: string) => send('DELETE', '/_security/api_key', body, name)
    expect((await end({ name: 'ended' }, 'anna')).status).toBe(403)
    expect((await end({ name: 'ended', owner: true }, 'anna')).body).toMatchObject({ invalidated_api_keys: [own.id] })
    expect((await end({ ids: [own.id] }, 'anna')).body).toMatchObject({ previously_invalidated_api_keys: [own.id] })
    expect((await end({ realm_name: 'reserved', username: 'berta' })).body).toMatchObject({ invalidated_api_keys: [] })
    expect((await end({ realm_name: 'default_native', username: 'berta' })).body).toMatchObject({
      invalidated_api_keys: expect.arrayContaining([theirs.id]),
    })
    for (const body of [{}, { ids: [own.id], name: 'ended' }, { owner: true, username: 'anna' }])
      expect((await end(body, 'anna')).status).toBe(400)
    expect((await send('GET', '/web/_count', undefined, '', theirs.header)).status).toBe(401)
  })
})

describe('a key for another', () => {
  it('is made with that user’s password or token, and may what that user may', async () => {
    const grant = { grant_type: 'password', username: 'anna', password, api_key: { name: 'granted' } }
    const made = await send('POST', '/_security/api_key/grant', grant)
    const header = { authorization: `ApiKey ${String(made.body['encoded'])}` }
    const [key] = (await send('GET', `/_security/api_key?id=${String(made.body['id'])}`)).body['api_keys'] as Body[]
    expect(key).toMatchObject({ username: 'anna' })
    expect((await send('GET', '/web/_count', undefined, '', header)).status).toBe(200)
    expect((await send('GET', '/_cluster/health', undefined, '', header)).status).toBe(403)
    const wrong = await send('POST', '/_security/api_key/grant', { ...grant, password: 'wrong-password' })
    expect([wrong.status, wrong.text]).toEqual([403, expect.stringContaining('unable to authenticate user [anna]')])
    expect((await send('POST', '/_security/api_key/grant', grant, 'anna')).status).toBe(403)
  })

  it('that a service makes may what both the service and its roles let through', async () => {
    const path = '/_security/service/elastic/fleet-server/credential/token/of-test'
    const { token } = (await send('POST', path)).body as { token: { value: string } }
    const bearer = { authorization: `Bearer ${token.value}` }
    const roles = { r: { indices: [{ names: ['logs-*', 'web'], privileges: ['create_doc', 'auto_configure'] }] } }
    const { body } = await send('POST', '/_security/api_key', { name: 'agent', role_descriptors: roles }, '', bearer)
    const header = { authorization: `ApiKey ${String(body['encoded'])}` }
    const write = async (index: string) => (await send('POST', `/${index}/_doc`, { n: 1 }, '', header)).status
    expect([await write('logs-of-agent'), await write('web')]).toEqual([201, 403])
  })

  it('that a key makes is no way to more: its roles’ names are its own', async () => {
    const key = await make('parent', 'anna', {
      role_descriptors: { superuser: { cluster: ['manage_own_api_key'], ...reading('web') } },
    })
    const none = { none: { cluster: [], indices: [] } }
    for (const role_descriptors of [undefined, {}, { superuser: { cluster: ['all'] } }])
      expect(
        (await send('POST', '/_security/api_key', { name: 'child', role_descriptors }, '', key.header)).status,
      ).toBe(400)
    const child = await send('POST', '/_security/api_key', { name: 'child', role_descriptors: none }, '', key.header)
    const header = { authorization: `ApiKey ${String(child.body['encoded'])}` }
    expect((await send('GET', '/web/_count', undefined, '', header)).status).toBe(403)
    expect((await send('GET', '/_cluster/health', undefined, '', header)).status).toBe(403)
  })
})
