import { beforeAll, describe, expect, it } from 'vitest'
import { searchOverWire } from '../../testing/search-over-wire.ts'

const send = searchOverWire()
const post = (path: string, body?: object) => send(path, { method: 'POST', ...(body ? { body } : {}) })
const node = 'logstack-search'
const place = { index: 'logs', shard: 0, node }

beforeAll(async () => {
  await send('/logs', { method: 'PUT', body: { settings: { number_of_shards: 1, number_of_replicas: 0 } } })
})

const explain = '/_cluster/reroute?explain=true&dry_run=true&metric=none'
const explained = async (command: object) => (await post(explain, { commands: [command] })).json()

describe('_cluster/reroute', () => {
  it('has nothing to say of no commands', async () => {
    expect((await post(explain, { commands: [] })).json()).toEqual({ acknowledged: true, explanations: [] })
    expect((await post('/_cluster/reroute?metric=none')).json()).toEqual({ acknowledged: true })
  })

  it('answers with the state, without its metadata unless these are asked for', async () => {
    const whole = (await post('/_cluster/reroute')).json() as { state: Record<string, unknown> }
    expect(Object.keys(whole.state)).toEqual(
      expect.arrayContaining(['version', 'master_node', 'nodes', 'routing_table']),
    )
    expect(whole.state).not.toHaveProperty('metadata')
    const some = (await post('/_cluster/reroute?metric=metadata')).json()
    expect(some).toMatchObject({ state: { metadata: { indices: { logs: {} } } } })
    expect(some).not.toHaveProperty('state.nodes')
  })

  it.each([
    [
      { cancel: { ...place, shard: 9 } },
      'cancel_allocation_command',
      'NO',
      "can't cancel 9, failed to find it on node",
    ],
    [{ cancel: place }, 'cancel_allocation_command', 'NO', 'shard is primary and started'],
    [{ cancel: { ...place, allow_primary: true } }, 'cancel_allocation_command', 'YES', 'can be cancelled'],
    [{ move: { index: 'logs', shard: 0, from_node: node, to_node: node } }, 'same_shard', 'NO', 'already allocated'],
    [
      { move: { index: 'logs', shard: 8, from_node: node, to_node: node } },
      'move_allocation_command',
      'NO',
      'shard 8 not',
    ],
    [{ allocate_replica: place }, 'allocate_replica (allocation command)', 'NO', 'all copies of [logs][0] are already'],
    [{ allocate_replica: { ...place, shard: 7 } }, 'allocate_replica (allocation command)', 'NO', 'no such shard'],
    [
      { allocate_replica: { ...place, index: 'x' } },
      'allocate_replica (allocation command)',
      'NO',
      'no such index [x]',
    ],
    [
      { allocate_replica: { ...place, node: 'x' } },
      'allocate_replica (allocation command)',
      'NO',
      'failed to resolve [x]',
    ],
    [{ allocate_empty_primary: place }, 'allocate_empty_primary (allocation command)', 'NO', 'is already assigned'],
    [{ allocate_stale_primary: place }, 'allocate_stale_primary (allocation command)', 'NO', 'is already assigned'],
  ])('explains %j', async (command, decider, decision, explanation) => {
    expect(await explained(command)).toMatchObject({
      acknowledged: true,
      explanations: [{ decisions: [{ decider, decision, explanation: expect.stringContaining(explanation) }] }],
    })
  })

  it('repeats the command with the defaults of its flags', async () => {
    expect(await explained({ cancel: place })).toMatchObject({
      explanations: [{ command: 'cancel', parameters: { ...place, allow_primary: false } }],
    })
  })
})

describe('what _cluster/reroute refuses', () => {
  it.each([
    [{ cancel: { ...place, node: 'x' } }, 400, 'failed to resolve [x], no matching nodes'],
    [{ cancel: { ...place, index: 'x' } }, 404, 'no such index [x]'],
    [{ nope: {} }, 400, 'unknown field [nope]'],
    [{ cancel: { ...place, shard: 'x' } }, 400, '[shard] must be a whole number but was [x]'],
    [{ cancel: { ...place, shard: 0.5 } }, 400, '[shard] must be a whole number but was [0.5]'],
    [{ cancel: {} }, 400, '[cancel] command missing the index parameter'],
    [{ cancel: { ...place, x: 1 } }, 400, '[cancel] command does not support field [x]'],
    [{ allocate_replica: { shard: 0 } }, 400, 'Argument [index] must be defined'],
  ])('refuses %j', async (command, status, reason) => {
    const answer = await post(explain, { commands: [command] })
    expect(answer.status).toBe(status)
    expect(answer.text).toContain(JSON.stringify(reason).slice(1, -1))
  })

  it('refuses a command that cannot be followed where it need not explain why', async () => {
    const answer = await post('/_cluster/reroute', { commands: [{ allocate_replica: place }] })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('[allocate_replica] all copies of [logs][0] are already assigned')
  })
})

