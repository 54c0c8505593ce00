import { describe, expect, it, vi } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()

const post = (...[path, request = {}]: Parameters<typeof send>) => send(path, { method: 'POST', ...request })

const fill = async (index: string, count: number): Promise<void> => {
  const lines = Array.from({ length: count }, (_, at) => `{"index":{"_id":"${at}"}}\n{"n":${at}}\n`)
  const headers = { 'content-type': 'application/x-ndjson' }
  await post(`/${index}/_bulk`, { headers, body: lines.join('') })
}

const member = (answer: { json(): unknown }, name: string): unknown => Object(answer.json())[name]

const countOf = async (index: string) => member(await send(`/${index}/_count`), 'count')

describe('by-query jobs', () => {
  it('run as tasks whose answer is kept', async () => {
    await fill('apart', 12)
    const started = await post('/apart/_delete_by_query?wait_for_completion=false&slices=3', {
      headers: { 'x-opaque-id': 'cleaning' },
      body: { query: { range: { n: { lt: 10 } } } },
    })
    expect(started.status).toBe(200)
    const { task } = started.json() as { task: string }
    expect(task).toMatch(/^[\w-]{22}:\d+$/)
    const ended = (await send(`/_tasks/${task}?wait_for_completion=true&timeout=2m`)).json()
    expect(ended).toMatchObject({
      completed: true,
      task: {
        action: 'indices:data/write/delete/byquery',
        description: 'delete-by-query [apart]',
        headers: { 'X-Opaque-Id': 'cleaning' },
        status: { total: 10, deleted: 10 },
      },
      response: { total: 10, deleted: 10, failures: [], slices: [{ slice_id: 0 }, { slice_id: 1 }, { slice_id: 2 }] },
    })
    expect(await countOf('apart')).toBe(2)
    expect((await send(`/_tasks/${task}`)).json()).toEqual(ended)
  })

  it('share the documents among slices without leaving or doubling one', async () => {
    await fill('sliced', 50)
    const answer = await post('/sliced/_update_by_query?slices=4', { body: { script: 'ctx._source.seen = true' } })
    const { slices, updated } = answer.json() as { slices: { total: number; updated: number }[]; updated: number }
    expect(updated).toBe(50)
    expect(slices.map((slice) => slice.total).reduce((sum, each) => sum + each, 0)).toBe(50)
    const hits = await post('/sliced/_count', { body: { query: { term: { seen: true } } } })
    expect(hits.json()).toMatchObject({ count: 50 })
  })

  it('take the part of the documents that a client names', async () => {
    await fill('parts', 30)
    const part = async (id: number) =>
      member(
        await post('/parts/_delete_by_query', { body: { slice: { id, max: 2 }, query: { match_all: {} } } }),
        'deleted',
      )
    const first = Number(await part(0))
    const again = Number(await part(0))
    const second = Number(await part(1))
    expect([first + second, again]).toEqual([30, 0])
  })
})

describe('slow by-query jobs', () => {
  it('stand in the list while they wait, take a new pace, and can be cancelled', async () => {
    await fill('slow', 3)
    const path = '/slow/_update_by_query?wait_for_completion=false&scroll_size=1&requests_per_second=0.00001'
    const { task } = (await post(path)).json() as { task: string }
    const listed = (await send('/_tasks?actions=*byquery&detailed=true&group_by=none')).json()
    expect(listed).toMatchObject({
      tasks: [{ action: 'indices:data/write/update/byquery', cancellable: true, cancelled: false }],
    })
    // Cancelled before it has counted, a job would answer no total.
    await vi.waitFor(
      async () =>
        expect((await send(`/_tasks/${task}`)).json()).toMatchObject({
          completed: false,
          task: { status: { total: 3 } },
        }),
      { timeout: 60_000, interval: 20 },
    )
    const paced = await post(`/_update_by_query/${task}/_rethrottle?requests_per_second=0.0001`)
    expect(Object.values(Object(member(paced, 'nodes')))).toMatchObject([{ tasks: { [task]: {} } }])
    const cancelled = await post(`/_tasks/${task}/_cancel?wait_for_completion=true`)
    expect(Object.values(Object(member(cancelled, 'nodes')))).toMatchObject([
      { tasks: { [task]: { cancelled: true } } },
    ])
    const kept = (await send(`/_tasks/${task}?wait_for_completion=true&timeout=2m`)).json()
    expect(kept).toMatchObject({ completed: true, response: { canceled: 'by user request', total: 3 } })
  })

  it('end soon after they are let go', async () => {
    await fill('freed', 3)
    const path = '/freed/_update_by_query?wait_for_completion=false&scroll_size=1&requests_per_second=0.00001'
    const { task } = (await post(path)).json() as { task: string }
    await post(`/_update_by_query/${task}/_rethrottle?requests_per_second=-1`)
    const kept = (await send(`/_tasks/${task}?wait_for_completion=true&timeout=2m`)).json()
    expect(kept).toMatchObject({ response: { updated: 3, batches: 3 } })
  })
})

