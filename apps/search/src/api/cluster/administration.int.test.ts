import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const put = (path: string, body: object = {}) => send(path, { method: 'PUT', body })
const json = async (path: string) => (await send(path)).json()
const oneNode = async (path: string): Promise<unknown> => Object.values(Object(Object(await json(path)).nodes))[0]

describe('resizing', () => {
  beforeAll(async () => {
    await put('/_index_template/other', { index_patterns: ['copy-*'], template: { settings: { 'index.priority': 7 } } })
    await put('/whole', { settings: { number_of_shards: 4 }, mappings: { properties: { a: { type: 'keyword' } } } })
    for (const id of ['1', '2', '3']) await put(`/whole/_doc/${id}`, { a: id })
    await put('/whole/_doc/3', { a: 'three' })
  })

  it('needs an index that is not written to, and a fitting number of shards', async () => {
    expect((await put('/whole/_clone/copy-1')).json()).toMatchObject({
      error: { type: 'illegal_state_exception', reason: expect.stringContaining('must be read-only') },
    })
    const wrong = async (kind: string, shards: number) =>
      Object((await put(`/whole/_${kind}/copy-1`, { settings: { number_of_shards: shards } })).json()).error.reason
    expect(await wrong('shrink', 3)).toBe('the number of source shards [4] must be a multiple of [3]')
    expect(await wrong('split', 6)).toBe('the number of source shards [4] must be a factor of [6]')
    expect(await wrong('clone', 2)).toBe(
      'the number of source shards [4] must be equal to the number of target shards [2]',
    )
  })

  it('copies documents with their versions, mapping and settings, without templates', async () => {
    expect((await put('/whole/_block/write')).json()).toEqual({
      acknowledged: true,
      shards_acknowledged: true,
      indices: [{ name: 'whole', blocked: true }],
    })
    const made = await put('/whole/_shrink/copy-2', { settings: { number_of_shards: 2, 'index.blocks.write': null } })
    expect(made.json()).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'copy-2' })
    expect(await json('/copy-2/_doc/3')).toMatchObject({ _version: 2, _source: { a: 'three' } })
    expect(await json('/copy-2/_count')).toMatchObject({ count: 3 })
    const shown = Object(await json('/copy-2'))['copy-2']
    expect(shown.settings.index).toMatchObject({ number_of_shards: '2' })
    expect(shown.settings.index).not.toHaveProperty('priority')
    expect(shown.settings.index).not.toHaveProperty('blocks')
    expect(shown.mappings).toEqual({ properties: { a: { type: 'keyword' } } })
    expect((await put('/whole/_clone/copy-3')).status).toBe(200)
    expect((await put('/copy-3/_doc/4', { a: '4' })).status).toBe(403)
  })
})

describe('blocks', () => {
  it('keep an index from being read, changed or deleted', async () => {
    await put('/guarded')
    await put('/guarded/_doc/1', { a: 1 })
    await put('/guarded/_block/read')
    expect((await send('/guarded/_search')).json()).toMatchObject({
      status: 403,
      error: {
        type: 'cluster_block_exception',
        reason: 'index [guarded] blocked by: [FORBIDDEN/7/index read (api)];',
      },
    })
    await put('/guarded/_settings', { 'index.blocks.read': false, 'index.blocks.read_only': true })
    expect((await send('/guarded/_search')).status).toBe(200)
    expect((await put('/guarded/_mapping', { properties: { b: { type: 'long' } } })).status).toBe(403)
    expect((await send('/guarded', { method: 'DELETE' })).status).toBe(403)
    expect(await json('/_cluster/state/blocks')).toMatchObject({ blocks: { indices: { guarded: { 5: {} } } } })
    await put('/guarded/_settings', { 'index.blocks.read_only': null })
    expect((await send('/guarded', { method: 'DELETE' })).status).toBe(200)
    expect((await put('/whole/_block/odd')).status).toBe(400)
  })
})

describe('settings of the cluster', () => {
  it('say which indices make themselves', async () => {
    await put('/_cluster/settings', { persistent: { action: { auto_create_index: '-auto-no*,auto-*' } } })
    expect((await put('/auto-no/_doc/1', { a: 1 })).json()).toMatchObject({
      error: {
        type: 'index_not_found_exception',
        reason:
          'no such index [auto-no] and [action.auto_create_index] contains [-auto-no*] which forbids automatic creation of the index',
      },
    })
    expect((await put('/auto-yes/_doc/1', { a: 1 })).status).toBe(201)
    expect((await put('/else/_doc/1', { a: 1 })).json()).toMatchObject({
      error: { reason: "no such index [else] and [action.auto_create_index] ([-auto-no*,auto-*]) doesn't match" },
    })
    const copy = { source: { index: 'auto-yes' }, dest: { index: 'else' } }
    expect((await send('/_reindex', { method: 'POST', body: copy })).json()).toMatchObject({
      error: { type: 'index_not_found_exception' },
    })
    await put('/_cluster/settings', { persistent: { 'action.*': null } })
    expect((await put('/else/_doc/1', { a: 1 })).status).toBe(201)
  })

  it('keep patterns from deleting', async () => {
    await put('/_cluster/settings', { transient: { 'action.destructive_requires_name': true } })
    expect((await send('/els*', { method: 'DELETE' })).status).toBe(400)
    await put('/_cluster/settings', { transient: { 'action.destructive_requires_name': null } })
    expect((await send('/els*', { method: 'DELETE' })).status).toBe(200)
  })
})

