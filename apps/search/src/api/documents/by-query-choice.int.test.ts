import { describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()

const post = (path: string, body: object = {}) => send(path, { method: 'POST', body })

async function fill(index: string, count: number): Promise<void> {
  const time = (at: number) => new Date(Date.UTC(2026, 0, 1 + at)).toISOString()
  const lines = Array.from(
    { length: count },
    (_, at) => `{"index":{"_id":"${at}"}}\n{"n":${at},"@timestamp":"${time(at)}"}\n`,
  )
  const headers = { 'content-type': 'application/x-ndjson' }
  await send(`/${index}/_bulk?refresh=true`, { method: 'POST', headers, body: lines.join('') })
}

async function left(index: string): Promise<unknown> {
  const answer = await post(`/${index}/_search`, { sort: ['n'], size: 100 })
  const { hits } = answer.json() as { hits: { hits: { _source: { n: number } }[] } }
  return hits.hits.map(({ _source }) => _source.n)
}

const all = { query: { match_all: {} } }

describe('which documents a job takes', () => {
  it('are the first of its sort, of the URL and of the body', async () => {
    await fill('sorted', 6)
    expect((await post('/sorted/_delete_by_query?max_docs=2&sort=n:desc', all)).json()).toMatchObject({ deleted: 2 })
    expect(await left('sorted')).toEqual([0, 1, 2, 3])
    const body = { script: "ctx.op = 'delete'", sort: [{ n: 'desc' }], max_docs: 1 }
    expect((await post('/sorted/_update_by_query', body)).json()).toMatchObject({ deleted: 1 })
    expect(await left('sorted')).toEqual([0, 1, 2])
    await post('/sorted/_delete_by_query?max_docs=1&sort=_doc', all)
    expect(await left('sorted')).toEqual([1, 2])
  })

  it('are as many of each shard as terminate_after says', async () => {
    await fill('enough-1', 5)
    await fill('enough-2', 5)
    expect((await post('/enough-1/_delete_by_query?terminate_after=2', all)).json()).toMatchObject({ deleted: 2 })
    expect(await left('enough-1')).toHaveLength(3)
    const both = await post('/enough-*/_update_by_query?scroll_size=2', { terminate_after: 3 })
    expect(both.json()).toMatchObject({ total: 6, updated: 6 })
    expect((await post('/enough-1/_delete_by_query?terminate_after=-1', all)).status).toBe(400)
  })

  it('are not all of them where a slice is named beside workers', async () => {
    await fill('sliced', 10)
    const answer = await post('/sliced/_delete_by_query?slices=2', { ...all, slice: { id: 0, max: 2 } })
    expect(answer.json()).toMatchObject({
      error: { reason: "Validation Failed: 1: can't specify both manual and automatic slicing at the same time;" },
      status: 400,
    })
    expect(await left('sliced')).toHaveLength(10)
  })

  it('are worked on by whole numbers at a time', async () => {
    await fill('portions', 3)
    const copy = (size: unknown) => post('/_reindex', { source: { index: 'portions', size }, dest: { index: 'whole' } })
    expect((await copy(1.9)).json()).toMatchObject({ created: 3, batches: 3 })
    for (const size of [1e-320, 0.5, 0, -1]) {
      const answer = await copy(size)
      expect([answer.status, (answer.json() as { error: { reason: string } }).error.reason]).toEqual([
        400,
        expect.stringContaining('batch size must be'),
      ])
    }
  })

  it('are read with the analyzer that is named', async () => {
    await send('/analyzed', { method: 'PUT', body: { mappings: { properties: { t: { type: 'text' } } } } })
    await send('/analyzed/_doc/1?refresh=true', { method: 'PUT', body: { t: 'monkeys' } })
    const answer = await send('/analyzed/_delete_by_query?q=monkeys&df=t&analyzer=english', { method: 'POST' })
    expect(answer.json()).toMatchObject({ total: 0 })
  })

  it('are none of an index that must not be read', async () => {
    await fill('blocked', 2)
    await send('/blocked/_settings', { method: 'PUT', body: { 'index.blocks.read': true } })
    for (const route of ['_update_by_query', '_delete_by_query'])
      expect((await post(`/blocked/${route}`, all)).json()).toMatchObject({
        error: { type: 'cluster_block_exception' },
      })
    await send('/blocked/_settings', { method: 'PUT', body: { 'index.blocks.read': false } })
    expect(await left('blocked')).toHaveLength(2)
  })
})

describe('a copy', () => {
  const copy = (dest: object) => post('/_reindex', { source: { index: 'from' }, dest })

  it('overwrites nothing where it does not understand how it is to write', async () => {
    await fill('from', 2)
    await send('/kept/_doc/0?refresh=true', { method: 'PUT', body: { n: 'kept' } })
    const refused = async (dest: object) => (await copy({ index: 'kept', ...dest })).status
    expect(await refused({ op_type: 'CREATE' })).toBe(409)
    expect(await refused({ op_type: 'creat' })).toBe(400)
    expect(await refused({ op_type: 'delete' })).toBe(400)
    expect(await refused({ version_type: 'extern' })).toBe(400)
    expect(await refused({ version_type: 'external_gt' })).toBe(409)
    expect((await send('/kept/_source/0')).json()).toEqual({ n: 'kept' })
  })

  it('does not go where it is read from, by no name', async () => {
    await fill('ring', 2)
    await post('/_aliases', { actions: [{ add: { index: 'ring', alias: 'ring-alias' } }] })
    const template = { index_patterns: ['ring-stream'], data_stream: {}, priority: 500 }
    await send('/_index_template/ring', { method: 'PUT', body: template })
    await post('/ring-stream/_doc?refresh=true', { '@timestamp': '2026-01-01' })
    for (const [from, to, index] of [
      ['ring', 'ring-alias', 'ring'],
      ['ring-alias', 'ring', 'ring'],
      ['ring-stream', 'ring-stream', '.ds-ring-stream'],
    ] as const) {
      const answer = await post('/_reindex', { source: { index: from }, dest: { index: to, op_type: 'create' } })
      expect(answer.text).toContain(`reindex cannot write into an index its reading from [${index}`)
    }
  })
})
