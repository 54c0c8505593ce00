import type { OrderedAction } from '@logstack/contracts'
import { describe, expect, it } from 'vitest'
import type { StateIndex } from '../state-index.ts'
import { Actions } from './actions.ts'

const hourMs = 3_600_000

function start() {
  const kept = new Map<string, OrderedAction>()
  const clock = { now: Date.UTC(2026, 0, 1) }
  const index = {
    put: async (id: string, action: OrderedAction) => void kept.set(id, action),
    remove: async (id: string) => void kept.delete(id),
    list: async () => [...kept].map(([id, document]) => ({ id, document })),
  } as unknown as StateIndex<OrderedAction>
  return { kept, clock, open: () => new Actions(index, () => clock.now) }
}

const restart = { type: 'RESTART', data: {}, by: 'elastic', lifetimeMs: hourMs } as const

describe('ordered actions', () => {
  it('are handed out in order until they are acknowledged, by their own agent, across a restart', async () => {
    const { open, kept, clock } = start()
    const before = open()
    const { id } = await before.order('one', restart)
    clock.now += 1
    const second = await before.order('one', { ...restart, type: 'SETTINGS', data: { log_level: 'debug' } })
    await before.delivered([id])
    const after = open()
    await after.load()
    expect(after.pending('one')).toMatchObject([
      { id, type: 'RESTART' },
      { id: second.id, data: { log_level: 'debug' } },
    ])
    expect(after.pending('other')).toEqual([])
    expect(await after.acknowledged('other', id, { message: 'done' })).toBe(false)
    expect(await after.acknowledged('one', id, { message: 'done', data: { passed: 1 } })).toBe(true)
    expect(await after.acknowledged('one', second.id, { message: 'not done', error: 'no' })).toBe(true)
    expect(after.pending('one')).toEqual([])
    expect(kept.get(id)).toMatchObject({ status: 'done', message: 'done', result: { passed: 1 } })
    expect(kept.get(second.id)).toMatchObject({ status: 'failed', message: 'no' })
    expect(await after.acknowledged('one', id, { message: 'again', error: 'late' })).toBe(true)
    expect(kept.get(id)).toMatchObject({ status: 'done', message: 'done' })
  })

  it('expire when nobody acknowledges them, and are forgotten a week later', async () => {
    const { open, kept, clock } = start()
    const actions = open()
    const { id } = await actions.order('one', restart)
    clock.now += hourMs
    expect(actions.pending('one')).toEqual([])
    await actions.sweep()
    expect(kept.get(id)).toMatchObject({ status: 'expired' })
    clock.now += 8 * 24 * hourMs
    await actions.sweep()
    expect(kept.size).toBe(0)
  })

  it('are limited for each agent', async () => {
    const actions = start().open()
    for (let n = 0; n < 20; n += 1) await actions.order('one', restart)
    await expect(actions.order('one', restart)).rejects.toMatchObject({ code: 'agent_limit_reached' })
    await actions.order('other', restart)
  })

  it('say while an agent is on its way to another program', async () => {
    const actions = start().open()
    const { id } = await actions.order('one', { ...restart, type: 'UPGRADE' })
    expect(actions.isUpgrading('one')).toBe(false)
    await actions.delivered([id])
    expect(actions.isUpgrading('one')).toBe(true)
    await actions.acknowledged('one', id, { message: 'done' })
    expect(actions.isUpgrading('one')).toBe(false)
  })
})

describe('actions of a rollout', () => {
  it('come one after the other, and stop when one fails', async () => {
    const { open, clock } = start()
    const actions = open()
    const told: string[] = []
    actions.on('changed', (agent) => told.push(agent))
    for (const [at, agent] of ['one', 'two', 'three'].entries())
      await actions.order(agent, {
        ...restart,
        type: 'UPGRADE',
        rollout: { id: 'r', fromMs: clock.now + at * hourMs },
      })
    const idOf = (agent: string): string => actions.pending(agent)[0]?.id ?? ''
    expect([idOf('one') !== '', idOf('two')]).toEqual([true, ''])
    clock.now += hourMs - 1
    told.length = 0
    await actions.acknowledged('one', idOf('one'), { message: 'upgraded' })
    await actions.sweep()
    expect(told).toEqual([])
    clock.now += 1
    await actions.sweep()
    expect(told).toEqual(['two'])
    await actions.delivered([idOf('two')])
    await actions.acknowledged('two', idOf('two'), { message: '', error: 'went back to the program before' })
    expect(actions.rollout('r')).toEqual({ done: 1, failed: 1, expired: 1 })
    expect(actions.list('three')[0]?.action.message).toBe(
      'stopped, as agent two failed: went back to the program before',
    )
    clock.now += hourMs
    expect(actions.pending('three')).toEqual([])
    expect(actions.rollout('other')).toBeUndefined()
  })

  it('stop too when one is not heard of again', async () => {
    const { open, clock } = start()
    const actions = open()
    for (const [at, agent] of ['one', 'two'].entries())
      await actions.order(agent, { ...restart, rollout: { id: 'r', fromMs: clock.now + at * 3 * hourMs } })
    await actions.delivered(actions.pending('one').map(({ id }) => id))
    clock.now += hourMs
    await actions.sweep()
    expect(actions.rollout('r')).toEqual({ expired: 2 })
  })
})
