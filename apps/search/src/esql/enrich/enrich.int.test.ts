import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const ask = searchOverWire()
const password = 'password-of-viewer'

async function put(path: string, body?: object): Promise<void> {
  const answer = await ask(path, { method: 'PUT', ...(body ? { body } : {}) })
  expect(answer.status, answer.text).toBe(200)
}

async function write(index: string, documents: readonly object[]): Promise<void> {
  const lines = documents.map((each) => `{"create":{}}\n${JSON.stringify(each)}\n`).join('')
  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = await ask(`/${index}/_bulk?refresh`, { method: 'POST', body: lines, headers })
  expect(answer.json()).toMatchObject({ errors: false })
}

async function policy(name: string, type: string, body: object): Promise<void> {
  await put(`/_enrich/policy/${name}`, { [type]: body })
  await put(`/_enrich/policy/${name}/_execute`)
}

async function rows(query: string): Promise<unknown> {
  const answer = await ask('/_query', { method: 'POST', body: { query } })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json() as { values: unknown }).values
}

const square = (left: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [left, 0],
      [left + 10, 0],
      [left + 10, 10],
      [left, 10],
      [left, 0],
    ],
  ],
})

beforeAll(async () => {
  const keyword = { type: 'keyword' }
  await put('/areas', {
    mappings: {
      properties: { shape: { type: 'geo_shape' }, area: keyword, since: { type: 'date', format: 'dd.MM.yyyy' } },
    },
  })
  await write('areas', [
    { shape: square(0), area: 'west', since: '01.02.2026' },
    { shape: square(5), area: 'middle' },
    { shape: square(20), area: 'east' },
  ])
  await policy('areas', 'geo_match', { indices: 'areas', match_field: 'shape', enrich_fields: ['area', 'since'] })
  await put('/events', {
    mappings: { properties: { place: { type: 'geo_point' }, n: { type: 'integer' }, host: keyword } },
  })
  await write(
    'events',
    Array.from({ length: 3000 }, (_, n) => ({ n, host: `host-${n}`, place: { lat: 5, lon: [2, 7, 25, 50][n % 4] } })),
  )
  await put('/hosts', { mappings: { properties: { host: keyword, owner: keyword } } })
  await write(
    'hosts',
    Array.from({ length: 3000 }, (_, n) => ({ host: `host-${n}`, owner: `owner-${n}` })),
  )
  await policy('hosts', 'match', { indices: 'hosts', match_field: 'host', enrich_fields: ['owner'] })
})

describe('ENRICH', () => {
  it('adds the areas that a point lies in', async () => {
    expect(
      await rows('FROM events | WHERE n < 4 | ENRICH areas ON place WITH area, since | SORT n | KEEP n, area, since'),
    ).toEqual([
      [0, 'west', '2026-02-01T00:00:00.000Z'],
      [1, ['west', 'middle'], '2026-02-01T00:00:00.000Z'],
      [2, 'east', null],
      [3, null, null],
    ])
    expect(await rows('FROM events | ENRICH areas ON place | STATS c = COUNT(*) BY area | SORT area')).toEqual([
      [750, 'east'],
      [750, 'middle'],
      [1500, 'west'],
      [750, null],
    ])
  })

  it('takes points only where a policy is about shapes', async () => {
    const answer = await ask('/_query', { method: 'POST', body: { query: 'FROM events | ENRICH areas ON host' } })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(
      'Unsupported type [keyword] for enrich matching field [host]; only [geo_point] allowed for type [geo_match]',
    )
  })

  it.each([
    'FROM events | LIMIT 500 | ENRICH hosts | WHERE owner IS NULL',
    'FROM events | SAMPLE 0.5 | ENRICH hosts | WHERE owner IS NULL',
    'FROM events | EVAL x = n % 7 | SORT x | LIMIT 500 | ENRICH hosts | WHERE owner IS NULL',
    'FROM events | STATS c = COUNT(*) BY host | LIMIT 500 | ENRICH hosts | WHERE owner IS NULL',
    'FROM events | EVAL host = MV_APPEND(host, host) | MV_EXPAND host | LIMIT 501 | ENRICH hosts | WHERE owner IS NULL',
    'FROM events | ENRICH hosts | WHERE owner IS NULL',
  ])('finds the values of all rows, whichever they are: %s', async (query) => {
    expect(await rows(query)).toEqual([])
  })

  it('knows what a policy held when it was executed last', async () => {
    await put('/names', { mappings: { properties: { k: { type: 'keyword' }, name: { type: 'keyword' } } } })
    await write('names', [{ k: 'a', name: 'one' }])
    await policy('names', 'match', { indices: 'names', match_field: 'k', enrich_fields: ['name'] })
    await write('names', [{ k: 'a', name: 'two' }])
    expect(await rows('ROW k = "a" | ENRICH names')).toEqual([['a', 'one']])
    await put('/_enrich/policy/names/_execute')
    expect(await rows('ROW k = "a" | ENRICH names')).toEqual([['a', ['one', 'two']]])
  })

  it('is for those who may see policies', async () => {
    await put('/_security/role/reader', { indices: [{ names: ['events'], privileges: ['read'] }] })
    await put('/_security/role/monitoring', { cluster: ['monitor'] })
    await put('/_security/user/reader', { password, roles: ['reader'] })
    await put('/_security/user/monitor', { password, roles: ['reader', 'monitoring'] })
    const body = { query: 'FROM events | ENRICH hosts | SORT n | LIMIT 1 | KEEP owner' }
    const refused = await ask('/_query', { method: 'POST', body, auth: `reader:${password}` })
    expect(refused.status).toBe(403)
    expect(refused.text).toContain('action [cluster:monitor/xpack/enrich/esql/resolve_policy] is unauthorized')
    const answered = await ask('/_query', { method: 'POST', body, auth: `monitor:${password}` })
    expect(answered.json()).toMatchObject({ values: [['owner-0']] })
  })
})