describe('_cluster/voting_config_exclusions', () => {
  const path = '/_cluster/voting_config_exclusions'
  const kept = async () => {
    const { metadata } = (await send('/_cluster/state/metadata')).json() as {
      metadata: { cluster_coordination: { voting_config_exclusions: unknown } }
    }
    return metadata.cluster_coordination.voting_config_exclusions
  }

  it('keeps the nodes that are named, until it is told to forget them', async () => {
    expect(await kept()).toEqual([])
    for (const query of ['node_ids=a,b', 'node_ids=b', 'node_names=c']) {
      const added = await post(`${path}?${query}`)
      expect([added.status, added.text]).toEqual([200, ''])
    }
    const entries = [
      { node_id: 'a', node_name: '_absent_' },
      { node_id: 'b', node_name: '_absent_' },
      { node_id: '_absent_', node_name: 'c' },
    ]
    expect(await kept()).toEqual(expect.arrayContaining(entries))
    const many = Array.from({ length: 8 }, (_, at) => at).join()
    const refused = await post(`${path}?node_ids=${many}`)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain(
      'would add [8] exclusions to the existing [3] which would exceed the maximum of [10]',
    )
    expect((await send(path, { method: 'DELETE' })).status).toBe(200)
    expect(await kept()).toEqual([])
  })

  it('takes a name of any length, and a name that is said twice once', async () => {
    const long = 'n'.repeat(3_000)
    const names = Array.from({ length: 11 }, () => long).join()
    expect((await post(`${path}?node_names=${names}`)).status).toBe(200)
    expect(await kept()).toEqual([{ node_id: '_absent_', node_name: long }])
    expect((await send(path, { method: 'DELETE' })).status).toBe(200)
    expect(await kept()).toEqual([])
  })

  it('does not take the vote of the one node there is', async () => {
    const own = await post(`${path}?node_names=${node}`)
    expect([own.status, own.json()]).toMatchObject([500, { error: { type: 'timeout_exception' } }])
    expect(await kept()).toMatchObject([{ node_name: node }])
    expect((await send(path, { method: 'DELETE' })).status).toBe(500)
    expect((await send(`${path}?wait_for_removal=false`, { method: 'DELETE' })).status).toBe(200)
    expect(await kept()).toEqual([])
  })

  it('is told of nodes by their ids or their names', async () => {
    for (const query of ['', '?node_ids=a&node_names=b', '?node_ids='])
      expect((await post(path + query)).text).toContain('You must set [node_names] or [node_ids] but not both')
  })
})

describe('_nodes/reload_secure_settings', () => {
  it('knows no password of a store of secrets', async () => {
    const reloaded = async (secure_settings_password: string) => {
      const answer = (await post('/_nodes/reload_secure_settings', { secure_settings_password })).json()
      return Object.values((answer as { nodes: object }).nodes)
    }
    const reload_exception = { type: 'security_exception', reason: 'Provided keystore password was incorrect' }
    expect(await reloaded('')).toEqual([{ name: node }])
    expect(await reloaded('x')).toEqual([{ name: node, reload_exception }])
  })
})

describe('_cat tables of indices and shards', () => {
  it('show what was done to an index', async () => {
    for (const id of ['1', '2']) await send(`/logs/_doc/${id}?refresh=true`, { method: 'PUT', body: { a: 1 } })
    const columns = 'h=index,indexing.index_total,merges.total_size&format=json'
    const shown = { index: 'logs', 'indexing.index_total': '2', 'merges.total_size': '0b' }
    expect((await send(`/_cat/indices/logs?${columns}`)).json()).toEqual([shown])
    expect((await send(`/_cat/shards/logs?${columns}`)).json()).toEqual([shown])
    const twin = await send('/_cat/indices/logs?h=pri.indexing.index_total,fm&v')
    expect(twin.text).toBe('pri.indexing.index_total fm\n                       2 0b\n')
  })
})
