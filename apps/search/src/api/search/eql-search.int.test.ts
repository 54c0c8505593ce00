import { beforeAll, describe, expect, it } from 'vitest'
import { sampleEvents } from '../../eql/sample-events.fixture.ts'

const { send, eql, found } = sampleEvents()

describe('a request', () => {
  it('shows events as they were written, with fields, a filter and runtime fields', async () => {
    const written = '{"@timestamp":"2026-11-21T10:00:00Z","n":9007199254740993,"f":1.0}'
    await send('/exact/_doc/1', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: written })
    const more = {
      fields: ['twice', { field: '@timestamp', format: 'epoch_millis' }],
      filter: { range: { '@timestamp': { gte: '2026-11-21' } } },
      runtime_mappings: { twice: { type: 'long', script: { source: 'emit(2)' } } },
    }
    const answer = await send('/exact/_eql/search', {
      method: 'POST',
      body: { query: 'any where twice == 2', ...more },
    })
    expect(answer.text).toContain(`"_source":${written}`)
    expect(answer.json()).toEqual({
      is_partial: false,
      is_running: false,
      took: expect.any(Number),
      timed_out: false,
      hits: {
        total: { value: 1, relation: 'eq' },
        events: [
          {
            _index: 'exact',
            _id: '1',
            _source: expect.anything(),
            fields: { twice: [2], '@timestamp': ['1795255200000'] },
          },
        ],
      },
    })
  })

  it.each([
    ['any where true', {}, 'a,b,c,d,e'],
    ['any where true', { size: 2 }, 'd,e'],
    ['any where true', { size: 2, result_position: 'head' }, 'a,b'],
    ['any where true | head 3', { size: 2 }, 'b,c'],
    ['any where true | head 3', { size: 2, result_position: 'head' }, 'a,b'],
    ['any where true | tail 3 | head 2', {}, 'c,d'],
    ['any where true | head 4 | tail 2', {}, 'c,d'],
    ['any where true | head 0', {}, ''],
    ['any where true', { filter: { term: { name: 'cmd.exe' } } }, 'a'],
  ])('takes as many as asked: %s %j', async (query, more, ids) => {
    expect(await found(query, more)).toBe(ids)
  })

  it('is a GET too, and is filtered', async () => {
    const source = encodeURIComponent(JSON.stringify({ query: 'process where true' }))
    const path = `/events/_eql/search?source=${source}&source_content_type=application/json&filter_path=hits.events._id`
    expect((await send(path)).json()).toEqual({ hits: { events: [{ _id: 'a' }, { _id: 'b' }] } })
    const parameters =
      'ccs_minimize_roundtrips=true&allow_no_indices=true&expand_wildcards=open&ignore_unavailable=false'
    expect((await eql('any where true', {}, `/events/_eql/search?${parameters}`)).status).toBe(200)
    expect((await eql('any where true', {}, '/events/_eql/search?nonsense=1')).status).toBe(400)
  })

  it('goes without indices that are not there, but not without any', async () => {
    expect((await eql('any where pid == 10', {}, '/events,missing/_eql/search')).body.hits?.events).toHaveLength(1)
    const strict = '/events,missing/_eql/search?ignore_unavailable=false'
    expect((await eql('any where pid == 10', {}, strict)).status).toBe(404)
    for (const path of ['/missing/_eql/search', '/missing-*/_eql/search'])
      expect(await eql('any where pid == 10', {}, path)).toMatchObject({
        status: 404,
        body: { error: { type: 'index_not_found_exception' } },
      })
    // As alerts ask for indices that may not be there yet.
    const lenient = '/missing-*/_eql/search?ignore_unavailable=true'
    expect(await eql('any where pid == 10', {}, lenient)).toMatchObject({ status: 200, body: { hits: { events: [] } } })
    expect(await eql('sequence [any where true] [any where true]', {}, lenient)).toMatchObject({
      body: { hits: { total: { value: 0, relation: 'eq' }, sequences: [] } },
    })
  })
})

describe('in the background', () => {
  it('goes on after its answer, is asked for by its id, tells its state and is deleted', async () => {
    const parameters = 'wait_for_completion_timeout=0ms&keep_on_completion=true&keep_alive=2m'
    const begun = await eql('any where pid == 10', {}, `/events/_eql/search?${parameters}`)
    const path = `/_eql/search/${begun.body.id}`
    const ended = (await send(path)).json() as Awaited<ReturnType<typeof eql>>['body']
    expect(ended).toMatchObject({ id: begun.body.id, is_running: false, is_partial: false })
    expect(ended.hits?.events?.map(({ _id }) => _id)).toEqual(['a'])
    expect((await send(`/_eql/search/status/${begun.body.id}`)).json()).toEqual({
      id: begun.body.id,
      is_running: false,
      is_partial: false,
      start_time_in_millis: expect.any(Number),
      expiration_time_in_millis: expect.any(Number),
      completion_status: 200,
    })
    expect((await send(`/_async_search/${begun.body.id}`)).status).toBe(404)
    expect((await send(path, { method: 'DELETE' })).json()).toEqual({ acknowledged: true })
    expect((await send(path)).status).toBe(404)
  })

  it('is not kept when it ends in time, unless that is asked for', async () => {
    const { body } = await eql('any where true', { wait_for_completion_timeout: '60s' })
    expect(body).toMatchObject({ is_running: false })
    expect(body.id).toBeUndefined()
    const kept = await eql('any where true', { wait_for_completion_timeout: '60s', keep_on_completion: true })
    expect(kept.body.id).toEqual(expect.any(String))
    const waited = await eql('any where length(name) > 3', {}, '/events/_eql/search?keep_on_completion=true')
    expect(waited.body).toMatchObject({ is_running: false, id: expect.any(String), hits: { total: { value: 3 } } })
    const long = '/events/_eql/search?wait_for_completion_timeout=100d'
    expect((await eql('any where length(name) > 2', {}, long)).body).toMatchObject({ is_running: false })
    const failed = await eql('any where x == 1', { wait_for_completion_timeout: '60s', keep_on_completion: true })
    expect(failed).toMatchObject({ status: 400, body: { error: { type: 'verification_exception' } } })
  })
})

