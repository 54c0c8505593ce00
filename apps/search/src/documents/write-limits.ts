import type { ApplyLimits } from './commit-applier.ts'
import type { DiskLimits } from './disk-guard.ts'
import type { PurgeLimits } from './purge.ts'
import type { SpareLimits } from './segment-files.ts'
import type { QueueLimits } from './write-queue.ts'

/** Bounds and delays of the write path. */
export interface WriteLimits extends QueueLimits, DiskLimits, PurgeLimits, ApplyLimits, SpareLimits {
  /** Small batches are committed at most once in this time, so that they share a flush of the disk. */
  readonly commitIntervalMs: number
  readonly smallBatchOperations: number
  /** Between two looks for deleted indices whose rows are still there. */
  readonly sweepIntervalMs: number
}

/** What search itself goes by. */
export const defaultLimits: WriteLimits = {
  waitingBytesMax: 256 * 1024 ** 2,
  waitingOperationsMax: 500_000,
  batchBytesMax: 16 * 1024 ** 2,
  batchOperationsMax: 20_000,
  commitIntervalMs: 10,
  smallBatchOperations: 1_000,
  refreshIntervalMs: 2_000,
  heldIntervalMs: 300_000,
  applyBytes: 32 * 1024 ** 2,
  pendingBytesMax: 96 * 1024 ** 2,
  readWaitMs: 5_000,
  applyRetryMs: 1_000,
  applyAttemptsMax: 5,
  spareBytesMin: 1024 ** 2,
  spareKeptBytesMax: 64 * 1024 ** 2,
  spareIdleMs: 5_000,
  purgeDelayMs: 60_000,
  purgeRowsMax: 300,
  purgeRetryMs: 5_000,
  sweepIntervalMs: 30_000,
  keepFreeBytes: 128 * 1024 ** 2,
  reserveBytes: 16 * 1024 ** 2,
  checkIntervalMs: 5_000,
  slowestMs: 1_000,
}