describe('requests of by-query jobs', () => {
  it('copy the first documents of a sort', async () => {
    await fill('ordered', 20)
    const body = { max_docs: 3, source: { index: 'ordered', sort: { n: 'desc' }, size: 2 }, dest: { index: 'newest' } }
    expect((await post('/_reindex', { body })).json()).toMatchObject({ created: 3, batches: 2 })
    const found = (await send('/newest/_search?sort=n&filter_path=hits.hits._source')).json()
    expect(found).toEqual({ hits: { hits: [17, 18, 19].map((n) => ({ _source: { n } })) } })
  })

  it.each([
    ['requests_per_second=0', /must be a float greater than 0/],
    ['slices=none', /\[slices\] must be a positive integer or the string "auto"/],
    ['slices=2&max_docs=1', /\[max_docs\] should be >= \[slices\]/],
    ['conflicts=ignore', /conflicts may only be "proceed" or "abort" but was \[ignore\]/],
  ])('refuse %s', async (parameters, reason) => {
    const answer = await post(`/none/_update_by_query?${parameters}`)
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: { reason: expect.stringMatching(reason) } })
  })

  it.each([
    [{ source: {}, dest: {} }, /1: use _all if you really want .*2: index must be specified/],
    [{ source: { index: 'a', odd: [] }, dest: { index: 'b' } }, /Unknown key for a START_ARRAY in \[odd\]/],
    [{ source: { index: 'a', from: 1 }, dest: { index: 'b' } }, /from is not supported in this context/],
    [{ source: { index: 'a' }, dest: { index: 'b', odd: 1 } }, /\[dest\] unknown field \[odd\]/],
    [{ source: { index: 'a', remote: { host: 'other' } }, dest: { index: 'b' } }, /\[host\] must be of the form/],
    [
      { source: { index: 'a', remote: { host: 'http://other:9200' } }, dest: { index: 'b' } },
      /\[other:9200\] not whitelisted in reindex.remote.whitelist/,
    ],
  ])('refuse a copy of %j', async (body, reason) => {
    const answer = await post('/_reindex', { body })
    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({ error: { reason: expect.stringMatching(reason) } })
  })
})

it('says which shard failed where a script fails over a document of one of several', async () => {
  await send('/shards', { method: 'PUT', body: { settings: { number_of_shards: 2 } } })
  await send('/shards/_doc/1?refresh=true', { method: 'PUT', body: { n: 1 } })
  const script = { source: 'throw new IllegalArgumentException("Cats!")' }
  const answer = await post('/shards/_update_by_query', { body: { query: { script: { script } } } })
  const nodes = (await send('/_nodes')).json() as { readonly nodes: object }
  const [node] = Object.keys(nodes.nodes)
  expect(answer.json()).toMatchObject({
    error: {
      type: 'search_phase_execution_exception',
      reason: 'Partial shards failure',
      failed_shards: [{ shard: 0, index: 'shards', node, reason: { type: 'script_exception' } }],
    },
    status: 400,
  })
})

describe('_tasks', () => {
  it('lists itself, with what its caller calls it', async () => {
    const answer = await send('/_tasks?group_by=none', { headers: { 'x-opaque-id': 'me' } })
    expect(answer.headers['x-opaque-id']).toBe('me')
    expect(answer.json()).toMatchObject({
      tasks: [{ action: 'cluster:monitor/tasks/lists', headers: { 'X-Opaque-Id': 'me' }, cancellable: false }],
    })
  })

  it('knows no tasks of other times and forms', async () => {
    expect((await send('/_tasks/elsewhere:1')).json()).toMatchObject({
      error: { caused_by: { reason: "task [elsewhere:1] isn't running and hasn't stored its results" } },
      status: 404,
    })
    expect((await send('/_tasks/none')).json()).toMatchObject({ error: { reason: 'malformed task id none' } })
    expect((await post('/_tasks/_cancel?actions=none*')).json()).toEqual({ nodes: {} })
    expect((await post('/_tasks/elsewhere:1/_cancel')).json()).toMatchObject({
      nodes: {},
      node_failures: [{ caused_by: { reason: 'task [elsewhere:1] is not found' } }],
    })
  })
})

describe('a merge that nobody waits for', () => {
  const merge = async (index: string, options = '') => {
    const begun = await post(`/${index}/_forcemerge?wait_for_completion=false${options}`)
    expect(begun.status).toBe(200)
    return (await send(`/_tasks/${String(member(begun, 'task'))}?wait_for_completion=true`)).json()
  }

  it('is a task, which says what was asked for', async () => {
    await fill('merged', 1)
    expect(await merge('merged', '&max_num_segments=1&primary_only=true')).toMatchObject({
      completed: true,
      task: {
        action: 'indices:admin/forcemerge',
        description:
          'Force-merge indices [merged], maxSegments[1], onlyExpungeDeletes[false], flush[true], primaryOnly[true]',
      },
      response: { _shards: { total: 1, successful: 1, failed: 0 } },
    })
  })

  it('fails in its task when there is no such index', async () => {
    const ended = await merge('missing,merged')
    expect(ended).toMatchObject({
      completed: true,
      task: { description: expect.stringContaining('Force-merge indices [missing, merged], maxSegments[-1]') },
      error: { type: 'index_not_found_exception', reason: 'no such index [missing]' },
    })
    expect(ended).not.toHaveProperty('response')
    expect((await post('/missing/_forcemerge')).status).toBe(404)
    const wrong = await post('/missing/_forcemerge?wait_for_completion=false&only_expunge_deletes&max_num_segments=1')
    expect(wrong.status).toBe(400)
    for (const left of [{ acknowledged: true }, { acknowledged: true }]) {
      expect((await send('/.tasks?ignore_unavailable=true', { method: 'DELETE' })).json()).toEqual(left)
    }
  })
})
