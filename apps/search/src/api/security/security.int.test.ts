import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../../testing/https-client.ts'

/** Who may do what, over the wire: users with roles, tokens and API keys. */

let search: TestSearch
let client: WireClient
let send: WireClient['send']

const writer = 'shipper:password-of-shipper'
const reader = 'reader:password-of-reader'

beforeAll(async () => {
  search = await startSearch()
  client = wireClient({
    port: Number(new URL(search.url).port),
    ca: search.ca,
    auth: `${search.username}:${search.password}`,
  })
  send = client.send
  const shipping = { names: ['logs-*'], privileges: ['auto_configure', 'create_doc', 'view_index_metadata'] }
  await send('/_security/role/shipping', { method: 'PUT', body: { cluster: ['monitor'], indices: [shipping] } })
  const team = {
    names: ['logs-*'],
    privileges: ['read'],
    query: { term: { team: 'a' } },
    field_security: { grant: ['*'], except: ['secret'] },
  }
  await send('/_security/role/team-a', { method: 'PUT', body: { indices: [team] } })
  const user = (password: string, roles: string[]) => ({ method: 'POST', body: { password, roles } })
  await send('/_security/user/shipper', user('password-of-shipper', ['shipping']))
  await send('/_security/user/reader', user('password-of-reader', ['team-a']))
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

const ndjson = { 'content-type': 'application/x-ndjson' }
const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')

describe('a role that may only add documents', () => {
  it('adds them, and each item it may not write is refused by itself', async () => {
    const body = lines(
      { create: { _index: 'logs-web', _id: '1' } },
      { team: 'a', secret: 'x', n: 1 },
      { create: { _index: 'logs-web', _id: '2' } },
      { team: 'b', secret: 'y', n: 2 },
      { index: { _index: 'logs-web', _id: '1' } },
      { team: 'overwritten' },
      { delete: { _index: 'logs-web', _id: '1' } },
      { create: { _index: 'other' } },
      { n: 1 },
      { create: { _index: '.logstack-agents' } },
      { n: 1 },
    )
    const answer = await send('/_bulk?refresh=true', { method: 'POST', body, headers: ndjson, auth: writer })
    expect(answer.text.indexOf('"errors"')).toBeLessThan(answer.text.indexOf('"items"'))
    const { items } = answer.json() as { items: Record<string, { status: number; error?: { type: string } }>[] }
    expect(items.map((item) => Object.values(item)[0]?.status)).toEqual([201, 201, 403, 403, 403, 403])
    expect(items[2]).toMatchObject({
      index: { error: { type: 'security_exception', reason: expect.stringContaining('[create,index,write,all]') } },
    })
    expect((await send('/logs-web/_doc/1', { auth: writer })).status).toBe(403)
    expect((await send('/logs-web/_search', { auth: writer })).status).toBe(403)
    expect((await send('/logs-web', { method: 'DELETE', auth: writer })).status).toBe(403)
    expect((await send('/_security/user', { auth: writer })).status).toBe(403)
  })
})

describe('a role that sees some documents and fields', () => {
  it('finds only those, counts only those, and aggregates only those', async () => {
    const found = await send('/logs-*/_search', { auth: reader })
    expect(found.json()).toMatchObject({ hits: { total: { value: 1 }, hits: [{ _id: '1' }] } })
    expect(found.text).not.toContain('secret')
    expect((await send('/logs-web/_count', { auth: reader })).json()).toMatchObject({ count: 1 })
    const body = {
      size: 0,
      aggs: { teams: { terms: { field: 'team.keyword' } }, hidden: { terms: { field: 'secret.keyword' } } },
    }
    const aggregated = await send('/logs-web/_search', { method: 'POST', body, auth: reader })
    expect(aggregated.json()).toMatchObject({
      aggregations: { teams: { buckets: [{ key: 'a', doc_count: 1 }] }, hidden: { buckets: [] } },
    })
    const hidden = { method: 'POST', body: { query: { term: { 'secret.keyword': 'x' } } }, auth: reader }
    expect((await send('/logs-web/_search', hidden)).json()).toMatchObject({ hits: { total: { value: 0 } } })
  })

  it('reads by id only those, too', async () => {
    expect((await send('/logs-web/_doc/2', { auth: reader })).json()).toEqual({
      ...{ _index: 'logs-web', _id: '2', found: false },
    })
    const docs = [
      { _index: 'logs-web', _id: '1' },
      { _index: 'logs-web', _id: '2' },
    ]
    const several = await send('/_mget', { method: 'POST', body: { docs }, auth: reader })
    expect(several.json()).toMatchObject({ docs: [{ found: true, _source: { team: 'a', n: 1 } }, { found: false }] })
    expect(several.text).not.toContain('secret')
  })
})

describe('tokens and keys', () => {
  it('give a session what its user may do, until they are taken back', async () => {
    const body = { grant_type: 'password', username: 'reader', password: 'password-of-reader' }
    const answer = await send('/_security/oauth2/token', { method: 'POST', body, auth: reader })
    const token = answer.json() as { access_token: string; refresh_token: string; expires_in: number }
    expect(token).toMatchObject({ type: 'Bearer', expires_in: 1200 })
    const bearer = { auth: '', headers: { authorization: `Bearer ${token.access_token}` } }
    expect((await send('/_security/_authenticate', bearer)).json()).toMatchObject({
      username: 'reader',
      roles: ['team-a'],
      authentication_type: 'token',
    })
    expect((await send('/logs-web/_count', bearer)).json()).toMatchObject({ count: 1 })
    const ended = await send('/_security/oauth2/token', { method: 'DELETE', body: { token: token.access_token } })
    expect(ended.json()).toMatchObject({ invalidated_tokens: 1 })
    const late = await send('/logs-web/_count', bearer)
    expect([late.status, late.text]).toEqual([401, expect.stringContaining('token expired')])
  })

  it('give a machine a part of what its maker may do', async () => {
    const role_descriptors = { writer: { indices: [{ names: ['logs-web'], privileges: ['create_doc'] }] } }
    const made = await send('/_security/api_key', {
      method: 'POST',
      body: { name: 'beat', role_descriptors, expiration: '1d' },
    })
    const { encoded, id } = made.json() as { encoded: string; id: string }
    const key = { auth: '', headers: { authorization: `ApiKey ${encoded}`, 'content-type': 'application/json' } }
    expect((await send('/logs-web/_doc', { ...key, method: 'POST', body: '{"n":3}' })).status).toBe(201)
    expect((await send('/logs-web/_search', key)).status).toBe(403)
    await send('/_security/api_key', { method: 'DELETE', body: { ids: [id] } })
    expect((await send('/logs-web/_doc', { ...key, method: 'POST', body: '{"n":4}' })).status).toBe(401)
  })
})

it('names the privileges there are, to who may look at security', async () => {
  const answer = await send('/_security/privilege/_builtin')
  expect(answer.json()).toMatchObject({
    cluster: expect.arrayContaining(['all', 'manage_security', 'monitor', 'none']),
    index: expect.arrayContaining(['all', 'create_doc', 'read', 'view_index_metadata']),
  })
  expect((await send('/_security/privilege/_builtin', { auth: writer })).status).toBe(403)
})

it('tells a client what it may do', async () => {
  const body = { cluster: ['monitor', 'manage'], index: [{ names: ['logs-web', 'other'], privileges: ['create_doc'] }] }
  const answer = await send('/_security/user/_has_privileges', { method: 'POST', body, auth: writer })
  expect(answer.json()).toEqual({
    username: 'shipper',
    has_all_requested: false,
    cluster: { monitor: true, manage: false },
    index: { 'logs-web': { create_doc: true }, other: { create_doc: false } },
    application: {},
  })
})

it('keeps an administrator: the built-in one has its role for good, and nobody locks their own account', async () => {
  const change = (path: string, body?: object) => send(path, { method: 'PUT', ...(body ? { body } : {}) })
  const reserved = {
    status: 400,
    error: {
      type: 'action_request_validation_exception',
      reason: 'Validation Failed: 1: user [elastic] is reserved and only the password can be changed;',
    },
  }
  for (const body of [{ roles: ['team-a'] }, { password: 'another-password', roles: [] }, { enabled: false }])
    expect((await change('/_security/user/elastic', body)).json()).toMatchObject(reserved)
  expect((await send('/_security/user/elastic', { method: 'DELETE' })).status).toBe(400)
  for (const what of ['_disable', '_enable'])
    expect((await change(`/_security/user/elastic/${what}`)).json()).toMatchObject({
      status: 400,
      error: { reason: 'users may not update the enabled status of their own account' },
    })
  expect((await change('/_security/user/reader/_disable')).status).toBe(200)
  expect((await send('/_security/_authenticate', { auth: reader })).status).toBe(401)
  expect((await change('/_security/user/reader/_enable')).status).toBe(200)
  expect((await send('/_security/_authenticate')).json()).toMatchObject({ roles: ['superuser'], enabled: true })
})
