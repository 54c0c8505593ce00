import { describe, expect, it } from 'vitest'
import { type EventIndex, planRetention, type RetentionTask } from './retention-plan.ts'

const dayMs = 86_400_000
const nowMs = 400 * dayMs

/** An index whose events lie between two ages in days. */
function index(name: string, oldestDays: number, newestDays: number, given: Partial<EventIndex> = {}): EventIndex {
  const [oldestMs, newestMs] = [nowMs - oldestDays * dayMs, nowMs - newestDays * dayMs]
  const base = { id: Number(name.replace(/\D/g, '')), name, documents: 100, bytes: 1000, oldestMs, newestMs }
  return { ...base, arrivedMs: oldestMs, isWritten: false, maxAgeMs: 30 * dayMs, ...given }
}

function plan(indices: readonly EventIndex[], given: Partial<RetentionTask> = {}) {
  const { deletions, expiries } = planRetention({ indices, nowMs, keepMs: dayMs, excessBytes: 0, ...given })
  return {
    deleted: deletions.map(({ name, reason }) => `${name} ${reason}`),
    expired: expiries.map(({ index: { name }, beforeMs }) => `${name} ${Math.round((nowMs - beforeMs) / dayMs)}d`),
  }
}

describe('by age', () => {
  it('takes indices whose newest event is too old, and keeps the others', () => {
    const indices = [index('a1', 32, 31), index('a2', 31, 29), index('a3', 400, 399, { maxAgeMs: undefined })]
    expect(plan(indices)).toEqual({ deleted: ['a1 age'], expired: [] })
  })

  it('never takes away what is written to, but its old events', () => {
    expect(plan([index('a1', 90, 60, { isWritten: true })])).toEqual({ deleted: [], expired: ['a1 30d'] })
  })

  it('keeps old events that were brought in a short while ago', () => {
    expect(plan([index('a1', 300, 200, { arrivedMs: nowMs - dayMs })])).toEqual({ deleted: [], expired: [] })
  })

  it('rewrites an index only for as much as is worth it, unless it shall be exact', () => {
    const indices = [index('a1', 32, 0)]
    expect(plan(indices)).toEqual({ deleted: [], expired: [] })
    expect(plan(indices, { exact: true })).toEqual({ deleted: [], expired: ['a1 30d'] })
    expect(plan([index('a1', 34, 0)])).toEqual({ deleted: [], expired: ['a1 30d'] })
  })
})

describe('by space', () => {
  const daily = [1, 2, 3, 4, 5].map((day) => index(`a${day}`, day, day - 1, { maxAgeMs: undefined }))

  it('takes the oldest indices, and no more than is needed', () => {
    expect(plan(daily, { excessBytes: 1500 })).toEqual({ deleted: ['a5 space', 'a4 space'], expired: [] })
    expect(plan(daily, { excessBytes: 0 })).toEqual({ deleted: [], expired: [] })
  })

  it('is misled by no few events of long ago about where all others lie', () => {
    const stream = index('a1', 390, 0, { isWritten: true, maxAgeMs: undefined, bytes: 10_000 })
    const spans = [undefined, nowMs - 10 * dayMs].map((earlyMs) => ({ ...stream, ...(earlyMs ? { earlyMs } : {}) }))
    expect(spans.map((each) => plan([each], { excessBytes: 2000 }).expired)).toEqual([['a1 312d'], ['a1 8d']])
    const day = index('a2', 390, 3, { maxAgeMs: undefined, earlyMs: nowMs - 4 * dayMs })
    expect(plan([day, ...daily], { excessBytes: 2500 }).expired).toEqual([])
  })

  it('counts what goes by age as freed', () => {
    const old = index('a9', 40, 39)
    expect(plan([...daily, old], { excessBytes: 900 })).toEqual({ deleted: ['a9 age'], expired: [] })
    expect(plan([...daily, old], { excessBytes: 1900 })).toEqual({ deleted: ['a9 age', 'a5 space'], expired: [] })
  })

  it('gives up nothing younger than what is kept in any case', () => {
    expect(plan(daily, { excessBytes: 10_000, keepMs: 3 * dayMs })).toEqual({ deleted: ['a5 space'], expired: [] })
  })

  it('takes the old events of an index that spans much time, before the whole of younger ones', () => {
    const lasting = index('b1', 100, 0, { isWritten: true, maxAgeMs: undefined, bytes: 10_000 })
    expect(plan([...daily, lasting], { excessBytes: 2000 })).toEqual({ deleted: [], expired: ['b1 80d'] })
  })
})
