import { describe, expect, it } from 'vitest'
import type { FoundEvent } from './event-ref.ts'
import { SampleCollector } from './sample-collector.ts'
import { SequenceMachine } from './sequence-machine.ts'

const all = { position: 'tail', count: 1000 } as const
const two = { stages: [stage(0), stage(1)], until: undefined, maxSpanMs: undefined }

function stage(filter: number, missing = false) {
  return { filter, missing }
}

/** An event at a second, found by filters, all with one key. */
function event(second: number, filters: readonly number[], key = 'k'): FoundEvent {
  const joined = { text: JSON.stringify([key]), values: [key] }
  return {
    event: { index: 'i', id: String(second), timeMs: second * 1000 },
    filters: new Map(filters.map((filter) => [filter, joined])),
  }
}

function run(
  shape: ConstructorParameters<typeof SequenceMachine>[0],
  events: readonly FoundEvent[],
  limit = all as ConstructorParameters<typeof SequenceMachine>[1],
) {
  const machine = new SequenceMachine(shape, limit)
  for (const each of events) machine.accept(each)
  return machine.finish().map(({ events: found }) => found.map((one) => one?.id ?? '!').join())
}

describe('a sequence machine', () => {
  it('has no event follow itself', () => {
    expect(run(two, [event(1, [0, 1])])).toEqual([])
    expect(run(two, [event(1, [0, 1]), event(2, [0, 1]), event(3, [0, 1])])).toEqual(['1,2', '2,3'])
  })

  it('forgets what takes too long, and is right at the very edge', () => {
    const shape = { ...two, maxSpanMs: 2000 }
    expect(run(shape, [event(1, [0]), event(3, [1])])).toEqual(['1,3'])
    expect(run(shape, [event(1, [0]), event(4, [1]), event(4, [1])])).toEqual([])
  })

  it('takes an event that ends sequences as the last of one', () => {
    const shape = { ...two, until: 2 }
    expect(run(shape, [event(1, [0]), event(2, [1, 2]), event(3, [0, 2]), event(4, [1])])).toEqual(['1,2', '3,4'])
    expect(run(shape, [event(1, [0]), event(2, [2]), event(3, [1])])).toEqual([])
  })

  it('keeps the sequences after which something must be missing until it is sure', () => {
    const shape = { stages: [stage(0), stage(1), stage(2, true)], until: undefined, maxSpanMs: 10_000 }
    expect(run(shape, [event(1, [0]), event(2, [1]), event(3, [0]), event(4, [1]), event(12, [2])])).toEqual(['1,2,!'])
    expect(run(shape, [event(1, [0]), event(2, [1]), event(11, [2])])).toEqual([])
    expect(run(shape, [event(1, [0]), event(2, [1, 2])])).toEqual(['1,2,!'])
  })

  it('keeps the first or last that are wanted, whatever the number', () => {
    const many = Array.from({ length: 400 }, (_, at) => event(at, [at % 2]))
    expect(run(two, many, { position: 'tail', count: 2 })).toEqual(['396,397', '398,399'])
    expect(run(two, many, { position: 'head', count: 2 })).toEqual(['0,1', '2,3'])
    const machine = new SequenceMachine(two, { position: 'head', count: 1 })
    machine.accept(event(1, [0]))
    expect(machine.isDone).toBe(false)
    machine.accept(event(2, [1]))
    expect(machine.isDone).toBe(true)
  })

  it('refuses to hold more than its limit, unless time lets go of it', () => {
    const fill = (maxSpanMs: number | undefined) => {
      const machine = new SequenceMachine({ ...two, maxSpanMs }, all, 100_000)
      for (let at = 0; at < 10_000; at += 1) machine.accept(event(at, [0], `key-${at}`))
    }
    expect(() => fill(undefined)).toThrow(expect.objectContaining({ code: 'circuit_breaking_exception' }))
    expect(() => fill(10_000_000)).toThrow(expect.objectContaining({ code: 'circuit_breaking_exception' }))
    expect(() => fill(10_000)).not.toThrow()
  })

  it('gives back what it let go of', () => {
    const machine = new SequenceMachine({ ...two, until: 2, maxSpanMs: 1000 }, { position: 'tail', count: 3 }, 20_000)
    for (let at = 0; at < 50_000; at += 1)
      machine.accept(event(at, [[0], [1], [0], [2], [0, 1]][at % 5] ?? [], `k${at % 3}`))
    expect(machine.finish().length).toBeLessThanOrEqual(3)
  })
})

describe('a sample', () => {
  it('refuses to hold more than its limit', () => {
    const collector = new SampleCollector([0, 1], { count: 10, perKey: 1 }, 100_000)
    expect(() => {
      for (let at = 0; at < 10_000; at += 1) collector.accept(event(at, [0], `key-${at}`))
    }).toThrow(expect.objectContaining({ code: 'circuit_breaking_exception' }))
  })

  it('chooses events so that none is taken twice', () => {
    const collector = new SampleCollector([0, 1, 2], { count: 10, perKey: 3 })
    for (const each of [event(1, [0, 1, 2]), event(2, [0, 1]), event(3, [0])]) collector.accept(each)
    expect(collector.finish().map(({ events }) => events.map((one) => one?.id).join())).toEqual(['3,2,1'])
  })
})
