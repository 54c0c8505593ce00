import { describe, expect, it } from 'vitest'
import { HeldCheckins } from './held-checkins.ts'

function start() {
  const stopping = new AbortController()
  const held = new HeldCheckins(stopping.signal)
  const ended: string[] = []
  const hold = (agentId: string, policyId = 'p', limitMs = 60_000): AbortController => {
    const gone = new AbortController()
    void held.hold({ agentId, policyId, limitMs, gone: gone.signal }).then(() => ended.push(agentId))
    return gone
  }
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { stopping, held, ended, hold, settled }
}

describe('held check-ins', () => {
  it('end at news for their agent or policy, and for no other', async () => {
    const { held, ended, hold, settled } = start()
    hold('a')
    hold('b')
    hold('b')
    hold('c', 'other')
    held.agentChanged('b')
    held.agentChanged('nobody')
    await settled()
    expect(ended).toEqual(['b', 'b'])
    held.policyChanged('other')
    await settled()
    expect(ended).toEqual(['b', 'b', 'c'])
    expect(held.count).toBe(1)
  })

  it('end when the time is over, the caller went, or the part stops', async () => {
    const { held, ended, hold, settled, stopping } = start()
    hold('short', 'p', 1)
    const gone = hold('gone')
    hold('last')
    gone.abort()
    while (ended.length < 2) await settled()
    expect(ended.sort()).toEqual(['gone', 'short'])
    stopping.abort()
    await settled()
    expect(ended).toContain('last')
    expect(held.count).toBe(0)
    await held.hold({ agentId: 'late', policyId: 'p', limitMs: 60_000, gone: gone.signal })
  })

  it('of a policy are answered some at a time, but all', async () => {
    const { held, ended, hold, settled } = start()
    for (let n = 0; n < 1_000; n += 1) hold(`agent${n}`)
    held.policyChanged('p')
    await Promise.resolve()
    expect(ended.length).toBeLessThan(1_000)
    while (held.count > 0) await settled()
    expect(new Set(ended).size).toBe(1_000)
  })
})
