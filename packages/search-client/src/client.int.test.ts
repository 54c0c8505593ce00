import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capabilitiesOf, SearchClient, sendBulk } from './index.ts'

const certificates = await testCertificates()
const seen: { method: string; url: string; authorization: string | undefined; body: string }[] = []
let answer: { status: number; body: unknown } = { status: 200, body: {} }
let server: Server
let url: string

beforeAll(async () => {
  server = createServer({ cert: certificates.cert, key: certificates.key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      seen.push({ method, url: path, authorization: headers.authorization, body: Buffer.concat(chunks).toString() })
      if (answer.status > 0) {
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const connect = (): SearchClient =>
  new SearchClient({ url, ca: certificates.ca, credentials: { username: 'u', password: 'p:$' }, timeoutMs: 2_000 })

describe('a search client', () => {
  test('sends credentials, query and JSON, and parses the answer', async () => {
    answer = { status: 200, body: { hits: 1 } }
    const response = await connect().request({
      method: 'POST',
      path: '/i/_search',
      query: { size: 1, q: undefined },
      body: { query: {} },
    })
    expect(response.body).toEqual({ hits: 1 })
    const authorization = `Basic ${Buffer.from('u:p:$').toString('base64')}`
    expect(seen.at(-1)).toEqual({ method: 'POST', url: '/i/_search?size=1', authorization, body: '{"query":{}}' })
  })

  test('a refusal is an error of the status with type and reason, unless the caller takes it as an answer', async () => {
    answer = {
      status: 404,
      body: { error: { type: 'index_not_found_exception', reason: 'no such index [x]' }, status: 404 },
    }
    const refused = connect().request({ method: 'GET', path: '/x' })
    await expect(refused).rejects.toMatchObject({
      code: 'search_refused',
      kind: 'not-found',
      detail: { status: 404, type: 'index_not_found_exception', reason: 'no such index [x]' },
    })
    const accepted = await connect().request({ method: 'GET', path: '/x', accept: [404] })
    expect(accepted.status).toBe(404)
  })

  test('a server that is silent, gone or not of our CA is unreachable', async () => {
    answer = { status: 0, body: undefined }
    const silent = connect().request({ method: 'GET', path: '/', timeoutMs: 100 })
    await expect(silent).rejects.toMatchObject({
      code: 'search_unreachable',
      message: expect.stringContaining('in time'),
    })
    const gone = new SearchClient({ url: 'https://127.0.0.1:1', ca: certificates.ca }).request({
      method: 'GET',
      path: '/',
    })
    await expect(gone).rejects.toMatchObject({ code: 'search_unreachable' })
    const stranger = new SearchClient({ url, ca: '' }).request({ method: 'GET', path: '/' })
    await expect(stranger).rejects.toMatchObject({ code: 'search_unreachable' })
  })

  test('a bulk request has one line an action and answers one result each, in order', async () => {
    const error = { type: 'version_conflict_engine_exception', reason: 'there already' }
    answer = {
      status: 200,
      body: {
        errors: true,
        items: [{ create: { status: 409, _id: '1', error } }, { delete: { status: 200, _id: '2' } }],
      },
    }
    const results = await sendBulk(connect(), [
      { action: 'create', index: 'logs', id: '1', document: { a: 1 } },
      { action: 'delete', index: 'logs', id: '2' },
    ])
    expect(results).toEqual([
      { status: 409, id: '1', error },
      { status: 200, id: '2', error: undefined },
    ])
    expect(seen.at(-1)?.body).toBe(
      '{"create":{"_index":"logs","_id":"1"}}\n{"a":1}\n{"delete":{"_index":"logs","_id":"2"}}\n',
    )
  })
})

test('a search that fails in its shards is told with their reason, a long path with its beginning', async () => {
  const reason = 'Fielddata is disabled on [host.name] in [logs-app].'
  answer = {
    status: 400,
    body: {
      error: {
        type: 'search_phase_execution_exception',
        reason: 'all shards failed',
        root_cause: [{ type: 'illegal_argument_exception', reason }],
      },
    },
  }
  const path = `/${'.ds-logs-nginx.access-default-2026.11.27-000001,'.repeat(20)}logs-app/_search`
  await expect(connect().request({ method: 'POST', path })).rejects.toMatchObject({
    message: `search answered 400 to POST ${path.slice(0, 159)}…: ${reason}`,
    detail: { reason },
  })
})

test('bodies of bulk requests hold nothing of those before them, refused ones included', async () => {
  const send = (note: string) =>
    sendBulk(connect(), [{ action: 'index', index: 'ind"ex', id: 'i', document: { note } }])
  const head = '{"index":{"_index":"ind\\"ex","_id":"i"}}\n'
  for (const [status, note] of [
    [200, 'längst'.repeat(100_000)],
    [200, 'kurz'],
    [413, 'too large'],
    [200, 'ß'],
  ] as const) {
    answer = { status, body: { errors: false, items: [{ index: { status: 200 } }] } }
    const sent = send(note)
    if (status === 200) await sent
    else await expect(sent).rejects.toMatchObject({ code: 'search_refused' })
    expect(seen.at(-1)?.body).toBe(`${head}{"note":"${note}"}\n`)
  }
})

test('a server is known by its root answer', () => {
  const root = (version: object): unknown => ({
    tagline: 'You Know, for Search',
    version: { number: '8.19.2', ...version },
  })
  expect(capabilitiesOf(root({ build_type: 'logstack' })).product).toBe('logstack')
  expect(capabilitiesOf(root({ build_type: 'docker' }))).toMatchObject({
    product: 'elasticsearch',
    sessionTokens: true,
  })
  expect(capabilitiesOf(root({ distribution: 'opensearch' }))).toMatchObject({
    product: 'opensearch',
    globalCheckpoints: false,
  })
})
