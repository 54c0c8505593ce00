import { describe, expect, it } from 'vitest'
import { AgentList } from './agent-list.ts'

const cacheMs = 30_000

/** A search with agents `on1` to `on9`, active ones, and `off`; it answers what it is asked when told to. */
function search() {
  const asked: string[][] = []
  const state = { fails: '', now: 0 }
  const answer = (_id: string): object => {
    if (state.fails) return { _id, error: { type: state.fails, reason: 'told to' } }
    return _id === 'unknown' ? { _id, found: false } : { _id, found: true, _source: { active: _id !== 'off' } }
  }
  const client = {
    async request<T>({ body }: { readonly body?: unknown }) {
      const { ids } = body as { ids: string[] }
      asked.push(ids)
      await new Promise((resolve) => setTimeout(resolve, 1))
      return { status: 200, headers: {}, body: { docs: ids.map(answer) } as T }
    },
  }
  return { asked, state, list: new AgentList(client, '.logstack-agents', () => state.now) }
}

const refusal = (list: AgentList, id: string): Promise<unknown> =>
  list.requireActive(id).then(
    () => undefined,
    (thrown: { code?: unknown }) => thrown.code,
  )

describe('the list of agents', () => {
  it('asks for all that come while search answers in one request, for each once, and knows them for a while', async () => {
    const { asked, state, list } = search()
    const ids = ['on1', 'on2', 'off', 'on1', 'unknown', 'on3']
    const first = refusal(list, 'on9')
    await Promise.resolve()
    expect(await Promise.all([first, ...ids.map((id) => refusal(list, id))])).toEqual([
      undefined,
      undefined,
      undefined,
      'agent_revoked',
      undefined,
      'agent_revoked',
      undefined,
    ])
    expect(asked).toEqual([['on9'], ['on1', 'on2', 'off', 'unknown', 'on3']])
    expect(await refusal(list, 'off')).toBe('agent_revoked')
    expect(asked).toHaveLength(2)
    state.now = cacheMs
    await list.requireActive('on1')
    expect(asked.at(-1)).toEqual(['on1'])
  })

  it('goes by the last answer while search cannot read, and takes nobody in whom it does not know', async () => {
    const { state, list } = search()
    await list.requireActive('on1')
    expect(await refusal(list, 'off')).toBe('agent_revoked')
    state.fails = 'no_shard_available_action_exception'
    state.now = cacheMs
    expect(await refusal(list, 'on1')).toBeUndefined()
    expect(await refusal(list, 'off')).toBe('agent_revoked')
    expect(await refusal(list, 'on2')).toBe('events_not_stored')
  })

  it('knows no agent where there is no index of them', async () => {
    const { state, list } = search()
    state.fails = 'index_not_found_exception'
    expect(await refusal(list, 'on1')).toBe('agent_revoked')
  })

  it('asks for more than a thousand in several requests', async () => {
    const { asked, list } = search()
    const ids = Array.from({ length: 2_500 }, (_, n) => `on${n}`)
    await Promise.all(ids.map((id) => list.requireActive(id)))
    expect(asked.flat().sort()).toEqual([...ids].sort())
    expect(asked.every((some) => some.length <= 1_000)).toBe(true)
  })
})
