import { AppError, isAppError, searchErrors } from '@logstack/errors'
import type { Catalogue } from '../indices/catalogue.ts'
import { saysFull } from '../store/says-full.ts'
import type { Store } from '../store/store.ts'
import type { DiskPressure } from './disk-guard.ts'
import type { WriteResult } from './documents.ts'
import type { WriteOperation } from './write-operation.ts'
import type { BatchShare } from './write-queue.ts'

/** The stack's own state: sessions, saved objects and the alerter's place are small, and what mends the disk needs them. */
const ownStatePrefix = '.logstack-'

function diskFull(index: string): AppError {
  const reason = `index [${index}] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];`
  return new AppError(searchErrors.cluster_block_exception, reason, { detail: { index } })
}

function diskHigh(): AppError {
  const reason =
    'rejected execution of primary operation: disk usage exceeded the high watermark [cluster.routing.allocation.disk.watermark.high]'
  return new AppError(searchErrors.es_rejected_execution_exception, reason)
}

/** The error a write gets from a disk that presses so; undefined when it may go on. Deletions always may. */
function refusal({ action, index }: WriteOperation, pressure: DiskPressure): AppError | undefined {
  if (action === 'delete' || pressure === 'none' || pressure === 'low') return undefined
  if (pressure === 'full') return diskFull(index)
  if (index.startsWith(ownStatePrefix)) return undefined
  return pressure === 'high' ? diskHigh() : diskFull(index)
}

/** What of a batch the disk lets through. Shares of which nothing is left are answered here, others answer whole when the rest is. */
export function admitted(shares: readonly BatchShare[], pressure: DiskPressure): BatchShare[] {
  return shares.flatMap((share) => {
    const refused = share.operations.map((operation) => refusal(operation, pressure))
    if (refused.every((error) => error === undefined)) return [share]
    const operations = share.operations.filter((_, at) => refused[at] === undefined)
    const answer = (results: readonly WriteResult[]): void => {
      const given = results[Symbol.iterator]()
      share.answer(
        share.operations.map(({ index, id }, at): WriteResult => {
          const error = refused[at] ?? new Error('BUG: fewer results than operations')
          return refused[at] === undefined ? (given.next().value ?? { index, id, error }) : { index, id, error }
        }),
      )
    }
    if (operations.length > 0) return [{ operations, answer }]
    answer([])
    return []
  })
}

/** Answers everything of a batch with the block of a full disk; the client sends it again later. */
export function answerFull(shares: readonly BatchShare[]): void {
  for (const { operations, answer } of shares)
    answer(operations.map(({ index, id }): WriteResult => ({ index, id, error: diskFull(index) })))
}

const block = 'blocks.read_only_allow_delete'
const floodedKey = 'flooded'

/**
 * Sets the block of the flood stage on every index, or lifts it, as clients see it in the settings. Lifts only after a flood that was noted, also
 * one before the last start: a block that somebody set by hand stays.
 */
export async function showFlood(
  isFlooded: boolean,
  context: { readonly catalogue: Catalogue; readonly store: Store },
): Promise<void> {
  const { catalogue, store } = context
  const notes = store.collection<boolean>('disk')
  if (!isFlooded && notes.get(floodedKey) !== true) return
  if (isFlooded) await store.transaction(() => notes.put(floodedKey, true))
  for (const index of [...catalogue.indices()]) {
    if (index.name.startsWith(ownStatePrefix) || (index.settings[block] === 'true') === isFlooded) continue
    // One that was deleted meanwhile needs none.
    if (catalogue.indexById(index.id) !== undefined)
      await catalogue.putSettings(index, { [block]: isFlooded ? true : null })
  }
  if (!isFlooded) await store.transaction(() => notes.remove(floodedKey))
}

/** Whether an error says that the disk has no room. */
export function isDiskFull(error: Error): boolean {
  if (isAppError(error)) return error.code === 'engine_disk_full' || saysFull(error.cause)
  return saysFull(error)
}

/** Why a batch could not be stored, as its clients hear of it. */
export function unstored(thrown: unknown): Error {
  if (!(thrown instanceof Error)) return new Error(String(thrown))
  // What the system refused, as it names itself.
  if (isAppError(thrown) || isDiskFull(thrown) || !('syscall' in thrown)) return thrown
  return new AppError(searchErrors.i_o_exception, `the documents could not be put on disk: ${thrown.message}`, {
    cause: thrown,
    fix: 'see what the kernel says of the disk (dmesg)',
  })
}