describe('the rights of the caller', () => {
  const auth = 'reader:password-of-reader'
  const ids = async (query: string) => {
    const { body } = await eql(query, {}, '/events/_eql/search', auth)
    const shown = body.hits?.events ?? body.hits?.sequences?.flatMap(({ events }) => events)
    return body.error?.reason ?? shown?.map(({ _id }) => _id).join()
  }

  beforeAll(async () => {
    const indices = [
      {
        names: ['events'],
        privileges: ['read'],
        query: { range: { pid: { lt: 25 } } },
        field_security: { grant: ['*'], except: ['path', 'ip'] },
      },
    ]
    await send('/_security/role/part', { method: 'PUT', body: { indices } })
    await send('/_security/user/reader', { method: 'PUT', body: { password: 'password-of-reader', roles: ['part'] } })
  })

  it('hold for documents and fields', async () => {
    expect(await ids('any where true')).toBe('a,b,e')
    expect(await ids('sequence [any where pid == 10] [any where true]')).toBe('a,b')
    expect(await ids('sequence [any where pid == 20] [any where pid == 30]')).toBe('')
    expect(await ids('any where path : "*"')).toBe('Found 1 problem\nline 1:11: Unknown column [path]')
    expect(await ids('any where pth : "*"')).toBe('Found 1 problem\nline 1:11: Unknown column [pth]')
    expect(await ids('any where ?path == null')).toBe('a,b,e')
    expect(await ids('any where stringContains(path, name)')).toContain('Unknown column [path]')
    expect(await ids('sequence by path [any where true] [any where true]')).toContain('Unknown column [path]')
    const { body } = await eql('any where pid == 10', { fields: ['path', 'pid'] }, '/events/_eql/search', auth)
    expect(body.hits?.events).toMatchObject([
      { _source: expect.not.objectContaining({ path: expect.anything() }), fields: { pid: [10] } },
    ])
    expect(body.hits?.events?.[0]?.fields).not.toHaveProperty('path')
  })

  it('are asked for by the name of the index, and a search in the background is its owner’s', async () => {
    expect(await eql('any where true', {}, '/exact/_eql/search', auth)).toMatchObject({ status: 404 })
    const { body } = await eql('any where true', { wait_for_completion_timeout: '60s', keep_on_completion: true })
    expect((await send(`/_eql/search/${body.id}`, { auth })).status).toBe(404)
    expect((await send(`/_eql/search/status/${body.id}`, { auth })).status).toBe(404)
  })
})

describe('indices that cannot be read', () => {
  const path = '/events,plain/_eql/search'
  const filter = { bool: { must_not: { term: { ip: 'no address' } } } }
  const two = 'sequence [any where true] [any where true]'

  beforeAll(async () => {
    const properties = { '@timestamp': { type: 'date' }, ip: { type: 'keyword' } }
    await send('/plain', { method: 'PUT', body: { mappings: { properties } } })
    for (const id of ['1', '2']) await send(`/plain/_doc/${id}`, { method: 'PUT', body: { '@timestamp': Number(id) } })
  })

  it('fail a request, unless it goes without them', async () => {
    expect(await eql('any where true', { filter }, path)).toMatchObject({ status: 400 })
    const partial = { filter, allow_partial_search_results: true }
    const { body } = await eql('any where true', partial, path)
    expect(body).toMatchObject({ is_partial: true, shard_failures: [{ index: 'events' }] })
    expect(body.hits?.events).toMatchObject([{ _id: '1' }, { _id: '2' }])
    expect((await eql(two, partial, path)).body).toMatchObject({ is_partial: true, hits: { sequences: [] } })
    const whole = await eql(two, partial, `${path}?allow_partial_sequence_results=true`)
    expect(whole.body).toMatchObject({ is_partial: true, shard_failures: [{ index: 'events' }] })
    expect(whole.body.hits?.sequences).toMatchObject([{ events: [{ _id: '1' }, { _id: '2' }] }])
  })
})

describe('a right that is taken away', () => {
  it('ends the answers that were made with it', async () => {
    const role = (privileges: readonly string[]) => ({ indices: [{ names: ['events'], privileges }] })
    await send('/_security/role/passing', { method: 'PUT', body: role(['read']) })
    await send('/_security/user/guest', { method: 'PUT', body: { password: 'password-of-guest', roles: ['passing'] } })
    const auth = 'guest:password-of-guest'
    const kept = await eql('any where true', { keep_on_completion: true }, '/events/_eql/search', auth)
    expect((await send(`/_eql/search/${kept.body.id}`, { auth })).status).toBe(200)
    await send('/_security/role/passing', { method: 'PUT', body: role(['monitor']) })
    expect((await send(`/_eql/search/${kept.body.id}`, { auth })).status).toBe(403)
    expect((await send(`/_eql/search/${kept.body.id}`, { auth })).status).toBe(404)
  })
})
