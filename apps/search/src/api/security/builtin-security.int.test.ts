import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body?: object) => send(path, { method: 'PUT', ...(body ? { body } : {}) })
const post = (path: string, body?: object, auth?: string) =>
  send(path, { method: 'POST', ...(body ? { body } : {}), ...(auth === undefined ? {} : { auth }) })
const whoAmI = (auth: string) => send('/_security/_authenticate', { auth })

describe('users that are built in', () => {
  it('are listed, and come in once they have a password', async () => {
    const users = (await send('/_security/user')).json() as Record<string, unknown>
    expect(Object.keys(users)).toEqual([
      ...['apm_system', 'beats_system', 'elastic', 'kibana', 'kibana_system', 'logstash_system'],
      'remote_monitoring_user',
    ])
    expect(users['kibana_system']).toEqual({
      username: 'kibana_system',
      roles: ['kibana_system'],
      full_name: null,
      email: null,
      metadata: { _reserved: true },
      enabled: true,
    })
    expect((await whoAmI('kibana_system:')).status).toBe(401)
    expect((await put('/_security/user/kibana_system/_password', { password: 'of-the-dashboard' })).status).toBe(200)
    const known = await whoAmI('kibana_system:of-the-dashboard')
    expect(known.json()).toMatchObject({
      username: 'kibana_system',
      roles: ['kibana_system'],
      authentication_realm: { name: 'reserved', type: 'reserved' },
    })
    const auth = 'kibana_system:of-the-dashboard'
    expect((await send('/.kibana_1/_doc/1', { method: 'PUT', body: { a: 1 }, auth })).status).toBe(201)
    expect((await send('/logs/_doc/1', { method: 'PUT', body: { a: 1 }, auth })).status).toBe(403)
  })

  it('cannot be changed otherwise, nor deleted, but disabled', async () => {
    const changed = await put('/_security/user/logstash_system', { password: 'long-enough', roles: ['superuser'] })
    expect(changed.json()).toMatchObject({
      status: 400,
      error: {
        reason: 'Validation Failed: 1: user [logstash_system] is reserved and only the password can be changed;',
      },
    })
    expect((await send('/_security/user/logstash_system', { method: 'DELETE' })).json()).toMatchObject({
      status: 400,
      error: { reason: 'user [logstash_system] is reserved and cannot be deleted' },
    })
    expect((await put('/_security/user/beats_system/_disable')).status).toBe(200)
    await put('/_security/user/beats_system/_password', { password: 'of-the-beats' })
    expect((await whoAmI('beats_system:of-the-beats')).status).toBe(401)
    await put('/_security/user/beats_system/_enable')
    expect((await whoAmI('beats_system:of-the-beats')).status).toBe(200)
  })

  it('have roles that cannot be changed', async () => {
    const roles = (await send('/_security/role/kibana_admin,superuser,logstash_system')).json()
    expect(roles).toMatchObject({
      kibana_admin: { applications: [{ application: 'kibana-.kibana', privileges: ['all'], resources: ['*'] }] },
      logstash_system: { metadata: { _reserved: true } },
      superuser: { applications: [{ application: '*', privileges: ['*'], resources: ['*'] }] },
    })
    expect((await put('/_security/role/kibana_admin', {})).json()).toMatchObject({
      status: 400,
      error: { reason: 'Validation Failed: 1: Role [kibana_admin] is reserved and may not be used.;' },
    })
    expect((await send('/_security/role/beats_system', { method: 'DELETE' })).json()).toMatchObject({
      error: { reason: 'role [beats_system] is reserved and cannot be deleted' },
    })
  })
})

it('roles say of every grant whether it reaches restricted indices', async () => {
  const grant = { names: ['logs-*'], privileges: ['read'] }
  await put('/_security/role/reach', { indices: [grant, { ...grant, allow_restricted_indices: true }] })
  const indices = [
    { ...grant, allow_restricted_indices: false },
    { ...grant, allow_restricted_indices: true },
  ]
  expect((await send('/_security/role/reach')).json()).toMatchObject({ reach: { indices } })
  const all = (await send('/_security/role')).json() as Record<string, { indices: object[] }>
  const grants = Object.values(all).flatMap((role) => role.indices)
  expect(grants.filter((each) => !('allow_restricted_indices' in each))).toEqual([])
})

