import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { AppError, searchErrors } from '@logstack/errors'
import { createLogger } from '@logstack/logging'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineRoute, type Route } from './api/define-route.ts'
import { HttpTraffic } from './http-traffic.ts'
import { noAuditTrail } from './security/audit/events.ts'
import { bootstrapAdministrator, createSecurity } from './security/create-security.ts'
import { createSearchServer, defaultServerLimits, type SearchServer } from './server.ts'
import type { Services } from './services.ts'
import { type WireClient, wireClient } from './testing/https-client.ts'
import { memoryStore } from './testing/memory-store.ts'

const aborted: string[] = []

const route = (path: string, methods: Route['methods'], handle: Route['handle'], rest: Partial<Route> = {}): Route =>
  defineRoute({ name: path, methods, paths: [path], privilege: 'authenticated', parameters: {}, handle, ...rest })

const routes: readonly Route[] = [
  route('/echo', ['GET', 'POST'], async (request) => ({
    json: { body: request.json() ?? null, type: request.contentType },
  })),
  route('/parameters', ['GET'], async ({ query }) => ({ json: query }), {
    parameters: { size: 'integer', all: 'boolean' },
  }),
  route('/open', ['GET', 'HEAD'], async () => ({ json: { status: 'ready' } }), { privilege: 'anonymous' }),
  route('/admin', ['GET'], async () => ({ json: {} }), { privilege: { cluster: 'manage_security' } }),
  route('/small', ['POST'], async () => ({ json: {} }), { bodyBytesMax: 1000 }),
  route('/large', ['GET'], async () => ({ json: { text: 'x'.repeat(5000) } })),
  route('/fail', ['GET'], async () => {
    throw new AppError(searchErrors.document_parsing_exception, 'failed to parse', {
      cause: new AppError(searchErrors.illegal_argument_exception, "'LOCAL' is not an IP string literal."),
    })
  }),
  route('/bug', ['GET'], async () => {
    throw new Error('secret detail')
  }),
  route('/slow', ['GET'], async ({ signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve))
    aborted.push('slow')
    return { json: {} }
  }),
  route(
    '/work',
    ['POST'],
    async ({ signal }) => {
      await sleep(600)
      return { json: { aborted: signal.aborted } }
    },
    { waitsForWork: true },
  ),
]

let server: SearchServer
let client: WireClient

beforeAll(async () => {
  const certificates = await testCertificates()
  const store = memoryStore()
  await bootstrapAdministrator(store, 'elastic', 'the-password')
  const security = createSecurity({ store, now: Date.now })
  await security.putUser('ann', { password: 'password-of-ann', roles: ['viewer'] })
  const logger = createLogger('search', 'silent')
  const services = {
    security,
    audit: noAuditTrail,
    logger,
    now: Date.now,
    http: new HttpTraffic(1024, Date.now),
  } as unknown as Services
  server = createSearchServer({
    tls: certificates,
    services,
    routes,
    limits: { ...defaultServerLimits, requestTimeMsMax: 300 },
  })
  const port = await server.listen('127.0.0.1', 0)
  client = wireClient({ port, ca: certificates.ca, auth: 'elastic:the-password' })
})

afterAll(async () => {
  client.close()
  await server.close()
})

const send: WireClient['send'] = (path, request) => client.send(path, request)

describe('who may ask', () => {
  it("answers 401 in Elasticsearch's words, before it looks at path or body", async () => {
    for (const path of ['/echo?pretty', '/no/such/path']) {
      const answer = await send(path, { auth: '' })
      const reason = `missing authentication credentials for REST request [${path}]`
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toContain('Basic realm="security", charset="UTF-8"')
      expect(answer.headers['x-elastic-product']).toBe('Elasticsearch')
      expect(answer.json()).toMatchObject({
        error: { root_cause: [{ type: 'security_exception', reason }], type: 'security_exception', reason },
        status: 401,
      })
    }
    const wrong = await send('/echo', { auth: 'elastic:wrong' })
    expect(wrong.json()).toMatchObject({
      error: { reason: 'unable to authenticate user [elastic] for REST request [/echo]' },
    })
  })

  it('lets anyone ask for health, and nobody do what its roles do not grant', async () => {
    expect((await send('/open', { auth: '' })).json()).toEqual({ status: 'ready' })
    const refused = await send('/admin', { auth: 'ann:password-of-ann' })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain(
      'is unauthorized for user [ann] with effective roles [viewer], this action is granted by the cluster privileges [manage_security,all]',
    )
    expect((await send('/admin')).status).toBe(200)
  })
})

