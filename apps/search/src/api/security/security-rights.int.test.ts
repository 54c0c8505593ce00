import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../../testing/https-client.ts'

/** Rights that come by rules, by tokens of services, and how a caller asks for its own. */

let search: TestSearch
let client: WireClient
const password = 'password-of-all'
type Body = Record<string, unknown>

async function send(method: string, path: string, body?: object, name?: string, authorization?: string) {
  const auth = authorization !== undefined ? { auth: '' } : name === undefined ? {} : { auth: `${name}:${password}` }
  const headers = { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) }
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await client.send(path, { method, ...json, ...auth, headers })
  return { status: answer.status, body: answer.json() as Body, text: answer.text }
}

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  for (const name of ['web', 'db']) {
    await send('PUT', `/${name}/_doc/1?refresh=true`, { n: 1 })
    await send('PUT', `/_security/role/${name}`, { indices: [{ names: [name], privileges: ['read'] }] })
  }
  const user = (metadata: object) => ({ password, roles: ['web'], metadata })
  await send('PUT', '/_security/user/anna', user({ team: 'db', teams: ['db'] }))
  await send('PUT', '/_security/user/berta', user({ team: 'web' }))
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

describe('a role mapping', () => {
  const put = (body: object) => send('PUT', '/_security/role_mapping/teams', body)
  const reads = async (name: string) => (await send('GET', '/db/_count', undefined, name)).status === 200

  it.each([
    [{ field: { 'metadata.team': 'db' } }],
    [{ field: { username: 'an*' } }],
    [{ field: { username: '/an.a/' } }],
    [
      {
        all: [{ field: { 'realm.name': 'default_native' } }, { except: { field: { username: ['berta', 'elastic'] } } }],
      },
    ],
    [{ any: [{ field: { 'metadata.teams': 'db' } }, { field: { username: 'nobody' } }] }],
  ])('gives its roles to whom its rules fit, at once: %j', async (rules) => {
    expect((await put({ enabled: true, roles: ['db'], rules })).status).toBe(200)
    expect([await reads('anna'), await reads('berta')]).toEqual([true, false])
    expect((await send('GET', '/_security/_authenticate', undefined, 'anna')).body).toMatchObject({
      roles: ['web', 'db'],
    })
    await put({ enabled: false, roles: ['db'], rules })
    expect(await reads('anna')).toBe(false)
  })

  it('makes names of roles of templates', async () => {
    const role_templates = [
      { template: { source: '{{metadata.team}}' } },
      { template: { source: '["x"]' }, format: 'json' },
    ]
    const mapping = { enabled: true, role_templates, rules: { field: { username: '*' } } }
    expect((await put(mapping)).body).toEqual({ role_mapping: { created: false } })
    expect([await reads('anna'), await reads('berta')]).toEqual([true, false])
    const shown = await send('GET', '/_security/role_mapping/teams')
    expect(shown.body).toMatchObject({ teams: { enabled: true, metadata: {}, rules: mapping.rules } })
    expect((await send('DELETE', '/_security/role_mapping/teams')).body).toEqual({ found: true })
    expect(await reads('anna')).toBe(false)
    expect((await send('DELETE', '/_security/role_mapping/teams')).status).toBe(404)
    expect((await send('GET', '/_security/role_mapping/teams')).status).toBe(404)
  })

  it.each([
    [{ field: { dn: 'cn=x' } }, 'field [dn] is not supported'],
    [{ field: { groups: 'admins' } }, 'field [groups] is not supported'],
    [{ field: { 'realm.name': 'ldap1' } }, 'realm [ldap1] does not exist'],
    [{ field: { shoe: 'x' } }, 'unknown field [shoe]'],
    [{ field: { username: '/(/' } }, 'failed to parse pattern'],
    [{ none: [] }, 'unexpected rule [none]'],
    [{}, 'a rule is an object'],
  ])('is refused for what no user here can have: %j', async (rules, why) => {
    const answer = await put({ enabled: true, roles: ['db'], rules })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(why)])
  })
})

