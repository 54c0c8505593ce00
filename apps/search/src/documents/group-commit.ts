import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import type { IndexMeta } from '../indices/model.ts'
import type { Store } from '../indices/store.ts'
import { clusterSettings } from '../plan/cluster-limits.ts'
import { createIdSource } from './automatic-id.ts'
import { Checkpoints } from './checkpoints.ts'
import { CommitLog, type CommitRecord } from './commit-log.ts'
import { findDocuments } from './current-documents.ts'
import { admitted, answerFull, showFlood } from './disk-gate.ts'
import { DiskGuard, type DiskLimits } from './disk-guard.ts'
import type { Documents, StoredDocument, WriteResult } from './documents.ts'
import { documentKey } from './draft.ts'
import { IndexStats } from './index-stats.ts'
import { LongTexts } from './long-texts.ts'
import { type PreparedBatch, prepareBatch } from './prepare-batch.ts'
import { isTableGone, Purge, type PurgeLimits } from './purge.ts'
import { recover } from './recovery.ts'
import { flushDirectory, insertOf, removeSegment, type SegmentRecord, writeSegment } from './segment.ts'
import { Periodic, sweepDeletedIndices } from './sweep.ts'
import { Tombstones } from './tombstones.ts'
import { type DeadRows, VisibleRows } from './visibility.ts'
import { watermarksOf } from './watermarks.ts'
import type { DocumentState } from './write-decision.ts'
import { type BatchShare, type QueueLimits, WriteQueue } from './write-queue.ts'

/** Bounds and delays of the write path. */
export interface WriteLimits extends QueueLimits, DiskLimits, PurgeLimits {
  /** Small batches are committed at most once in this time, so that they do not make a part of the engine each. */
  readonly commitIntervalMs: number
  readonly smallBatchOperations: number
  /** Between two looks for deleted indices whose rows are still there. */
  readonly sweepIntervalMs: number
}

const defaultLimits: WriteLimits = {
  waitingBytesMax: 256 * 1024 ** 2,
  waitingOperationsMax: 500_000,
  batchBytesMax: 16 * 1024 ** 2,
  batchOperationsMax: 20_000,
  commitIntervalMs: 20,
  smallBatchOperations: 1_000,
  purgeDelayMs: 15_000,
  purgeRowsMax: 300,
  purgeRetryMs: 5_000,
  sweepIntervalMs: 30_000,
  keepFreeBytes: 128 * 1024 ** 2,
  reserveBytes: 16 * 1024 ** 2,
  checkIntervalMs: 5_000,
  slowestMs: 1_000,
}

/** What the documents need; the catalogue's tables must be made already. */
export interface DocumentsOptions {
  readonly engine: Engine
  readonly store: Store
  readonly catalogue: Catalogue
  readonly logger: Logger
  /** For segment files; made when absent. */
  readonly directory: string
  readonly now: () => number
  readonly limits?: Partial<WriteLimits>
}

/** A batch whose segments are on disk. */
interface WrittenBatch extends PreparedBatch {
  readonly record: CommitRecord
}

/** Opens the documents: carries out unfinished commits, then takes writes. */
export async function createDocuments(options: DocumentsOptions): Promise<Documents> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const log = new CommitLog(options.store)
  const { engine, directory, logger } = options
  const unfinished = await recover({ engine, log, directory, logger })
  const disk = await DiskGuard.open({
    directory,
    limits: { ...defaultLimits, ...options.limits },
    logger,
    watermarks: (totalBytes) => watermarksOf(totalBytes, clusterSettings(options.store)),
    onFlood: (isFlooded) => showFlood(isFlooded, options),
  })
  return new GroupCommit(options, log, unfinished, disk)
}

/**
 * One batch after the other: while the engine inserts one, the next is parsed, looked up and encoded; its commit record waits until the first is
 * done. So a failed insert never leaves a later commit that was worked out on top of it.
 */