describe('passwords that come as hashes', () => {
  const password_hash = '$2b$06$DCq7YPn5Rq63x1Lad4cll.5M8woyM0j8T.PoOquDF30B5XsJbsBV.'

  it('of bcrypt log in', async () => {
    expect((await put('/_security/user/brought', { password_hash, roles: [] })).json()).toEqual({ created: true })
    expect((await whoAmI('brought:abc123xy')).status).toBe(401)
    for (const _ of [1, 2]) expect((await whoAmI('brought:abc123xyz')).status).toBe(200)
    await put('/_security/user/brought/_password', { password: 'another-one' })
    expect((await whoAmI('brought:abc123xyz')).status).toBe(401)
    await post('/_security/user/brought/_password', { password_hash })
    expect((await whoAmI('brought:abc123xyz')).status).toBe(200)
  })

  it('of other kinds are refused, and beside a password', async () => {
    const reasons = ['{PBKDF2}10000$a=$b=', '$2b$20$DCq7YPn5Rq63x1Lad4cll.5M8woyM0j8T.PoOquDF30B5XsJbsBV.']
    for (const hash of reasons)
      expect((await put('/_security/user/other', { password_hash: hash, roles: [] })).json()).toMatchObject({
        status: 400,
        error: {
          type: 'illegal_argument_exception',
          reason: expect.stringContaining('The provided password hash is not a hash or it could not be resolved'),
        },
      })
    const both = { password_hash, password: 'long-enough', roles: [] }
    expect((await put('/_security/user/other', both)).json()).toMatchObject({
      error: { reason: 'Validation Failed: 1: password_hash has already been set;' },
    })
  })
})

describe('privileges that programs define', () => {
  const auth = 'teller:password-of-teller'
  const has = async (resource: string, ...privileges: string[]) => {
    const body = { application: [{ application: 'myapp', privileges, resources: [resource] }] }
    const { application } = (await post('/_security/user/_has_privileges', body, auth)).json() as {
      application: { myapp: Record<string, Record<string, boolean>> }
    }
    return application.myapp[resource]
  }

  it('are kept, shown and taken away', async () => {
    const read = { actions: ['data:read/*', 'action:login'], metadata: { description: 'Reads' } }
    const write = { actions: ['data:write/*'] }
    expect((await put('/_security/privilege', { myapp: { read, write } })).json()).toEqual({
      myapp: { read: { created: true }, write: { created: true } },
    })
    expect((await put('/_security/privilege', { myapp: { read } })).json()).toEqual({
      myapp: { read: { created: false } },
    })
    expect((await send('/_security/privilege/myapp/read')).json()).toEqual({
      myapp: { read: { application: 'myapp', name: 'read', ...read } },
    })
    const all = (await send('/_security/privilege/my*')).json() as { myapp: object }
    expect(Object.keys(all.myapp)).toEqual(['read', 'write'])
    expect((await send('/_security/privilege/myapp/none')).status).toBe(404)
    const taken = await send('/_security/privilege/myapp/write,none', { method: 'DELETE' })
    expect([taken.status, taken.json()]).toEqual([200, { myapp: { write: { found: true }, none: { found: false } } }])
    expect((await send('/_security/privilege/myapp/write', { method: 'DELETE' })).status).toBe(404)
  })

  it('are granted by roles with all their actions', async () => {
    await put('/_security/privilege', {
      myapp: {
        read: { actions: ['data:read/*', 'action:login'] },
        see: { actions: ['data:read/see'] },
        write: { actions: ['data:write/*'] },
      },
    })
    const applications = [{ application: 'my*', privileges: ['read'], resources: ['shop/*'] }]
    await put('/_security/role/teller', { applications })
    await put('/_security/user/teller', { password: 'password-of-teller', roles: ['teller'] })
    expect(await has('shop/1', 'read', 'see', 'write', 'data:read/x', 'data:write/x')).toEqual({
      read: true,
      see: true,
      write: false,
      'data:read/x': true,
      'data:write/x': false,
    })
    expect(await has('bank/1', 'read')).toEqual({ read: false })
    await put('/_security/privilege', { myapp: { read: { actions: ['action:login'] } } })
    expect(await has('shop/1', 'read', 'see')).toEqual({ read: true, see: false })
  })

  it.each([
    [
      { ab: { read: { actions: ['a:b'] } } },
      "An application name prefix must be at least 3 characters long (found 'ab')",
    ],
    [
      { Myapp: { read: { actions: ['a:b'] } } },
      "An application name prefix must match the pattern ^[a-z][A-Za-z0-9]*$ (found 'Myapp')",
    ],
    [
      { myapp: { Read: { actions: ['a:b'] } } },
      "Application privilege names must match the pattern ^[a-z][a-zA-Z0-9_.-]*$ (found 'Read')",
    ],
    [{ myapp: { read: { actions: ['login'] } } }, "action [login] must contain one of [ '/' , '*' , ':' ]"],
    [{ myapp: { read: {} } }, 'Application privileges must have at least one action'],
    [{ myapp: { read: { actions: ['a:b'], odd: 1 } } }, '[application-privilege] unknown field [odd]'],
  ])('%j is refused', async (body, reason) => {
    expect((await put('/_security/privilege', body)).json()).toMatchObject({
      status: 400,
      error: { reason: expect.stringContaining(reason) },
    })
  })
})