describe('paths and parameters', () => {
  it('answers unknown paths and methods as Elasticsearch does', async () => {
    const unknown = await send('/no/such/path?x')
    expect([unknown.status, unknown.json()]).toEqual([
      400,
      { error: 'no handler found for uri [/no/such/path?x] and method [GET]' },
    ])
    const method = await send('/echo', { method: 'DELETE' })
    expect(method.status).toBe(405)
    expect(method.headers['allow']).toBe('GET,POST')
    expect(method.json()).toEqual({
      error: 'Incorrect HTTP method for uri [/echo] and method [DELETE], allowed: [GET, POST]',
      status: 405,
    })
  })

  it("reads parameters by the route's table", async () => {
    expect((await send('/parameters?size=3&all&human')).json()).toEqual({ size: 3, all: true })
    const unknown = await send('/parameters?sice=3')
    expect([unknown.status, unknown.text]).toEqual([
      400,
      expect.stringContaining('unrecognized parameter: [sice] -> did you mean [size]?'),
    ])
  })

  it('answers HEAD without a body', async () => {
    const answer = await send('/open', { method: 'HEAD' })
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, '', '18'])
  })
})

describe('bodies', () => {
  const json = { 'content-type': 'application/json' }

  it('takes JSON by GET and POST, packed and in chunks', async () => {
    const body = '{"a":1}'
    const expected = expect.objectContaining({ body: { a: 1 } })
    expect((await send('/echo', { body, headers: json })).json()).toEqual(expected)
    expect((await send('/echo', { method: 'POST', body, headers: json })).json()).toEqual(expected)
    const packed = { ...json, 'content-encoding': 'gzip' }
    expect((await send('/echo', { method: 'POST', body: gzipSync(body), headers: packed })).json()).toEqual(expected)
    const query = `/echo?source=${encodeURIComponent(body)}&source_content_type=application/json`
    expect((await send(query)).json()).toEqual(expected)
  })

  it.each([
    ['application/vnd.elasticsearch+json; compatible-with=9', 200],
    ['application/json; charset=UTF-8', 200],
    ['text/plain', 406],
    ['application/x-www-form-urlencoded', 406],
    ['', 406],
  ])('answers a body of type "%s" with %d', async (type, status) => {
    const answer = await send('/echo', {
      method: 'POST',
      body: '{}',
      headers: type === '' ? {} : { 'content-type': type },
    })
    expect(answer.status).toBe(status)
    if (status === 406)
      expect(answer.json()).toEqual({ error: `Content-Type header [${type}] is not supported`, status: 406 })
  })

  it('refuses what is too large, also when only unpacked', async () => {
    expect((await send('/small', { method: 'POST', body: 'x'.repeat(1001), headers: json })).status).toBe(413)
    const packed = gzipSync('x'.repeat(100_000))
    const answer = await send('/small', {
      method: 'POST',
      body: packed,
      headers: { ...json, 'content-encoding': 'gzip' },
    })
    expect([packed.length < 1000, answer.status]).toEqual([true, 413])
  })

  it('names the place of broken JSON', async () => {
    const answer = await send('/echo', { method: 'POST', body: '{"a": tru}', headers: json })
    expect([answer.status, answer.json()]).toEqual([400, expect.objectContaining({ status: 400 })])
    expect(answer.text).toContain('"x_content_parse_exception","reason":"[1:11] Unrecognized token')
  })
})

describe('answers', () => {
  it('packs large ones for clients that ask for it', async () => {
    const answer = await send('/large', { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.bytes.length).toBeLessThan(1000)
    expect((await send('/large')).headers['content-encoding']).toBeUndefined()
  })

  it('writes errors with their cause, pretty too, and never filtered', async () => {
    const inner = { type: 'document_parsing_exception', reason: 'failed to parse' }
    const caused_by = { type: 'illegal_argument_exception', reason: "'LOCAL' is not an IP string literal." }
    const answer = await send('/fail')
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: { root_cause: [inner], ...inner, caused_by }, status: 400 },
    ])
    const pretty = (await send('/fail?pretty&filter_path=status')).text
    expect(pretty).toContain(
      '{\n  "error" : {\n    "root_cause" : [\n      {\n        "type" : "document_parsing_exception"',
    )
    expect((await send('/parameters?size=3&all&filter_path=size')).json()).toEqual({ size: 3 })
  })

  it('tells nothing of a bug', async () => {
    const answer = await send('/bug')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('secret detail')
  })

  it('ends a request that runs too long, and tells its handler', async () => {
    const answer = await send('/slow')
    expect([answer.status, answer.text]).toEqual([504, expect.stringContaining('did not end within 300 ms')])
    expect(aborted).toEqual(['slow'])
  })

  it('waits for work for as long as it takes', async () => {
    const answer = await send('/work', { method: 'POST' })
    expect([answer.status, answer.json()]).toEqual([200, { aborted: false }])
  })
})
