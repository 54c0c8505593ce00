import { expect, it } from 'vitest'
import { OperationCounters } from './operation-counts.ts'

const ids: Readonly<Record<string, { id: number }>> = { a: { id: 1 }, b: { id: 2 } }

function write(index: string, result: 'created' | 'updated' | 'deleted' | 'noop') {
  return { index, id: '1', version: 1, seqNo: 0, result, status: 200 } as const
}

it('counts what became of writes, for each index by itself', () => {
  const counters = new OperationCounters()
  const failed = { index: 'a', id: '2', error: new Error('refused') }
  const results = [write('a', 'created'), write('a', 'noop'), failed, write('b', 'deleted'), write('gone', 'created')]
  counters.written(results, (name) => ids[name], 50)
  expect(counters.of({ id: 1 })).toMatchObject({ index: { count: 1, timeMs: 10 }, noopUpdates: 1, indexFailed: 1 })
  expect(counters.of({ id: 2 })).toMatchObject({ index: { count: 0 }, delete: { count: 1, timeMs: 10 } })
})

it('counts searches under the names they give themselves', () => {
  const counters = new OperationCounters()
  counters.searched([{ id: 1 }, { id: 2 }], ['nightly'], 4)
  counters.searched([{ id: 1 }], [], 2)
  expect(counters.of({ id: 1 }).query).toEqual({ count: 2, timeMs: 6 })
  expect(counters.of({ id: 1 }).groups.get('nightly')).toEqual({ count: 1, timeMs: 4 })
})

it('forgets indices that are gone', () => {
  const counters = new OperationCounters()
  counters.kept('flush', [{ id: 1 }, { id: 2 }])
  counters.keepOnly((id) => id === 2)
  expect([counters.of({ id: 1 }).flush.count, counters.of({ id: 2 }).flush.count]).toEqual([0, 1])
})
