import { describe, expect, it } from 'vitest'
import { stateAction } from './current-state.ts'

const event = (more: object, key = 'openssl:amd64', agent = 'a') => ({
  id: 'x',
  agent,
  index: 'logs-inventory.packages-default',
  document: { agent: { id: agent }, logstack: { inventory: { kind: 'package', key, ...more } } },
})

describe('current state', () => {
  it('is one document a host and thing, whatever changes about it', () => {
    const found = stateAction(event({ present: true, a: 1 }))
    expect(found).toMatchObject({ action: 'index', index: 'endpoint-inventory' })
    expect(stateAction(event({ present: true, a: 2 }))).toMatchObject({ id: found?.id })
    expect(stateAction(event({ present: true }, 'openssl:amd64', 'b'))?.id).not.toBe(found?.id)
    expect(stateAction(event({ present: true }, 'libc6:amd64'))?.id).not.toBe(found?.id)
  })

  it('loses what is gone', () => {
    const there = stateAction(event({ present: true }))
    expect(stateAction(event({ present: false }))).toEqual({
      action: 'delete',
      index: 'endpoint-inventory',
      id: there?.id,
    })
  })

  it('is not changed by who only says to be an agent', () => {
    const { agent: _proved, ...said } = event({ present: false })
    expect(said.document.agent.id).toBe('a')
    expect(stateAction(said)).toBeUndefined()
  })

  it('is that of the agent which sent the event, whatever the event says', () => {
    const own = stateAction(event({ present: true }, 'openssl:amd64', 'b'))
    const { document } = event({ present: true })
    expect(stateAction({ ...event({}, '', 'b'), document })?.id).toBe(own?.id)
  })

  it('has nothing to do with other events', () => {
    expect(stateAction({ id: 'x', index: 'logs-a-default', document: { message: 'inventory' } })).toBeUndefined()
  })
})
