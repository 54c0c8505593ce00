import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'
import { bodies, documents, hidden, hiddenFields, posts, probes, properties, reads } from './hidden-data.fixture.ts'

/**
 * What a role hides stays hidden, whatever is asked: documents by a query, fields by a list. Every request is asked by the administrator first, to
 * whom it must show what is hidden: so none passes because it shows nothing to anybody, and what was read before is there to be read again.
 */

let search: TestSearch
let client: WireClient
const apiKeys = new Map<string, string>()
const password = 'password-of-all'

const put = async (path: string, body: object) => {
  const answer = await client.send(path, { method: 'PUT', body })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer
}
/** `name` is a user's, or behind `key:` that of an API key; nobody's is the administrator's. */
const send = (name: string, path: string, body?: object) => {
  const key = apiKeys.get(name)
  const who = key === undefined ? { auth: `${name}:${password}` } : { auth: '', headers: { authorization: key } }
  const json = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json', ...who.headers }
  return client.send(path, { ...json, ...(name === '' ? {} : { auth: who.auth }), headers })
}

const field_security = { grant: ['*'], except: hiddenFields }
const granting = (query: unknown, name = 'logs-web') => ({
  indices: [{ names: [name], privileges: ['read', 'view_index_metadata'], query, field_security }],
})
const roles: Readonly<Record<string, object>> = {
  plain: granting({ term: { team: 'a' } }),
  text: granting('{"bool": {"should": [{"term": {"team": "a"}}]}}'),
  'by-hidden-field': granting({ bool: { must_not: { term: { level: 'high' } } } }),
  named: granting({ template: { source: { term: { owner: '{{_user.username}}' } } } }),
  'by-alias': granting({ term: { team: 'a' } }, 'logs-view'),
  'by-pattern': granting({ range: { n: { lt: 2 } } }, 'logs-*'),
  'of-filtered-alias': granting(undefined, 'logs-a'),
}

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  const aliases = { 'logs-view': {}, 'logs-a': { filter: { term: { team: 'a' } } } }
  await put('/logs-web', { mappings: { properties }, aliases })
  for (const [id, document] of Object.entries(documents)) await put(`/logs-web/_doc/${id}`, document)
  await client.send('/_refresh', { method: 'POST' })
  for (const [name, role] of Object.entries(roles)) {
    await put(`/_security/role/${name}`, role)
    await put(`/_security/user/${name}`, { password, roles: [name] })
  }
  const keys = { 'key:narrowed': ['', { narrowed: roles['plain'] }], 'key:of-named': ['named', {}] } as const
  await put('/_security/role/own-keys', { cluster: ['manage_own_api_key'] })
  await put('/_security/user/named', { roles: ['named', 'own-keys'] })
  for (const [name, [owner, role_descriptors]] of Object.entries(keys)) {
    const answer = await send(owner, '/_security/api_key', { name, role_descriptors })
    apiKeys.set(name, `ApiKey ${(answer.json() as { encoded: string }).encoded}`)
  }
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

const viewers: readonly (readonly [name: string, path: string])[] = [
  ...Object.keys(roles)
    .filter((name) => name !== 'by-alias' && name !== 'of-filtered-alias')
    .map((name) => [name, '/logs-web'] as const),
  ['by-alias', '/logs-view'],
  ['of-filtered-alias', '/logs-a'],
  ['of-filtered-alias', '/logs-a,logs-*'],
  ['key:narrowed', '/logs-web'],
  ['key:of-named', '/logs-web'],
]

describe('to the administrator', () => {
  it.each(Object.entries(bodies))('shows what others must not see: %s', async (_name, body) => {
    expect((await send('', '/logs-web/_search', body)).text).toContain(hidden)
  })

  it.each(Object.entries(probes))('finds by it: %s', async (_name, query) => {
    const { count } = (await send('', '/logs-web/_count', { query })).json() as { count: number }
    expect(count).toBeGreaterThan(0)
  })

  it.each(reads)('reads it: %s', async (path) => {
    const answer = await send('', `/logs-web${path}`)
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(hidden)])
  })

  it.each(Object.entries(posts))('reads it: POST %s', async (path, body) => {
    const answer = await send('', `/logs-web${path}`, body)
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining(hidden)])
  })
})

