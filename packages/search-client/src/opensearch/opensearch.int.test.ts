import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { SearchClient } from '../index.ts'
import { recorded } from './recorded.fixture.ts'

// Elasticsearch's requests against the recorded answers of an OpenSearch.

const certificates = await testCertificates()
const sent: { method: string; path: string; body: unknown }[] = []
let server: Server
let url: string

function callerOf(authorization: string | undefined): string {
  const text = Buffer.from((authorization ?? '').replace('Basic ', ''), 'base64').toString()
  return text.endsWith(':right') ? text.split(':')[0] || 'nobody' : 'nobody'
}

beforeAll(async () => {
  server = createServer({ cert: certificates.cert, key: certificates.key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const text = Buffer.concat(chunks).toString()
      sent.push({ method, path, body: text === '' ? undefined : JSON.parse(text) })
      const unknown = { status: 400, body: { error: `no handler found for uri [${path}] and method [${method}]` } }
      const { status, body } = recorded[`${callerOf(headers.authorization)} ${method} ${path}`] ?? unknown
      const type = typeof body === 'string' ? 'text/plain' : 'application/json'
      response.writeHead(status, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  sent.length = 0
})

const as = (username: string, password = 'right'): SearchClient =>
  new SearchClient({ url, ca: certificates.ca, credentials: { username, password }, timeoutMs: 20_000 })

test('all_access is a superuser, and a wrong password is refused as Elasticsearch refuses it', async () => {
  const { body } = await as('admin').request({ method: 'GET', path: '/_security/_authenticate' })
  expect(body).toMatchObject({ username: 'admin', roles: ['own_index', 'all_access', 'superuser'], enabled: true })
  const wrong = as('admin', 'wrong').request({ method: 'GET', path: '/_security/_authenticate' })
  await expect(wrong).rejects.toMatchObject({ code: 'search_refused', kind: 'unauthenticated' })
})

test('a role is written with action groups, its metadata with it, and read back; a privilege nobody knows is refused', async () => {
  const client = as('admin')
  const body = {
    cluster: ['monitor'],
    indices: [{ names: ['logs-*'], privileges: ['create_doc', 'read'] }],
    metadata: { logstack: 'abc' },
  }
  const made = await client.request({ method: 'PUT', path: '/_security/role/t1', body })
  expect(made.body).toEqual({ role: { created: true } })
  expect(sent.at(-1)?.body).toEqual({
    description: '{"logstack":"abc"}',
    cluster_permissions: ['cluster_monitor', 'cluster_composite_ops', 'indices:data/read/scroll*'],
    index_permissions: [
      {
        index_patterns: ['logs-*'],
        allowed_actions: [
          'indices:data/write/index*',
          'indices:data/write/bulk*',
          'indices:admin/mapping/put',
          'read',
          'indices:admin/resolve/index',
        ],
      },
    ],
  })
  const read = await client.request({ method: 'GET', path: '/_security/role/t1' })
  expect(read.body).toMatchObject({
    t1: {
      cluster: ['cluster_monitor'],
      indices: [{ names: ['logs-*'], privileges: ['read'] }],
      metadata: { logstack: 'abc' },
    },
  })
  expect((await client.request({ method: 'GET', path: '/_security/role/t9', accept: [404] })).body).toEqual({})
  const unknown = client.request({ method: 'PUT', path: '/_security/role/t1', body: { cluster: ['fly'] } })
  await expect(unknown).rejects.toMatchObject({ detail: { type: 'illegal_argument_exception', status: 400 } })
})

test('users get roles and passwords', async () => {
  const client = as('admin')
  const body = { password: 'a long one', roles: ['superuser', 't1'], full_name: 'U' }
  expect((await client.request({ method: 'PUT', path: '/_security/user/u1', body })).body).toEqual({ created: true })
  expect(sent.at(-1)?.body).toEqual({
    password: 'a long one',
    opendistro_security_roles: ['all_access', 't1'],
    description: 'U',
  })
  await client.request({ method: 'POST', path: '/_security/user/u1/_password', body: { password: 'another' } })
  expect(sent.at(-1)).toMatchObject({ method: 'PATCH', body: [{ op: 'add', path: '/password', value: 'another' }] })
})

test('rights on an index are asked for in a form that changes nothing', async () => {
  const has = async (name: string): Promise<unknown> => {
    const body = { index: [{ names: [name], privileges: ['create_doc'] }], cluster: [] }
    return (await as('sender').request({ method: 'POST', path: '/_security/user/_has_privileges', body })).body
  }
  expect(await has('logs-x-default')).toMatchObject({ username: 'sender', has_all_requested: true })
  expect(await has('other')).toMatchObject({ has_all_requested: false, index: { other: { create_doc: false } } })
  const manage = { cluster: ['manage'] }
  const may = await as('sender').request({ method: 'POST', path: '/_security/user/_has_privileges', body: manage })
  expect(may.body).toMatchObject({ has_all_requested: false })
})

test('what OpenSearch lacks is refused with what it has instead', async () => {
  const client = as('admin')
  for (const [path, words] of [
    ['/_ilm/policy/x', /ISM/],
    ['/_security/api_key', /no API keys/],
    ['/_security/realm', /nothing for GET \/_security\/realm/],
  ] as const) {
    await expect(client.request({ method: 'GET', path })).rejects.toMatchObject({
      message: expect.stringMatching(words),
    })
  }
})

test('a node that cannot be reached gives way to the next, and only then', async () => {
  const refused = 'https://127.0.0.1:1'
  const client = new SearchClient({
    url: `${refused},${url}`,
    ca: certificates.ca,
    credentials: { username: 'admin', password: 'right' },
    timeoutMs: 20_000,
  })
  expect((await client.capabilities()).product).toBe('opensearch')
  expect(sent).toHaveLength(1)
  const alone = new SearchClient({ url: refused, ca: certificates.ca, timeoutMs: 20_000 })
  await expect(alone.request({ method: 'GET', path: '/' })).rejects.toMatchObject({ code: 'search_unreachable' })
  expect(() => new SearchClient({ url: 'http://plain:9200', ca: certificates.ca })).toThrow('no address as https://')
})