describe('a token of a service', () => {
  const path = '/_security/service/logstack/shipper/credential/token'

  it('lets the service do its work and nothing else, until it is deleted', async () => {
    const made = await send('POST', `${path}/one`)
    const { value } = made.body['token'] as { value: string }
    const bearer = `Bearer ${value}`
    expect((await send('GET', '/_security/_authenticate', undefined, '', bearer)).body).toMatchObject({
      ...{ username: 'logstack/shipper', roles: [], authentication_type: 'token' },
      ...{ token: { name: 'one' }, authentication_realm: { name: '_service_account' } },
    })
    expect((await send('POST', '/logs-app/_doc', { n: 1 }, '', bearer)).status).toBe(201)
    expect((await send('GET', '/logs-app/_search', undefined, '', bearer)).status).toBe(403)
    expect((await send('GET', '/_security/user', undefined, '', bearer)).status).toBe(403)
    expect((await send('POST', `${path}/one`)).status).toBe(409)
    expect((await send('GET', '/_security/service/logstack/shipper/credential')).body).toMatchObject({
      tokens: { one: {} },
    })
    const other = Buffer.from(value, 'base64')
    other[other.length - 1] = (other.at(-1) ?? 0) ^ 1
    expect((await send('GET', '/', undefined, '', `Bearer ${other.toString('base64')}`)).status).toBe(401)
    expect((await send('DELETE', `${path}/one`)).body).toEqual({ found: true })
    expect((await send('GET', '/', undefined, '', bearer)).status).toBe(401)
  })

  it('is for services there are, under a proper name', async () => {
    expect((await send('POST', '/_security/service/a/b/credential/token/x')).status).toBe(400)
    expect((await send('POST', `${path}/_x`)).status).toBe(400)
    const all = await send('GET', '/_security/service')
    expect(Object.keys(all.body)).toEqual(['elastic/fleet-server', 'elastic/kibana', 'logstack/shipper'])
    expect(Object.keys((await send('GET', '/_security/service/elastic/kibana')).body)).toEqual(['elastic/kibana'])
  })
})

describe('who asks for its privileges', () => {
  const ask = (body: object, name = 'anna', user = '') =>
    send('POST', `/_security/user${user}/_has_privileges`, body, name)

  it('hears of the cluster’s, of indices, patterns and programs', async () => {
    const applications = [{ application: 'shop-*', privileges: ['read', 'data:*'], resources: ['space:a*'] }]
    await send('PUT', '/_security/role/app', { applications })
    await send('PUT', '/_security/user/carla', { password, roles: ['app', 'web'] })
    const answer = await ask(
      {
        cluster: ['monitor'],
        index: [{ names: ['web', 'w*', 'db'], privileges: ['read', 'indices:data/read/search'] }],
        application: [
          { application: 'shop-1', privileges: ['read', 'write', 'data:x'], resources: ['space:all', '*'] },
        ],
      },
      'carla',
    )
    const granted = { read: true, 'indices:data/read/search': true }
    const refused = { read: false, 'indices:data/read/search': false }
    expect(answer.body).toEqual({
      username: 'carla',
      has_all_requested: false,
      cluster: { monitor: false },
      index: { web: granted, 'w*': refused, db: refused },
      application: {
        'shop-1': {
          'space:all': { read: true, write: false, 'data:x': true },
          '*': { read: false, write: false, 'data:x': false },
        },
      },
    })
    const own = await send('GET', '/_security/user/_privileges', undefined, 'carla')
    expect(own.body).toMatchObject({ cluster: [], applications, indices: [{ names: ['web'], privileges: ['read'] }] })
  })

  it('hears which privileges there are when it asks for another', async () => {
    const index = [{ names: ['web'], privileges: ['read', 'reed'] }]
    for (const [body, known] of [
      [
        { cluster: ['monitor', 'monitr'] },
        /^unknown cluster privilege \[monitr\]\. .* cluster privilege names \[manage_own_api_key,.*,none,.*,all\] or .* cluster actions$/,
      ],
      [
        { index },
        /^unknown index privilege \[reed\]\. .* fixed indices privileges \[.*,write=\[write\],all=\[all\]\] or .* index actions$/,
      ],
    ] as const) {
      const error = { type: 'illegal_argument_exception', reason: expect.stringMatching(known) }
      for (const path of ['', '/anna'])
        expect(await ask(body, 'anna', path)).toMatchObject({ status: 400, body: { error } })
      const got = await send('GET', '/_security/user/_has_privileges', body, 'anna')
      expect(got).toMatchObject({ status: 400, body: { error } })
    }
  })

  it('hears of nobody else’s, and of what it asks wrongly', async () => {
    const body = { cluster: ['monitor'] }
    expect((await ask(body, 'anna', '/anna')).status).toBe(200)
    expect((await ask(body, 'anna', '/berta')).status).toBe(403)
    for (const wrong of [{}, { clusters: [] }, { cluster: ['no_such'] }, { index: [{ names: ['a'] }] }, { index: {} }])
      expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 400])
  })
})

describe('a merge that nobody waits for', () => {
  it('is no task for whom may not ask for it, whether there is such an index or not', async () => {
    const merge = (index: string, name?: string) =>
      send('POST', `/${index}/_forcemerge?wait_for_completion=false`, undefined, name)
    expect((await merge('absent')).status).toBe(200)
    for (const index of ['db', 'absent']) {
      expect((await merge(index, 'berta')).body).toMatchObject({ error: { type: 'security_exception' }, status: 403 })
    }
  })
})
