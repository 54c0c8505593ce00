import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type TestCertificates, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeSearch, fakeReader, fakeUser, startFakeSearch } from './testing/fake-search.ts'
import { send, startTestDashboard, type TestAnswer, type TestDashboard } from './testing/start-dashboard.ts'

const web = tempDir('dashboard-web')
let tls: TestCertificates
let search: FakeSearch
let dashboard: TestDashboard

beforeAll(async () => {
  mkdirSync(join(web.path, 'assets'))
  writeFileSync(join(web.path, 'index.html'), '<!doctype html><base href="/" /><p>page</p>')
  writeFileSync(join(web.path, 'assets', 'app-1234.js'), 'export {}')
  writeFileSync(join(web.path, 'assets', 'app-1234.js.gz'), 'zipped')
  tls = await testCertificates()
  search = await startFakeSearch(tls)
  dashboard = await startTestDashboard({ searchUrl: search.url, tls, webDir: web.path })
})

afterAll(async () => {
  await dashboard.close()
  await search.close()
  web.remove()
})

const xsrf = { 'kbn-xsrf': 'true' }
const basic = (user: { username: string; password: string }): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`,
})
const get = (path: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  send(dashboard.url + path, tls.ca, { headers })
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<TestAnswer> =>
  send(dashboard.url + path, tls.ca, { method: 'POST', body, headers: { ...xsrf, ...headers } })
const login = (user: { username: string; password: string }): Promise<TestAnswer> =>
  post('/api/session', JSON.stringify(user))
const cookieOf = (answer: TestAnswer): string => String(answer.headers['set-cookie']).split(';')[0] ?? ''

function formOf(content: string): { body: string; headers: Record<string, string> } {
  const body = [
    '--edge',
    'Content-Disposition: form-data; name="file"; filename="export.ndjson"',
    'Content-Type: application/ndjson',
    '',
    content,
    '--edge--',
    '',
  ].join('\r\n')
  return { body, headers: { 'content-type': 'multipart/form-data; boundary=edge' } }
}

describe('the default space', () => {
  test('is a prefix of every path that scripts for Kibana may use', async () => {
    expect((await get('/s/default/api/status')).json()).toMatchObject({ status: { overall: { level: 'available' } } })
    expect((await get('/s/default/api/saved_objects/_find?type=dashboard')).status).toBe(401)
    const refused = await send(`${dashboard.url}/s/default/api/session`, tls.ca, { method: 'POST', body: '{}' })
    expect(refused.json()).toMatchObject({ message: 'Request must contain a kbn-xsrf header.' })
    expect((await get('/s/other/api/status')).status).toBe(404)
  })

  test('of a page leads to the page, and nowhere else', async () => {
    const page = await get('/s/default/app/dashboards?next=https://x.example/')
    expect([page.status, page.headers.location]).toEqual([302, '/app/dashboards?next=https://x.example/'])
    expect((await get('/s/default')).headers.location).toBe('/')
    expect((await get('/s/default//x.example/')).headers.location).toBe('/x.example/')
  })
})

describe('session', () => {
  test('login gives a cookie for a token; the password is held nowhere', async () => {
    const answer = await login(fakeUser)
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ username: 'elastic', canEdit: true })
    expect(String(answer.headers['set-cookie'])).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
    expect((await get('/api/session', { cookie: cookieOf(answer) })).json()).toMatchObject({ username: 'elastic' })
    expect(inspect(dashboard.services.sessions, { depth: 10, showHidden: true })).not.toContain(fakeUser.password)
    const proxied = await post('/api/console/proxy?method=GET&path=_any', '', { cookie: cookieOf(answer) })
    expect(proxied.json()).toMatchObject({ echo: { user: 'elastic' } })
    expect(search.seen.at(-1)?.authorization).toMatch(/^Bearer token-elastic-/)
  })

  test('the pages are told under which address people reach search, where that is set', async () => {
    expect((await login(fakeUser)).json()).not.toHaveProperty('searchUrl')
    const env = { LOGSTACK_DASHBOARD_SEARCH_PUBLIC_URL: 'https://search.example.org/es/' }
    const other = await startTestDashboard({ searchUrl: search.url, tls, webDir: web.path, env })
    const answer = await send(`${other.url}/api/session`, tls.ca, {
      method: 'POST',
      body: JSON.stringify(fakeUser),
      headers: xsrf,
    })
    expect(answer.json()).toMatchObject({ searchUrl: 'https://search.example.org/es' })
    await other.close()
  })

  test('logout ends the token at search and the session here', async () => {
    const cookie = cookieOf(await login(fakeUser))
    const before = search.liveTokens.size
    await send(`${dashboard.url}/api/session`, tls.ca, { method: 'DELETE', headers: { ...xsrf, cookie } })
    expect(search.liveTokens.size).toBe(before - 1)
    expect((await get('/api/session', { cookie })).text).toBe('null')
    expect((await get('/api/data_views', { cookie })).status).toBe(401)
  })

  test('wrong passwords are refused, and refused sooner when there were too many', async () => {
    const wrong = { username: 'nobody', password: 'guess' }
    for (let attempt = 0; attempt < 3; attempt++) expect((await login(wrong)).status).toBe(401)
    const limited = await login(wrong)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await login(fakeUser)).status).toBe(200)
  })
})

test('of wrong passwords that come at once no more are tried than of those that come one by one', async () => {
  const seen = search.seen.length
  const guess = (n: number) => login({ username: 'somebody', password: `guess ${n}` })
  const statuses = (await Promise.all(Array.from({ length: 12 }, (_, n) => guess(n)))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 401)).toHaveLength(3)
  expect(statuses.filter((status) => status === 429)).toHaveLength(9)
  expect(search.seen.length - seen).toBe(3)
})

test('whoever comes with the right password many times at once gets in each time, with a session of each', async () => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => login(fakeUser)))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
  expect(new Set(answers.map(cookieOf)).size).toBe(12)
})

describe('rules of the API', () => {
  test('a change without the kbn-xsrf header is refused in the words of Kibana', async () => {
    const answer = await send(`${dashboard.url}/api/saved_objects/_export`, tls.ca, {
      method: 'POST',
      headers: basic(fakeUser),
      body: '{}',
    })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({
      statusCode: 400,
      error: 'Bad Request',
      message: 'Request must contain a kbn-xsrf header.',
    })
  })

  test('every route but login, logout and status wants credentials', async () => {
    for (const path of ['/api/data_views', '/api/saved_objects/_find', '/api/parts', '/api/agents/setup']) {
      expect([path, (await get(path)).status]).toEqual([path, 401])
      expect([path, (await get(path, basic({ ...fakeUser, password: 'x' }))).status]).toEqual([path, 401])
    }
    expect((await get('/api/health')).status).toBe(200)
    expect((await get('/api/status')).json()).toMatchObject({
      version: { number: '8.19.4' },
      status: { overall: { level: 'available' } },
    })
    expect((await get('/api/nothing', basic(fakeUser))).status).toBe(404)
  })

  test('of strangers no body is read, whatever credentials they say they have', async () => {
    const length = 50 * 1024 * 1024
    for (const path of ['/api/console/proxy?method=POST&path=_bulk', '/api/saved_objects/_import']) {
      const answer = await new Promise<number | undefined>((resolve, reject) => {
        const headers = { ...xsrf, ...basic({ ...fakeUser, password: 'x' }), 'content-length': length }
        const outgoing = httpsRequest(dashboard.url + path, { ca: tls.ca, method: 'POST', headers, agent: false })
        outgoing.on('response', ({ statusCode }) => {
          resolve(statusCode)
          outgoing.destroy()
        })
        outgoing.on('error', reject)
        // The rest never comes: only who does not wait for it can answer.
        outgoing.write('{')
      })
      expect([path, answer]).toEqual([path, 401])
    }
  })

  test('pages and hashed files come with their security headers, at any depth', async () => {
    const page = await get('/app/dashboards/some-id')
    expect(page.text).toContain('<base href="../../" />')
    expect(page.headers['content-security-policy']).toMatch(/script-src 'self';/)
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    const file = await get('/assets/app-1234.js', { 'accept-encoding': 'gzip' })
    expect(file.headers).toMatchObject({ 'content-encoding': 'gzip', 'content-type': 'text/javascript; charset=utf-8' })
    expect(file.headers['cache-control']).toContain('immutable')
    expect((await get('/assets/missing.js')).status).toBe(404)
    expect((await get('/..%2f..%2fetc/passwd')).text).toContain('page')
  })
})

describe('requests to search', () => {
  test('the console forwards method, path and body with the caller’s own credentials', async () => {
    const body = '{"query":{"match_all":{}}}'
    const answer = await post('/api/console/proxy?method=get&path=logs-*/_search%3Fpretty', body, basic(fakeReader))
    expect(answer.json()).toEqual({ echo: { method: 'GET', path: '/logs-*/_search?pretty', body, user: 'reader' } })
    expect(answer.headers['x-console-proxy-status-code']).toBe('200')
    const refused = await post('/api/console/proxy?method=GET&path=_any', '', basic({ ...fakeReader, password: 'x' }))
    expect(refused.status).toBe(401)
    expect(search.seen.at(-1)?.path).toBe('/_security/_authenticate')
    const outside = await post('/api/console/proxy?method=GET&path=https%3A%2F%2Fexample.com%2F', '', basic(fakeUser))
    expect(outside.status).toBe(400)
  })

  test('pages may only search', async () => {
    for (const path of ['logs-*/_search', '_query']) {
      expect([path, (await post(`/api/search?path=${path}`, '{}', basic(fakeUser))).status]).toEqual([path, 200])
    }
    for (const path of [
      '_query/async',
      'logs-a/_delete_by_query',
      '_security/user',
      '.x/../_security/_search',
      'logs/_doc/1',
    ]) {
      expect([
        path,
        (await post(`/api/search?path=${encodeURIComponent(path)}`, '{}', basic(fakeUser))).status,
      ]).toEqual([path, 403])
    }
  })
})

describe('requests of Management', () => {
  test('it may change one thing by its name', async () => {
    const at = (method: string, path: string): string => `/api/manage?method=${method}&path=${encodeURIComponent(path)}`
    const allowed = await post(at('DELETE', '_data_stream/logs-x-default'), '', basic(fakeUser))
    expect(allowed.json()).toMatchObject({ echo: { method: 'DELETE', path: '/_data_stream/logs-x-default' } })
    for (const [method, path] of [
      ['PUT', '_security/user/anna'],
      ['PUT', '_security/user/anna/_password'],
      ['PUT', '_security/role/reader'],
      ['PUT', '_security/api_key'],
      ['PUT', '_ilm/policy/short'],
      ['PUT', '_ingest/pipeline/web'],
      ['POST', '_ingest/pipeline/_simulate'],
      ['POST', '_security/user/_has_privileges'],
      ['GET', '_security/privilege/_builtin'],
    ] as const) {
      const body = method === 'GET' ? '' : '{"a":1}'
      const answer = (await post(at(method, path), body, basic(fakeUser))).json()
      expect(answer).toEqual({ echo: { method, path: `/${path}`, body, user: fakeUser.username } })
    }
    const refused = [
      ['DELETE', 'logs-*'],
      ['DELETE', 'a,b'],
      ['DELETE', '_all'],
      ['DELETE', '.x/../_security/user/elastic/_password'],
      ['PUT', '_security/user/_password'],
      ['PUT', '_security/user/anna/_disable'],
      ['PUT', '_security/role/a,b'],
      ['POST', '_security/oauth2/token'],
      ['POST', '_ingest/pipeline/web/_simulate'],
      ['GET', '_cluster/settings'],
    ] as const
    for (const [method, path] of refused) {
      expect([path, (await post(at(method, path), '', basic(fakeUser))).status]).toEqual([path, 403])
    }
    expect((await post(at('DELETE', 'logs-a'), '')).status).toBe(401)
  })
})

describe('searches that nobody waits for', () => {
  test('a search ends at search when the browser goes away', async () => {
    const gone = new AbortController()
    const pending = send(`${dashboard.url}/api/search?path=slow/_search`, tls.ca, {
      method: 'POST',
      body: '{}',
      headers: { ...xsrf, ...basic(fakeUser) },
      signal: gone.signal,
    })
    await expect.poll(() => search.seen.at(-1)?.path).toBe('/slow/_search')
    gone.abort()
    await expect(pending).rejects.toThrow()
    await expect.poll(() => search.dropped).toBe(1)
  })
})

const pattern = { id: 'logs-*', type: 'index-pattern', attributes: { title: 'logs-*' }, references: [] }
const chart = {
  id: 'chart',
  type: 'visualization',
  attributes: { title: 'Chart', visState: '{}' },
  references: [{ name: 'index', type: 'index-pattern', id: 'logs-*' }],
  coreMigrationVersion: '8.8.0',
}
const orphan = { ...chart, id: 'orphan', references: [{ name: 'i', type: 'index-pattern', id: 'gone-*' }] }
const lines = (...objects: unknown[]): string =>
  [...objects, { exportedCount: objects.length, missingRefCount: 0 }].map((line) => JSON.stringify(line)).join('\n')
const importFile = (content: string, query = '', user = fakeUser): Promise<TestAnswer> => {
  const form = formOf(content)
  return post(`/api/saved_objects/_import${query}`, form.body, { ...form.headers, ...basic(user) })
}

describe('saved objects', () => {
  test('import reports each object; export gives back what came in', async () => {
    const first = (await importFile(lines(pattern, chart, orphan, { ...chart, type: 'alien' }))).json()
    expect(first).toMatchObject({ success: false, successCount: 2 })
    expect(first['errors']).toEqual([
      expect.objectContaining({ type: 'alien', error: { type: 'unsupported_type' } }),
      expect.objectContaining({
        id: 'orphan',
        error: { type: 'missing_references', references: [{ type: 'index-pattern', id: 'gone-*' }] },
      }),
    ])
    const again = (await importFile(lines(pattern))).json()
    expect(again).toMatchObject({ success: false, errors: [{ id: 'logs-*', error: { type: 'conflict' } }] })
    const over = (await importFile(lines(pattern), '?overwrite=true')).json()
    expect(over).toMatchObject({ success: true, successCount: 1, successResults: [{ id: 'logs-*', overwrite: true }] })
    const copies = (await importFile(lines(pattern, chart), '?createNewCopies=true')).json()
    expect(copies).toMatchObject({ success: true, successCount: 2 })
    const request = { objects: [{ type: 'visualization', id: 'chart' }], includeReferencesDeep: true }
    const exported = await post('/api/saved_objects/_export', JSON.stringify(request), basic(fakeReader))
    const [one, two, summary] = exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(one).toMatchObject(pattern)
    expect(two).toMatchObject(chart)
    expect(summary).toMatchObject({ exportedCount: 2, missingRefCount: 0 })
  })

  test('who may only read may not change', async () => {
    expect((await importFile(lines(pattern), '', fakeReader)).status).toBe(403)
    expect((await get('/api/saved_objects/index-pattern/logs-*', basic(fakeReader))).json()).toMatchObject(pattern)
  })

  test('find, read many, change, delete', async () => {
    const found = (await get('/api/saved_objects/_find?type=visualization&search=chart*', basic(fakeUser))).json()
    expect(found).toMatchObject({ page: 1, per_page: 20 })
    const keys = JSON.stringify([
      { type: 'visualization', id: 'chart' },
      { type: 'visualization', id: 'none' },
    ])
    const many = (await post('/api/saved_objects/_bulk_get', keys, basic(fakeUser))).json()
    expect(many['saved_objects']).toEqual([
      expect.objectContaining({ id: 'chart' }),
      expect.objectContaining({ id: 'none', error: expect.objectContaining({ statusCode: 404 }) }),
    ])
    const created = await post('/api/saved_objects/tag/t1', '{"attributes":{"name":"mine"}}', basic(fakeUser))
    expect(created.status).toBe(200)
    const conflict = await post('/api/saved_objects/tag/t1', '{"attributes":{"name":"mine"}}', basic(fakeUser))
    expect(conflict.status).toBe(409)
    const removed = await send(`${dashboard.url}/api/saved_objects/tag/t1`, tls.ca, {
      method: 'DELETE',
      headers: { ...xsrf, ...basic(fakeUser) },
    })
    expect(removed.status).toBe(200)
    expect((await get('/api/saved_objects/tag/t1', basic(fakeUser))).json()).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'Saved object [tag/t1] not found',
      attributes: { code: 'saved_object_not_found', detail: {} },
    })
  })

  test('the Default pattern is logs-* until the user chooses another', async () => {
    const defaultId = async (): Promise<unknown> =>
      (await get('/api/data_views/default', basic(fakeUser))).json()['data_view_id']
    expect(await defaultId()).toBe('logs-*')
    await post('/api/data_views/data_view', '{"data_view":{"id":"w","title":"winlogbeat-*"}}', basic(fakeUser))
    await post('/api/data_views/default', '{"data_view_id":"w","force":true}', basic(fakeUser))
    expect(await defaultId()).toBe('w')
  })
})

test('a Wazuh agent is forgotten with the rights of who asks, and nothing else is by that way', async () => {
  const remove = (id: string, headers = basic(fakeUser)): Promise<TestAnswer> =>
    send(`${dashboard.url}/api/wazuh-agents/${id}`, tls.ca, { method: 'DELETE', headers: { ...xsrf, ...headers } })
  expect((await remove('003')).json()).toMatchObject({
    echo: { method: 'DELETE', path: '/.logstack-wazuh-agents/_doc/003?refresh=true' },
  })
  expect(search.seen.at(-2)).toMatchObject({ authorization: basic(fakeUser).authorization })
  for (const id of ['000', '3', '003%2F..%2F..%2F_doc', '*']) expect((await remove(id)).status).toBe(400)
  expect((await remove('003', { authorization: 'Basic eDp5' })).status).toBe(401)
})

test('without an agent server the page is told so in the exact words', async () => {
  expect((await get('/api/agents/setup', basic(fakeUser))).json()).toMatchObject({
    ready: false,
    message: 'Missing URL for Fleet Server host',
  })
})
