import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** What a role hides stays hidden, whatever is asked: documents by a query, fields by a list. */

const hidden = 'zq-hidden'
let search: TestSearch
let client: WireClient
const reader = 'reader:password-of-reader'
const byAlias = 'aliased:password-of-aliased'

const put = (path: string, body: object) => client.send(path, { method: 'PUT', body })
const ask = async (path: string, body: object, auth = reader) => client.send(path, { method: 'POST', body, auth })

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  const keyword = { type: 'keyword' }
  const text = { type: 'text', fields: { raw: keyword }, copy_to: 'everything' }
  const nested = { type: 'nested', properties: { secret: keyword, open: keyword } }
  const properties = {
    team: keyword,
    open: text,
    secret: text,
    everything: { type: 'text' },
    n: { type: 'long' },
    parts: nested,
  }
  await put('/logs-web', { mappings: { properties }, aliases: { 'logs-view': {} } })
  const parts = [{ secret: hidden, open: 'part' }]
  await put('/logs-web/_doc/1', { team: 'a', open: 'shown words', secret: `${hidden} one`, n: 1, parts })
  await put('/logs-web/_doc/2', { team: 'b', open: `${hidden} two`, secret: `${hidden} three`, n: 2, parts })
  await client.send('/_refresh', { method: 'POST' })
  const field_security = { grant: ['*'], except: ['secret', 'everything', 'parts.secret'] }
  const grant = { privileges: ['read', 'view_index_metadata'], query: { term: { team: 'a' } }, field_security }
  await put('/_security/role/team-a', { indices: [{ names: ['logs-web'], ...grant }] })
  await put('/_security/role/team-a-view', { indices: [{ names: ['logs-view'], ...grant }] })
  await put('/_security/user/reader', { password: 'password-of-reader', roles: ['team-a'] })
  await put('/_security/user/aliased', { password: 'password-of-aliased', roles: ['team-a-view'] })
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

const script = (source: string) => ({ script: { source, lang: 'painless' } })
const bodies: Readonly<Record<string, object>> = {
  all: {},
  'fields *': { fields: ['*'], _source: false },
  docvalue_fields: { docvalue_fields: ['secret.raw', 'open.raw'] },
  stored_fields: { stored_fields: ['*'] },
  '_source includes': { _source: ['secret*', 'parts*'] },
  highlight: {
    query: { query_string: { query: `${hidden}*` } },
    highlight: { fields: { '*': {} }, require_field_match: false },
  },
  terms: {
    size: 0,
    aggs: { a: { terms: { field: 'secret.raw' } }, b: { terms: { field: 'open.raw', min_doc_count: 0 } } },
  },
  global: { size: 0, aggs: { a: { global: {}, aggs: { b: { terms: { field: 'open.raw' } } } } } },
  'top hits': { size: 0, aggs: { a: { top_hits: { _source: true, size: 10 } } } },
  'top metrics': { size: 0, aggs: { a: { top_metrics: { metrics: { field: 'secret.raw' }, sort: { n: 'desc' } } } } },
  significant: { size: 0, aggs: { a: { significant_terms: { field: 'open.raw', min_doc_count: 1 } } } },
  filters: {
    size: 0,
    aggs: { a: { filters: { filters: { x: { match_all: {} } } }, aggs: { b: { terms: { field: 'secret.raw' } } } } },
  },
  composite: { size: 0, aggs: { a: { composite: { sources: [{ s: { terms: { field: 'secret.raw' } } }] } } } },
  nested: { size: 0, aggs: { a: { nested: { path: 'parts' }, aggs: { b: { terms: { field: 'parts.secret' } } } } } },
  'inner hits': { query: { nested: { path: 'parts', query: { match_all: {} }, inner_hits: {} } } },
  collapse: { collapse: { field: 'secret.raw' } },
  sort: { sort: [{ 'secret.raw': { order: 'asc', unmapped_type: 'keyword' } }] },
  'script field': { script_fields: { s: script("doc['secret.raw'].size() == 0 ? '' : doc['secret.raw'].value") } },
  'script field of the source': {
    script_fields: { s: script("params['_source'] == null ? '' : params['_source']['secret']") },
  },
  'script sort': {
    sort: { _script: { type: 'string', ...script("doc['secret.raw'].size() == 0 ? '' : doc['secret.raw'].value") } },
  },
  'runtime field': {
    runtime_mappings: { r: { type: 'keyword', ...script("emit(doc['secret.raw'].value)") } },
    fields: ['r'],
  },
  'runtime field of the source': {
    runtime_mappings: { r: { type: 'keyword', ...script("emit(params._source['secret'])") } },
    fields: ['r'],
  },
  'runtime aggregation': {
    size: 0,
    runtime_mappings: { r: { type: 'keyword', ...script("emit(doc['secret.raw'].value)") } },
    aggs: { a: { terms: { field: 'r' } } },
  },
  'term suggester': {
    suggest: { s: { text: 'zq-hiddem', term: { field: 'secret', suggest_mode: 'always', min_word_length: 2 } } },
  },
  'phrase suggester': { suggest: { s: { text: 'hiddem thre', phrase: { field: 'secret' } } } },
  explanation: { explain: true, query: { match: { secret: 'hidden' } } },
  profile: { profile: true, query: { match: { open: 'shown' } } },
  rescore: {
    query: { match_all: {} },
    rescore: { window_size: 5, query: { rescore_query: { match: { secret: 'hidden' } } } },
  },
}

