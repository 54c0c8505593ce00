import { type TestCertificates, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FakeSearch, fakeUser, startFakeSearch } from '../testing/fake-search.ts'
import { send, startTestDashboard, type TestDashboard } from '../testing/start-dashboard.ts'

const web = tempDir('dashboard-many')
const count = 2_345
let tls: TestCertificates
let search: FakeSearch
let dashboard: TestDashboard

beforeAll(async () => {
  tls = await testCertificates()
  search = await startFakeSearch(tls)
  dashboard = await startTestDashboard({ searchUrl: search.url, tls, webDir: web.path })
  const now = '2026-01-01T00:00:00.000Z'
  for (let n = 0; n < count; n += 1) {
    const id = `d${n}`
    const title = `Dashboard ${n % 7}`
    const attributes = { title, panelsJSON: `[${n}]` }
    const source = { type: 'dashboard', id, namespace: 'default', title, references: [], attributes, origin: {} }
    search.documents.set(`default:dashboard:${id}`, {
      source: { ...source, created_at: now, updated_at: now },
      seqNo: n,
    })
  }
})

beforeEach(() => {
  search.seen.length = 0
})

afterAll(async () => {
  await dashboard.close()
  await search.close()
  web.remove()
})

const authorization = `Basic ${Buffer.from(`${fakeUser.username}:${fakeUser.password}`).toString('base64')}`
const ask = (path: string, json?: object) =>
  send(dashboard.url + path, tls.ca, {
    headers: { authorization, 'kbn-xsrf': 'true' },
    ...(json ? { method: 'POST', body: JSON.stringify(json) } : {}),
  })
const idsOf = (objects: unknown): Set<unknown> => new Set((objects as { id: string }[]).map(({ id }) => id))
const searches = () => search.seen.filter(({ path }) => path.endsWith('/_search')).map(({ body }) => JSON.parse(body))

test('a list of more objects than a page of search holds each once, read without what they hold', async () => {
  const fields = 'fields=title'
  const answer = (await ask(`/api/saved_objects/_find?type=dashboard&per_page=10000&${fields}`)).json()
  expect(answer).toMatchObject({ total: count })
  expect(idsOf(answer['saved_objects']).size).toBe(count)
  expect(answer['saved_objects']).not.toContainEqual(
    expect.objectContaining({ attributes: expect.objectContaining({ panelsJSON: expect.anything() }) }),
  )
  expect(searches().map(({ size }) => size)).toEqual([1_000, 1_000, 1_000])
  for (const { _source } of searches()) expect(_source).not.toContain('attributes')
})

test('a page of the list has whole objects, of which no other was read', async () => {
  const answer = (await ask('/api/saved_objects/_find?type=dashboard&per_page=3&page=2')).json()
  expect(answer['saved_objects']).toEqual(
    Array.from({ length: 3 }, () =>
      expect.objectContaining({ attributes: expect.objectContaining({ panelsJSON: expect.anything() }) }),
    ),
  )
  const read = search.seen.filter(({ path }) => path.endsWith('/_mget')).flatMap(({ body }) => JSON.parse(body).ids)
  expect(read).toHaveLength(3)
})

test('an export of all leaves none out', async () => {
  const { text } = await ask('/api/saved_objects/_export', { type: '*', excludeExportDetails: true })
  const exported = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(idsOf(exported).size).toBe(count)
  expect(exported[0].attributes).toHaveProperty('panelsJSON')
})
