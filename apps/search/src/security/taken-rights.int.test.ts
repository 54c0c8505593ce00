import { startSearch, type TestSearch } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type WireClient, wireClient } from '../testing/https-client.ts'

/** Rights that change while a search goes on, and what the documents a role hides still do to those it shows. */

let search: TestSearch
let client: WireClient
const password = 'password-of-all'
const ofTeam = (query: unknown) => ({ indices: [{ names: ['logs-*'], privileges: ['read', 'write'], query }] })

async function send(method: string, path: string, body?: object, name?: string) {
  const auth = name === undefined ? {} : { auth: `${name}:${password}` }
  const answer = await client.send(path, { method, ...(body === undefined ? {} : { body }), ...auth })
  return { status: answer.status, body: answer.json() as Record<string, unknown>, text: answer.text }
}

const role = (name: string, body: object) => send('PUT', `/_security/role/${name}`, body)
const ids = (text: string) => [...text.matchAll(/"_id":"(\w+)"/gu)].map(([, id]) => id)

beforeAll(async () => {
  search = await startSearch()
  const auth = `${search.username}:${search.password}`
  client = wireClient({ port: Number(new URL(search.url).port), ca: search.ca, auth })
  const mappings = { properties: { team: { type: 'keyword' }, message: { type: 'text' }, n: { type: 'long' } } }
  for (const name of ['logs-web', 'shown-only']) await send('PUT', `/${name}`, { mappings })
  for (const id of [1, 2, 3, 4, 5, 6]) {
    const team = id <= 3 ? 'a' : 'b'
    await send('PUT', `/logs-web/_doc/${id}`, { team, message: id === 1 ? 'rare word' : `common word ${team}`, n: id })
  }
  for (const id of [1, 2, 3])
    await send('PUT', `/shown-only/_doc/${id}`, { team: 'a', message: id === 1 ? 'rare word' : 'common word a', n: id })
  await send('POST', '/_refresh')
  for (const name of ['reader', 'other']) {
    await role(name, ofTeam({ term: { team: 'a' } }))
    await send('PUT', `/_security/user/${name}`, { password, roles: [name] })
  }
})

afterAll(async () => {
  client?.close()
  await search?.stop()
})

describe('a scroll and a point in time', () => {
  async function open() {
    const scroll = await send('POST', '/logs-web/_search?scroll=1m', { size: 1, sort: ['n'] }, 'reader')
    const pit = await send('POST', '/logs-web/_pit?keep_alive=1m', undefined, 'reader')
    const next = (name: string) => send('POST', '/_search/scroll', { scroll_id: scroll.body['_scroll_id'] }, name)
    const again = (name: string) => send('POST', '/_search', { pit: { id: pit.body['id'] }, sort: ['n'] }, name)
    return { next, again }
  }

  it('end for who lost the right to read, and are nobody else’s', async () => {
    const { next, again } = await open()
    expect(ids((await again('reader')).text)).toEqual(['1', '2', '3'])
    expect([(await next('other')).status, (await again('other')).status]).toEqual([404, 404])
    await role('reader', { indices: [] })
    for (const answer of [await next('reader'), await again('reader')]) {
      expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('security_exception')])
      expect(ids(answer.text)).toEqual([])
    }
    await role('reader', ofTeam({ term: { team: 'a' } }))
    expect(ids((await next('reader')).text)).toEqual(['2'])
  })

  it('are like searches in the background, whose answers are for who asked alone', async () => {
    const started = await send(
      'POST',
      '/logs-web/_async_search?keep_on_completion=true&wait_for_completion_timeout=10s',
      { sort: ['n'] },
      'reader',
    )
    expect(ids(started.text)).toEqual(['1', '2', '3'])
    const path = `/_async_search/${String(started.body['id'])}`
    expect(ids((await send('GET', path, undefined, 'reader')).text)).toEqual(['1', '2', '3'])
    for (const asked of [path, path.replace('_async_search/', '_async_search/status/')]) {
      const answer = await send('GET', asked, undefined, 'other')
      expect([answer.status, ids(answer.text)]).toEqual([404, []])
    }
    await role('reader', { indices: [] })
    const later = await send('GET', path, undefined, 'reader')
    await role('reader', ofTeam({ term: { team: 'a' } }))
    expect([later.status, ids(later.text)]).toEqual([403, []])
  })

  it('go on with what the role shows now', async () => {
    const { next, again } = await open()
    await role('reader', ofTeam({ term: { n: 3 } }))
    expect(ids((await next('reader')).text)).toEqual(['3'])
    expect(ids((await again('reader')).text)).toEqual(['3'])
    await role('reader', ofTeam({ term: { team: 'a' } }))
  })
})