it('takes privileges by tens of thousands, and names of the language as names', async () => {
  const many = Array.from({ length: 20_000 }, (_, at) => [`p${at}`, { actions: ['data:read/*'] }] as const)
  const taken = (await put('/_security/privilege', { manyapp: Object.fromEntries(many) })).json() as typeof shown
  const shown = (await send('/_security/privilege/manyapp')).json() as { manyapp: object }
  for (const { manyapp } of [taken, shown]) expect(Object.keys(manyapp)).toHaveLength(20_000)
  const none = (await send('/_security/privilege/__proto__/read', { method: 'DELETE' })).json()
  expect(Object.entries(Object(none))).toEqual([['__proto__', { read: { found: false } }]])
  const names = many.map(([name]) => name)
  for (let at = 0; at < names.length; at += 1_000)
    await send(`/_security/privilege/manyapp/${names.slice(at, at + 1_000).join(',')}`, { method: 'DELETE' })
  expect((await send('/_security/privilege/manyapp')).json()).toEqual({})
})

describe('a query of users', () => {
  beforeAll(async () => {
    const user = (full_name: string, roles: string[]) => ({ password: 'long-enough', full_name, roles })
    await put('/_security/user/query-ann', user('Ann Able', ['viewer']))
    await put('/_security/user/query-bob', user('Bob Able', ['editor', 'viewer']))
    await put('/_security/user/query-cat', user('Cat Cable', []))
    await put('/_security/user/query-cat/_disable')
  })
  const query = async (body: object) =>
    (await post('/_security/_query/user', body)).json() as {
      total: number
      count: number
      users: { username: string; _sort?: unknown }[]
    }

  it('finds those of the native realm, in order and by pages', async () => {
    const prefix = { prefix: { username: 'query-' } }
    const found = await query({ query: prefix, sort: [{ username: 'desc' }], size: 2 })
    expect(found).toMatchObject({ total: 3, count: 2 })
    expect(found.users.map(({ username, _sort }) => [username, _sort])).toEqual([
      ['query-cat', ['query-cat']],
      ['query-bob', ['query-bob']],
    ])
    const next = await query({ query: prefix, sort: [{ username: 'desc' }], search_after: ['query-bob'] })
    expect(next.users.map(({ username }) => username)).toEqual(['query-ann'])
    const names = async (clause: object) => (await query({ query: clause })).users.map(({ username }) => username)
    expect(await names({ bool: { must: [prefix, { match: { full_name: 'able' } }] } })).toEqual([
      'query-ann',
      'query-bob',
    ])
    expect(await names({ term: { roles: 'editor' } })).toEqual(['query-bob'])
    expect(await names({ bool: { filter: [prefix, { term: { enabled: false } }] } })).toEqual(['query-cat'])
    expect(await names({ term: { username: 'elastic' } })).toEqual([])
  })

  it('takes no other fields', async () => {
    const refused = async (body: object) => (await post('/_security/_query/user', body)).json()
    expect(await refused({ query: { term: { password: 'x' } } })).toMatchObject({
      status: 400,
      error: { reason: 'Field [password] is not allowed for querying or aggregation' },
    })
    expect(await refused({ sort: 'email' })).toMatchObject({
      error: { reason: 'sorting is not supported for field [email]' },
    })
  })
})

it.each([
  '/_security/realm/*/_clear_cache?usernames=elastic',
  '/_security/role/superuser,viewer/_clear_cache',
  '/_security/privilege/myapp/_clear_cache',
  '/_security/api_key/*/_clear_cache',
  '/_security/service/elastic/fleet-server/credential/token/*/_clear_cache',
])('answers for its node at %s', async (path) => {
  const answer = await post(path)
  expect([answer.status, answer.json()]).toEqual([
    200,
    {
      _nodes: { total: 1, successful: 1, failed: 0 },
      cluster_name: expect.any(String),
      nodes: { [Object.keys((answer.json() as { nodes: object }).nodes)[0] ?? '']: { name: expect.any(String) } },
    },
  ])
})