describe.each(viewers)('to %s of %s', (name, path) => {
  it.each(Object.entries(bodies))('shows nothing that is hidden: %s', async (_name, body) => {
    const answer = await send(name, `${path}/_search`, body)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain(hidden)
    const lines = `{"index":"${path.slice(1)}"}\n${JSON.stringify(body)}\n`
    const headers = { 'content-type': 'application/x-ndjson', authorization: apiKeys.get(name) ?? '' }
    const key = apiKeys.has(name) ? { auth: '', headers } : { auth: `${name}:${password}`, headers: {} }
    const several = await client.send('/_msearch', { method: 'POST', body: lines, ...key })
    expect(several.text).not.toContain(hidden)
  })

  it.each(Object.entries(probes))('finds nothing by what is hidden: %s', async (_name, query) => {
    const answer = await send(name, `${path}/_count`, { query })
    expect(answer.status).toBeLessThan(500)
    if (answer.status === 200) expect(answer.json()).toMatchObject({ count: 0 })
  })

  it('counts the shown documents only, and shows them', async () => {
    expect((await send(name, `${path}/_count`, {})).json()).toMatchObject({ count: 1 })
    expect((await send(name, `${path}/_search`, {})).json()).toMatchObject({
      hits: { hits: [{ _id: '1', _source: { open: 'shown words' } }] },
    })
  })

  it('names no hidden field', async () => {
    for (const asked of ['/_mapping', '', '/_mapping/field/*', '/_field_caps?fields=*']) {
      const answer = await send(name, `${path}${asked}`)
      const names = Object.keys(properties).filter((field) => answer.text.includes(`"${field}"`))
      expect(answer.status === 200 ? names : []).not.toEqual(expect.arrayContaining(['secret']))
      // Where a field is copied to is a part of its own mapping.
      for (const field of hiddenFields.filter((each) => each !== 'everything')) expect(names).not.toContain(field)
      if (answer.status === 200) expect(names).toContain('team')
    }
  })
})

// The filter of an alias is for searches; by id all of its indices are read, as in Elasticsearch.
const readersById = viewers.filter(([name]) => name !== 'of-filtered-alias')

describe.each(readersById)('to %s of %s, in what is no search', (name, path) => {
  it.each(reads)('shows nothing by GET %s', async (asked) => {
    const answer = await send(name, `${path}${asked}`)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text.replaceAll(`${hidden}*`, '')).not.toContain(hidden)
  })

  it.each(Object.entries(posts))('shows nothing by POST %s', async (asked, body) => {
    const answer = await send(name, `${path}${asked}`, body)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain(hidden)
  })
})

describe('copies', () => {
  const cluster = ['manage_enrich', 'manage_pipeline', 'create_snapshot', 'manage_slm', 'monitor']
  const policy = { match: { indices: 'logs-web', match_field: 'owner', enrich_fields: ['open'] } }
  /** What a pipeline adds to a document by a policy. */
  const enriched = async (name: string, owner: string, policy_name = name) => {
    const processor = { enrich: { policy_name, field: 'owner', target_field: 'found' } }
    const body = { pipeline: { processors: [processor] }, docs: [{ _source: { owner } }] }
    return (await send(name, '/_ingest/pipeline/_simulate', body)).text
  }
  const execute = (name: string, policyName: string) => send(name, `/_enrich/policy/${policyName}/_execute`, {})

  beforeAll(async () => {
    const [hiding] = granting({ term: { team: 'a' } }).indices
    const { field_security: _, ...documentsOnly } = hiding ?? {}
    for (const [name, indices] of Object.entries({ 'copies-all': hiding, 'copies-some': documentsOnly })) {
      await put(`/_security/role/${name}`, { cluster, indices: [indices] })
      await put(`/_security/user/${name}`, { password, roles: [name] })
    }
    await put('/_enrich/policy/of-administrator', policy)
    expect((await execute('', 'of-administrator')).status).toBe(200)
    await put('/_snapshot/copies', { type: 'fs', settings: { location: 'copies' } })
  })

  it('by enrich show what whoever made them may read', async () => {
    const simulate = await enriched('', 'nobody', 'of-administrator')
    expect(simulate).toContain(hidden)
    await put('/_enrich/policy/copies-some', policy)
    expect((await execute('copies-some', 'copies-some')).text).toBe('{"status":{"phase":"COMPLETE"}}')
    expect(await enriched('copies-some', 'named')).toContain('shown words')
    const other = await enriched('copies-some', 'nobody')
    expect([other.includes('"owner":"nobody"'), other.includes('found'), other.includes(hidden)]).toEqual([
      true,
      false,
      false,
    ])
  })

  it('by enrich are not made of an index with hidden fields', async () => {
    await put('/_enrich/policy/copies-all', policy)
    const answer = await execute('copies-all', 'copies-all')
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('security_exception')])
    expect(await enriched('copies-all', 'named')).toContain('no enrich index exists')
  })

  it('in snapshots are not shown, nor brought back, by who may only make them', async () => {
    for (const name of ['copies-all', 'copies-some']) {
      const body = { indices: 'logs-web', include_global_state: false }
      const made = await send(name, `/_snapshot/copies/of-${name}?wait_for_completion=true`, body)
      const shown = [made]
      for (const path of ['', '/_status']) shown.push(await send(name, `/_snapshot/copies/of-${name}${path}`))
      expect(shown.map(({ status }) => status)).toEqual([200, 200, 200])
      expect(shown.some(({ text }) => text.includes(hidden))).toBe(false)
      const rename = { rename_pattern: '(.+)', rename_replacement: `logs-${name}` }
      expect((await send(name, `/_snapshot/copies/of-${name}/_restore`, rename)).status).toBe(403)
    }
  })
})