describe('documents that a role hides', () => {
  it('count in no score and no statistics of words', async () => {
    const body = { query: { match: { message: 'common word' } }, sort: ['_score', 'n'] }
    const scores = (text: string) => [...text.matchAll(/"_score":([\d.]+)/gu)].map(([, score]) => score)
    const seen = await send('POST', '/logs-web/_search', body, 'reader')
    const alone = await send('POST', '/shown-only/_search', body)
    const all = await send('POST', '/logs-web/_search', body)
    expect(scores(seen.text)).toEqual(scores(alone.text))
    expect(scores(all.text).slice(0, 2)).not.toEqual(scores(alone.text).slice(0, 2))
    const vectors = { doc: { message: 'common b' }, fields: ['message'], term_statistics: true }
    const counted = await send('POST', '/logs-web/_termvectors', vectors, 'reader')
    expect(counted.body).toMatchObject({
      term_vectors: {
        message: { field_statistics: { doc_count: 3 }, terms: { b: { doc_freq: 0 }, common: { doc_freq: 2 } } },
      },
    })
  })

  it('are read by id by nobody, also where they are new', async () => {
    await send('PUT', '/logs-web/_doc/7', { team: 'b', n: 7 }, 'reader')
    expect((await send('GET', '/logs-web/_doc/7', undefined, 'reader')).body).toEqual({
      ...{ _index: 'logs-web', _id: '7', found: false },
    })
    await send('PUT', '/logs-web/_doc/7', { team: 'a', n: 7 }, 'reader')
    expect((await send('GET', '/logs-web/_doc/7', undefined, 'reader')).body).toMatchObject({ _source: { n: 7 } })
    await send('DELETE', '/logs-web/_doc/7?refresh=true')
  })
})

describe('documents that a role hides, in requests that write,', () => {
  it('are neither copied, changed nor deleted', async () => {
    const copied = await send(
      'POST',
      '/_reindex?refresh=true',
      { source: { index: 'logs-web' }, dest: { index: 'logs-copy' } },
      'reader',
    )
    expect([copied.status, copied.body['error'] ?? copied.body['total']]).toEqual([403, expect.anything()])
    await role('reader', {
      indices: [...ofTeam({ term: { team: 'a' } }).indices, { names: ['logs-copy'], privileges: ['all'] }],
    })
    const allowed = await send(
      'POST',
      '/_reindex?refresh=true',
      { source: { index: 'logs-web' }, dest: { index: 'logs-copy' } },
      'reader',
    )
    expect(allowed.body).toMatchObject({ total: 3, created: 3 })
    const script = { source: 'ctx._source.seen = true' }
    const updated = await send('POST', '/logs-web/_update_by_query?refresh=true', { script }, 'reader')
    expect(updated.body).toMatchObject({ total: 3, updated: 3 })
    expect((await send('GET', '/logs-web/_count?q=seen:true')).body).toMatchObject({ count: 3 })
    const deleted = await send(
      'POST',
      '/logs-copy,logs-web/_delete_by_query?refresh=true',
      { query: { term: { n: 6 } } },
      'reader',
    )
    expect(deleted.body).toMatchObject({ total: 0 })
    const one = await send('POST', '/logs-web/_update/5', { doc: { n: 1 } }, 'reader')
    expect(one.status).toBe(403)
  })

  it('stay as they are for a role that hides a field, too', async () => {
    await role('fields', {
      indices: [{ names: ['logs-*'], privileges: ['all'], field_security: { grant: ['*'], except: ['team'] } }],
    })
    await send('PUT', '/_security/user/fields', { password, roles: ['fields'] })
    const requests = {
      '/_reindex': { source: { index: 'logs-web' }, dest: { index: 'logs-b' } },
      '/logs-web/_update_by_query': {},
      '/logs-web/_delete_by_query': { query: { match_all: {} } },
      '/logs-web/_update/1': { doc: { n: 9 } },
    }
    for (const [path, body] of Object.entries(requests))
      expect([path, (await send('POST', path, body, 'fields')).status]).toEqual([path, 403])
  })
})

describe('the query of a role', () => {
  it.each([
    ['{"term":', 'failed to parse role query'],
    [{ term: { team: 'a' }, match_all: {} }, "failed to parse field 'query' for indices [logs-*]"],
    [{ no_such_clause: {} }, 'no_such_clause'],
    [{ bool: { filter: { script: { script: 'true' } } } }, '[script] is not supported'],
    [{ terms: { team: { index: 'logs-web', id: '1', path: 'team' } } }, 'terms lookup'],
    [{ template: { source: '{"term": {{#open}}' } }, 'failed to parse role query'],
    [{ template: { text: '{}' } }, '[source]'],
  ])('is refused when the role is written: %j', async (query, why) => {
    const answer = await role('wrong', ofTeam(query))
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(why)])
    expect((await send('GET', '/_security/role/wrong')).status).toBe(404)
  })
})