describe('reports', () => {
  it('explain where shards are', async () => {
    await put('/placed', { settings: { number_of_replicas: 0 } })
    const body = { index: 'placed', shard: 0, primary: true }
    const explain = (asked?: object) =>
      send('/_cluster/allocation/explain', { method: 'POST', ...(asked ? { body: asked } : {}) })
    expect((await explain(body)).json()).toMatchObject({ current_state: 'started', can_remain_on_current_node: 'yes' })
    expect((await explain({ ...body, shard: 4 })).status).toBe(404)
    await put('/waiting', { settings: { number_of_replicas: 1 } })
    expect((await explain()).json()).toMatchObject({ index: 'waiting', primary: false, can_allocate: 'no' })
    await send('/waiting', { method: 'DELETE' })
    expect((await explain()).status).toBe(400)
  })

  it('show the node, with sizes as people read them', async () => {
    expect(await oneNode('/_nodes/stats/indices/docs,store')).toMatchObject({
      indices: { docs: { count: expect.any(Number) }, store: { size_in_bytes: expect.any(Number) } },
    })
    expect(await oneNode('/_nodes/stats/indices/store?human')).toMatchObject({
      indices: { store: { size: expect.stringMatching(/^[\d.]+k?m?b$/), reserved: '0b' } },
    })
    expect(await oneNode('/_nodes/stats/fs')).toMatchObject({
      fs: { data: [{ path: expect.stringContaining('/'), total_in_bytes: expect.any(Number) }] },
    })
    expect(await json('/_nodes/nobody/stats')).toMatchObject({ _nodes: { total: 0 }, nodes: {} })
    expect((await send('/_nodes/stats/jvmm')).json()).toMatchObject({
      error: { reason: expect.stringContaining('[jvmm] -> did you mean [jvm]?') },
    })
    expect(await oneNode('/_nodes/_local/os')).toMatchObject({ os: { allocated_processors: expect.any(Number) } })
    expect(await json('/_cluster/stats')).toMatchObject({
      status: 'green',
      indices: { count: expect.any(Number), docs: {}, mappings: { field_types: expect.any(Array) } },
      nodes: { count: { total: 1, master: 1, data: 1 } },
    })
  })

  it('know no repository of snapshots before one is made', async () => {
    expect(await json('/_snapshot')).toEqual({})
    expect(await json('/_snapshot/_status')).toEqual({ snapshots: [] })
    expect(await json('/_snapshot/none')).toMatchObject({
      error: { type: 'repository_missing_exception', reason: '[none] missing' },
      status: 404,
    })
    expect((await put('/_snapshot/none', { type: 'fs' })).json()).toMatchObject({
      error: { type: 'repository_exception', reason: '[none] missing location' },
      status: 500,
    })
  })
})

describe('tables of _cat', () => {
  it('tell the same memory as the statistics of nodes', async () => {
    const { heap_used_in_bytes: used, heap_max_in_bytes: max } = Object(await oneNode('/_nodes/stats/jvm')).jvm.mem
    const [percent, shownMax] = (await send('/_cat/nodes?h=heap.percent,heap.max&bytes=b')).text.trim().split(/ +/)
    expect(Number(shownMax)).toBe(max)
    // What the process holds moves a little between the two requests.
    expect(Math.abs(Number(percent) - (used / max) * 100)).toBeLessThan(5)
    expect((await send('/_cat/master?h=node,ip')).text).toBe('logstack-search 127.0.0.1\n')
  })

  it('are filled', async () => {
    const table = async (path: string) => (await send(path)).text
    expect(await table('/_cat/allocation?h=node,disk.indices&bytes=b')).toMatch(/^logstack-search \d+\n$/)
    expect(await table('/_cat/tasks?h=action')).toMatch(/tasks/)
    expect(await table('/_cat/recovery/placed?h=index,stage,type')).toBe('placed done empty_store\n')
    expect(await table('/_cat/segments/auto-yes?h=i,dc')).toBe('auto-yes 1\n')
    expect(await table('/_cat/plugins')).toBe('')
    expect(await table('/_cat/thread_pool/search,write?h=name,type,size,rejected')).toBe(
      'search fixed 4 0\nwrite  fixed 2 0\n',
    )
    expect(await table('/_cat/thread_pool')).toMatch(/^(logstack-search \w+ +\d+ +\d+ +\d+\n){6}$/)
    expect(await table('/_cat/plugins?help')).toMatch(/^id {10}\|/)
    await put('/_component_template/part', { template: { settings: { number_of_shards: 1 } } })
    await put('/_index_template/user', { index_patterns: ['zz-*'], composed_of: ['part'] })
    expect(await table('/_cat/component_templates?h=name,settings_count,included_in')).toBe('part 1 [user]\n')
    const yaml = await send('/_cat/recovery/placed?h=i&format=yaml')
    expect([yaml.headers['content-type'], yaml.text]).toEqual(['application/yaml', '---\n- i: placed\n'])
  })
})
