import { createLogger } from '@logstack/logging'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoryStore } from '../testing/memory-store.ts'
import { CommitLog } from './commit-log.ts'
import { Purge, type PurgeContext } from './purge.ts'
import { VisibleRows } from './visibility.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { purgeDelayMs: 15_000, purgeRowsMax: 5, purgeRetryMs: 7_000 }

function open(deleteRows: (sequences: readonly number[]) => Promise<void>) {
  const engine = {
    deleteRows: (_table: string, _partition: number, sequences: readonly number[]) => deleteRows(sequences),
  } as unknown as PurgeContext['engine']
  const log = new CommitLog(memoryStore())
  const purge = new Purge({
    engine,
    log,
    visible: new VisibleRows(0),
    logger: createLogger('test', 'silent'),
    limits,
    deleting: () => undefined,
  })
  const replace = (seq: number, ...sequences: number[]): void =>
    purge.add({ seq, segments: [], dead: [{ table: 1, tableName: 'events_1', partition: 0, sequences }] })
  return { purge, replace }
}

it('deletes what few commits replaced together, after a while', async () => {
  const deleted: unknown[] = []
  const { purge, replace } = open(async (sequences) => void deleted.push(sequences))
  replace(10, 1, 2)
  await vi.advanceTimersByTimeAsync(10_000)
  replace(11, 3)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(deleted).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(deleted).toEqual([[1, 2, 3]])
  await purge.close()
})

it('deletes many rows soon', async () => {
  const deleted: unknown[] = []
  const { purge, replace } = open(async (sequences) => void deleted.push(sequences))
  replace(10, 1, 2)
  replace(11, 3, 4, 5)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(deleted).toEqual([[1, 2, 3, 4, 5]])
  replace(12, 6)
  await vi.advanceTimersByTimeAsync(14_999)
  expect(deleted).toHaveLength(1)
  await purge.close()
})

it('tries again after its own time when the engine refused', async () => {
  const deleted: unknown[] = []
  const { purge, replace } = open(async (sequences) => {
    deleted.push(sequences)
    if (deleted.length === 1) throw new Error('the disk is full')
  })
  replace(10, 1, 2, 3, 4, 5, 6)
  await vi.advanceTimersByTimeAsync(1_000)
  await vi.advanceTimersByTimeAsync(6_999)
  expect(deleted).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(deleted).toEqual([
    [1, 2, 3, 4, 5, 6],
    [1, 2, 3, 4, 5, 6],
  ])
  await purge.close()
})