class GroupCommit implements Documents {
  readonly #options: DocumentsOptions
  readonly #limits: WriteLimits
  readonly #log: CommitLog
  readonly #queue: WriteQueue
  readonly #visible: VisibleRows
  readonly #purge: Purge
  readonly #sweep: Periodic
  readonly #stats: IndexStats
  readonly #disk: DiskGuard
  readonly #checkpoints = new Checkpoints()
  readonly #tombstones = new Tombstones()
  readonly #longTexts = new LongTexts()
  readonly #nextId: () => string
  #inserting: ReadonlyMap<string, Exclude<DocumentState, undefined>> = new Map()
  /** Resolves when the batch before this one is visible (true) or given up (false). */
  #previous: Promise<boolean> = Promise.resolve(true)
  #nextSeq: number
  #lastCommitMs = 0
  #wake: () => void = () => undefined
  #running: Promise<void> | undefined

  constructor(options: DocumentsOptions, log: CommitLog, unfinished: readonly CommitRecord[], disk: DiskGuard) {
    const { engine, logger } = options
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#log = log
    this.#disk = disk
    this.#queue = new WriteQueue(this.#limits)
    this.#nextSeq = log.nextSeq()
    this.#visible = new VisibleRows(this.#nextSeq - 1)
    this.#stats = new IndexStats(engine, options.now)
    this.#nextId = createIdSource(options.now)
    this.#purge = new Purge({ engine, log, visible: this.#visible, logger, limits: this.#limits })
    const { catalogue } = options
    this.#sweep = new Periodic(
      () => sweepDeletedIndices({ engine, catalogue, log, logger }),
      this.#limits.sweepIntervalMs,
      (error) => logger.warn({ error }, 'rows of deleted indices could not be removed yet'),
    )
    for (const record of unfinished) {
      this.#visible.commit(record.seq, record.dead, tablesOf(record))
      this.#purge.add(record)
    }
  }

  apply: Documents['apply'] = (operations) => {
    if (operations.length === 0) return Promise.resolve([])
    const answer = this.#queue.push(operations)
    this.#wake()
    this.#running ??= this.#run()
    return answer
  }

  get: Documents['get'] = async (index, ids) => {
    const { catalogue, engine } = this.#options
    const table = catalogue.table(index.table)
    const found = new Map<string, StoredDocument>()
    const wanted = new Map([[index.id, new Set(ids)]])
    for (let seen = undefined; ids.length > 0; ) {
      const visibility = this.#visible.of(table.id)
      // A commit during the read may have moved a document that was not found: then look once more.
      if (visibility === seen || (seen !== undefined && found.size === new Set(ids).size)) break
      seen = visibility
      for (const { id, version, seqNo, routing, source } of await findDocuments(
        engine,
        table,
        visibility,
        wanted,
        true,
      ))
        found.set(id, { id, version, seqNo, routing, source: source ?? Buffer.alloc(0) })
    }
    return ids.map((id) => found.get(id))
  }

  visibility: Documents['visibility'] = (tableId) => this.#visible.of(tableId)

  hold: Documents['hold'] = (snapshots) => this.#visible.hold(snapshots)

  checkpoint: Documents['checkpoint'] = ({ id }) => this.#checkpoints.of(id, () => this.#log.nextSeqNo(id) - 1)

  waitForCheckpoint: Documents['waitForCheckpoint'] = async (index, after, timeoutMs, signal) => {
    if (this.checkpoint(index) <= after) await this.#waitForMove(index, after, timeoutMs, signal)
    return this.checkpoint(index)
  }

  async #waitForMove(index: IndexMeta, after: number, timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const end = performance.now() + timeoutMs
    for (let left = timeoutMs; left > 0 && !signal?.aborted; left = end - performance.now()) {
      await this.#checkpoints.moved(index.id, left, signal)
      if (this.checkpoint(index) > after || this.#closed) return
    }
  }

  stats: Documents['stats'] = (index) => {
    const table = this.#options.catalogue.table(index.table)
    return this.#stats.of(index.id, table, this.#visible.of(table.id))
  }

  #closed = false

  close: Documents['close'] = async () => {
    this.#closed = true
    this.#checkpoints.close()
    while (this.#running !== undefined) await this.#running
    await this.#sweep.close()
    await this.#disk.close()
    await this.#purge.close()
    await this.#log.flush()
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        await this.#pace()
        const shares = this.#queue.take()
        if (shares.length === 0 && (await this.#settled())) return
        if (shares.length > 0) await this.#commit(shares)
      }
    } finally {
      // A write may have come after the last look at the queue.
      this.#running = this.#queue.waiting > 0 ? this.#run() : undefined
    }
  }

  /** Waits for the last insert, or for the next write; true when nothing came and nothing is left to do. */
  async #settled(): Promise<boolean> {
    const arrival = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await Promise.race([this.#previous, arrival])
    if (this.#queue.waiting > 0) return false
    try {
      await this.#log.flush()
    } catch (thrown) {
      this.#options.logger.warn({ error: thrown }, 'finished commits could not be noted; they are when the next one is')
    }
    return this.#queue.waiting === 0
  }

  async #pace(): Promise<void> {
    const restMs = this.#lastCommitMs + this.#limits.commitIntervalMs - performance.now()
    if (restMs > 0 && this.#queue.waiting < this.#limits.smallBatchOperations && !this.#closed) await sleep(restMs)
    this.#lastCommitMs = performance.now()
  }

  async #commit(given: readonly BatchShare[]): Promise<void> {
    let shares = given
    let written: WrittenBatch | undefined
    try {
      const { pressure, waitMs } = await this.#disk.look(bytesOf(given))
      if (waitMs > 0 && !this.#closed) await sleep(waitMs)
      shares = admitted(given, pressure)
      if (shares.length === 0) return
      written = await this.#write(shares)
      if (!(await this.#previous)) {
        await this.#discard(written)
        this.#previous = Promise.resolve(true)
        written = await this.#write(shares)
      }
      await this.#begin(written)
    } catch (thrown) {
      if (written !== undefined) await this.#discard(written)
      this.#answerError(shares, thrown)
      return
    }
    this.#inserting = written.draft.states
    this.#previous = this.#insert(shares, written)
  }

  /** Prepares a batch and puts its segments on disk. */
  async #write(shares: readonly BatchShare[]): Promise<WrittenBatch> {
    const { engine, catalogue, now, directory } = this.#options
    const prepared = await prepareBatch(
      shares.flatMap((share) => share.operations),
      {
        engine,
        catalogue,
        visible: this.#visible,
        longTexts: this.#longTexts,
        knownState: (index, id) => this.#knownState(index, id),
        nextSeq: () => this.#nextSeq,
        nextSeqNo: (index) => this.#log.nextSeqNo(index),
        nextId: this.#nextId,
        now,
      },
    )
    const segments: SegmentRecord[] = await Promise.all(
      prepared.segments.map(async ({ record, content }) => {
        return { ...record, checksum: await writeSegment(directory, record.file, content) }
      }),
    )
    if (segments.length > 0) await flushDirectory(directory)
    return { ...prepared, record: { seq: prepared.draft.nextSeq - 1, segments, dead: prepared.draft.dead() } }
  }

  #knownState(index: number, id: string): DocumentState {
    const key = documentKey(index, id)
    return this.#inserting.get(key) ?? this.#tombstones.get(key, this.#options.now())
  }

  /** Makes a batch durable; from here on it is carried out, or given up with a record of its own. */
  async #begin({ draft, record }: WrittenBatch): Promise<void> {
    if (draft.nextSeq === this.#nextSeq) return
    for (const index of draft.nextSeqNos.keys()) this.#checkpoints.of(index, () => this.#log.nextSeqNo(index) - 1)
    await this.#log.begin(record, draft.nextSeq, draft.nextSeqNos)
    this.#nextSeq = draft.nextSeq
  }

  /** Never rejects: false when the engine did not take the rows. */
  async #insert(shares: readonly BatchShare[], written: WrittenBatch): Promise<boolean> {
    const { record, draft } = written
    const { engine, directory } = this.#options
    let failure: unknown
    try {
      // All come to an end, also when one fails: after that nothing of this batch may still arrive.
      const inserts = record.segments.map((segment) => insertSegment(engine, directory, segment))
      const failed = (await Promise.allSettled(inserts)).find(({ status }) => status === 'rejected')
      if (failed?.status === 'rejected') throw failed.reason
    } catch (thrown) {
      failure = thrown ?? new Error('BUG: nothing was thrown')
    }
    // When the insert failed part of it may be there: the batch's own rows take the place of those it would have replaced.
    const finished = failure === undefined ? record : { ...record, segments: [], dead: ownRows(written) }
    this.#visible.commit(finished.seq, finished.dead, tablesOf(finished))
    if (failure === undefined) this.#remember(written)
    this.#inserting = new Map()
    for (const [index, next] of draft.nextSeqNos) this.#checkpoints.reach(index, next - 1)
    this.#log.inserted(finished)
    if (finished.dead.length > 0) this.#purge.add({ ...finished, segments: [] })
    if (failure === undefined) answer(shares, draft.results)
    else this.#answerError(shares, failure)
    await this.#discard(written)
    return failure === undefined
  }

  #remember({ draft }: WrittenBatch): void {
    const nowMs = this.#options.now()
    for (const [key, state] of draft.states) {
      if (state.state === 'deleted') this.#tombstones.set(key, state, nowMs)
      else this.#tombstones.remove(key)
    }
  }

  /** Removes the segment files of a batch. One that stays is removed at the next start. */
  async #discard({ segments }: WrittenBatch): Promise<void> {
    const { directory, logger } = this.#options
    try {
      await Promise.all(segments.map(({ record }) => removeSegment(directory, record.file)))
    } catch (thrown) {
      logger.warn({ error: thrown }, 'a segment file could not be removed')
    }
  }

  #answerError(shares: readonly BatchShare[], thrown: unknown): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    this.#options.logger.error({ error }, 'a batch of writes was not stored')
    if (isDiskFull(error)) answerFull(shares)
    else
      for (const { operations, answer: give } of shares)
        give(operations.map(({ index, id }): WriteResult => ({ index, id, error })))
  }
}