/** Queries that find the visible document only through what is hidden: they must find nothing. */
const probes: Readonly<Record<string, object>> = {
  match: { match: { secret: 'hidden' } },
  'multi-field': { prefix: { 'secret.raw': hidden } },
  copied: { match: { everything: 'hidden' } },
  exists: { exists: { field: 'secret' } },
  query_string: { query_string: { query: 'hidden' } },
  'query_string of a field': { query_string: { query: 'secret:hidden' } },
  simple_query_string: { simple_query_string: { query: 'hidden', fields: ['*'] } },
  multi_match: { multi_match: { query: 'hidden', fields: ['*'] } },
  wildcard: { wildcard: { 'secret.raw': '*hidden*' } },
  regexp: { regexp: { 'secret.raw': '.*hidden.*' } },
  fuzzy: { fuzzy: { secret: 'hiddem' } },
  nested: { nested: { path: 'parts', query: { term: { 'parts.secret': hidden } } } },
  script: { script: script("doc['secret.raw'].size() > 0") },
  'other documents': { term: { team: 'b' } },
  ids: { ids: { values: ['2'] } },
  'terms lookup': { terms: { 'open.raw': { index: 'logs-web', id: '2', path: 'open' } } },
}

describe.each([
  ['a role of the index', '/logs-web', reader],
  ['a role of an alias', '/logs-view', byAlias],
])('%s', (_, path, auth) => {
  it.each(Object.entries(bodies))('shows nothing that is hidden: %s', async (_name, body) => {
    const answer = await ask(`${path}/_search`, body, auth)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain(hidden)
  })

  it.each(Object.entries(probes))('finds nothing by what is hidden: %s', async (_name, query) => {
    const answer = await ask(`${path}/_count`, { query }, auth)
    expect(answer.status).toBeLessThan(500)
    if (answer.status === 200) expect(answer.json()).toMatchObject({ count: 0 })
  })

  it('counts the shown documents only, and shows them', async () => {
    expect((await ask(`${path}/_count`, {}, auth)).json()).toMatchObject({ count: 1 })
    expect((await ask(`${path}/_search`, {}, auth)).json()).toMatchObject({
      hits: { hits: [{ _id: '1', _source: { open: 'shown words' } }] },
    })
  })

  it.each([
    '/_doc/2',
    '/_source/2',
    '/_source/1',
    '/_mget?ids=1,2',
    '/_field_caps?fields=*',
    '/_mapping/field/secret',
    '/_termvectors/2',
    '/_search?q=hidden',
    '/_validate/query?q=hidden&explain=true',
  ])('shows nothing by GET %s', async (asked) => {
    const answer = await client.send(`${path}${asked}`, { auth })
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain(hidden)
  })
})

describe('acting as another user', () => {
  const authenticate = (auth: string, name: string) =>
    client.send('/_security/_authenticate', { auth, headers: { 'es-security-runas-user': name } })

  it('is for those whose roles name that user, and refused to all others, also for users that are not there', async () => {
    const admin = `${search.username}:${search.password}`
    expect((await authenticate(admin, 'reader')).json()).toMatchObject({ username: 'reader', roles: ['team-a'] })
    const found = await client.send('/logs-web/_count', {
      auth: admin,
      headers: { 'es-security-runas-user': 'reader' },
    })
    expect(found.json()).toMatchObject({ count: 1 })
    for (const name of [search.username, 'nobody']) {
      const refused = await authenticate(reader, name)
      expect(refused.status).toBe(403)
      expect(refused.json()).toMatchObject({
        error: {
          type: 'security_exception',
          reason: expect.stringContaining(`user [reader] is unauthorized to run as [${name}]`),
        },
      })
    }
    expect((await authenticate(admin, 'nobody')).status).toBe(403)
  })
})