async function insertSegment(engine: Engine, directory: string, segment: SegmentRecord): Promise<void> {
  try {
    await engine.insertSegment(insertOf(segment, directory))
  } catch (thrown) {
    // All indices of the table were deleted a moment ago, and these rows with them.
    if (!isTableGone(thrown)) throw thrown
  }
}

function tablesOf({ segments }: CommitRecord): number[] {
  return segments.map(({ tableId }) => tableId)
}

function answer(shares: readonly BatchShare[], results: readonly WriteResult[]): void {
  let at = 0
  for (const { operations, answer: give } of shares) {
    give(results.slice(at, at + operations.length))
    at += operations.length
  }
}

function bytesOf(shares: readonly BatchShare[]): number {
  let bytes = 0
  for (const { operations } of shares) for (const { source } of operations) bytes += source?.length ?? 0
  return bytes
}

function ownRows({ draft, record }: WrittenBatch): DeadRows[] {
  return record.segments.map(({ tableId, table, partition }) => {
    const own = draft.staged.filter((rows) => rows.table === tableId && rows.slot === partition)
    return { table: tableId, tableName: table, partition, sequences: own.flatMap((rows) => rows.sequences()) }
  })
}

function isDiskFull(error: Error): boolean {
  if (isAppError(error)) return error.code === 'engine_disk_full' || error.code === 'store_write_failed'
  return 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
