import { mkdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@logstack/logging'
import { clusterSettings } from '../cluster-settings/read.ts'
import { watermarksOf } from '../cluster-settings/watermarks.ts'
import type { Engine } from '../engine/engine.ts'
import type { Catalogue } from '../indices/catalogue.ts'
import { isHeldBack } from '../indices/held-back.ts'
import type { Store } from '../store/store.ts'
import { createIdSource, type IdSource } from './automatic-id.ts'
import { BufferPool } from './buffer-pool.ts'
import { Checkpoints } from './checkpoints.ts'
import { columnValues } from './column-values.ts'
import { CommitApplier, type DurableCommit } from './commit-applier.ts'
import { CommitLog, type CommitRecord, tablesOf } from './commit-log.ts'
import { findShown, storedDocument } from './current-documents.ts'
import { admitted, answerFull, isDiskFull, showFlood, unstored } from './disk-gate.ts'
import { DiskGuard } from './disk-guard.ts'
import type { Documents, StoredDocument, WriteResult } from './documents.ts'
import type { Draft } from './draft.ts'
import { IndexStats } from './index-stats.ts'
import { KeptValues } from './kept-values.ts'
import { LongTexts } from './long-texts.ts'
import { NeedleColumns } from './needle-columns.ts'
import { PatchedTables } from './patched-tables.ts'
import { type PreparedBatch, prepareBatch, writePrepared } from './prepare-batch.ts'
import { Purge } from './purge.ts'
import { RecentIds } from './recent-ids.ts'
import { recover } from './recovery.ts'
import { type RestoredRowsContext, reserveRows, showRows } from './restored-rows.ts'
import { SegmentFiles } from './segment-files.ts'
import { Periodic, sweepDeletedIndices } from './sweep.ts'
import { TableContents } from './table-contents.ts'
import { Tombstones } from './tombstones.ts'
import { VisibleRows } from './visibility.ts'
import type { DocumentState } from './write-decision.ts'
import { defaultLimits, type WriteLimits } from './write-limits.ts'
import { answerShares, type BatchShare, bytesOfShares, WriteQueue } from './write-queue.ts'

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
  /** Memory for drafts; one of its own when absent. */
  readonly pool?: BufferPool
}

/** A batch that is being put on disk while the next one is drafted upon it. */
interface WritingBatch {
  readonly draft: Draft
  /** What its documents take. */
  readonly bytes: number
  /** Whether it became durable; never rejects. */
  readonly done: Promise<boolean>
}

/** Who looks after the disk. */
type Space = { readonly disk: DiskGuard; readonly files: SegmentFiles; readonly limits: WriteLimits }

/** Opens the documents: carries out unfinished commits, then takes writes. */
export async function createDocuments(options: DocumentsOptions): Promise<Documents> {
  await mkdir(options.directory, { recursive: true, mode: 0o700 })
  const log = new CommitLog(options.store)
  const { engine, directory, logger } = options
  const unfinished = await recover({ engine, log, directory, logger })
  const limits = { ...defaultLimits, ...options.limits }
  const files = new SegmentFiles(directory, logger, limits)
  const disk = await DiskGuard.open({
    directory,
    limits,
    logger,
    makeRoom: async (isShort) => (await files.release()) || (isShort && (await engine.endSpilling?.()) === true),
    watermarks: (totalBytes) => watermarksOf(totalBytes, clusterSettings(options.store)),
    onFlood: (isFlooded) => showFlood(isFlooded, options),
  })
  return new GroupCommit(options, log, unfinished, { disk, files, limits })
}

/**
 * One batch after the other becomes durable, and is answered then; the next one is drafted meanwhile. The applier puts what is durable into the
 * engine, several batches at once, and whoever reads waits for what was answered before.
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
  readonly #needles = new NeedleColumns()
  readonly #pool: BufferPool
  readonly #files: SegmentFiles
  readonly #ids: IdSource
  readonly #recentIds: RecentIds
  readonly #applier: CommitApplier
  readonly contents: TableContents
  readonly keptValues: KeptValues
  readonly patches: PatchedTables
  readonly #restoring: RestoredRowsContext
  /** What has to be done between two batches. */
  #between: (() => Promise<void>)[] = []
  #nextSeq: number
  #writing: WritingBatch | undefined
  #lastCommitMs = 0
  #running: Promise<void> | undefined

  constructor(options: DocumentsOptions, log: CommitLog, unfinished: readonly CommitRecord[], space: Space) {
    const { engine, catalogue, directory, logger } = options
    this.#options = options
    this.#limits = space.limits
    this.#log = log
    this.#pool = options.pool ?? new BufferPool()
    this.#files = space.files
    this.#recentIds = new RecentIds((index) => log.lastId(index))
    this.#disk = space.disk
    this.#queue = new WriteQueue(this.#limits)
    this.#nextSeq = log.nextSeq()
    this.#visible = new VisibleRows(this.#nextSeq - 1)
    this.#stats = new IndexStats(engine, () => performance.now())
    this.#ids = createIdSource(options.now)
    this.patches = new PatchedTables(engine, () => performance.now())
    this.#purge = new Purge({
      engine,
      log,
      visible: this.#visible,
      logger,
      limits: this.#limits,
      deleting: (table) => this.patches.deleting(table),
    })
    this.#applier = new CommitApplier({
      engine,
      directory,
      logger,
      limits: this.#limits,
      inserting: (commits) => this.contents.inserting(commits),
      show: (commits) => this.#show(commits),
      finished: (commits) => this.#finish(commits),
    })
    const isPending = (index: number): boolean => this.#applier.isPending(index)
    this.contents = new TableContents({ ...options, isPending, now: () => performance.now() })
    this.keptValues = new KeptValues(options.store, this.contents, options.now)
    this.#restoring = {
      log,
      applier: this.#applier,
      visible: this.#visible,
      checkpoints: this.#checkpoints,
      contents: this.contents,
      nextSeq: () => this.#nextSeq,
      setNextSeq: (next) => {
        this.#nextSeq = next
      },
    }
    this.#sweep = new Periodic(
      async () => {
        await sweepDeletedIndices({ engine, catalogue, log, logger, isPending })
        const seqOf = (table: number): number => this.#visible.of(table).seq
        await columnValues({ engine, documents: this }).keepUp(catalogue, seqOf)
      },
      this.#limits.sweepIntervalMs,
      (error) => logger.warn({ error }, 'deleted indices could not be swept, or values not read, yet'),
    )
    for (const record of unfinished) {
      this.#visible.commit(record.seq, record.dead, tablesOf(record))
      this.#purge.add(record)
    }
  }

  apply: Documents['apply'] = (operations) => {
    if (operations.length === 0) return Promise.resolve([])
    const answer = this.#queue.push(operations)
    this.#running ??= this.#run()
    return answer
  }

  get: Documents['get'] = async (index, ids, realtime = true) => {
    const found = new Map<string, StoredDocument | undefined>()
    for (const id of realtime ? ids : []) {
      const known = this.#applier.state(index.id, id)
      if (known !== undefined) found.set(id, known.state === 'live' ? storedDocument(id, known) : undefined)
    }
    const unknown = new Set(ids.filter((id) => !found.has(id)))
    // What was written without an id is known to the engine alone.
    if (realtime ? [...unknown].some((id) => this.#ids.made(id)) : !isHeldBack(index)) await this.shown([index.table])
    await findShown(this.#options, this.#visible, index, unknown, found)
    return ids.map((id) => found.get(id))
  }

  shown: Documents['shown'] = (tables) => this.#applier.shown(tables)
  refreshed: Documents['refreshed'] = (tables) => this.#applier.refreshed(tables)
  written: Documents['written'] = (tables) => this.#applier.written(new Set(tables))

  reserveRows: Documents['reserveRows'] = (index, count) =>
    this.#betweenBatches(() => reserveRows(this.#restoring, index, count))

  showRows: Documents['showRows'] = (index, nextSeqNo) =>
    this.#betweenBatches(() => showRows(this.#restoring, index, nextSeqNo))

  #betweenBatches<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#between.push(() => work().then(resolve, reject))
      this.#running ??= this.#run()
    })
  }

  pressure: Documents['pressure'] = () => this.#queue.pressure()
  visibility: Documents['visibility'] = (tableId) => this.#visible.of(tableId)
  hold: Documents['hold'] = (snapshots) => this.#visible.hold(snapshots).release
  holdUntilDone: Documents['holdUntilDone'] = () => this.#visible.hold()
  expired: Documents['expired'] = (table) => this.#visible.expire(table)

  checkpoint: Documents['checkpoint'] = ({ id }) => this.#checkpoints.of(id, () => this.#log.nextSeqNo(id) - 1)

  waitForCheckpoint: Documents['waitForCheckpoint'] = async (index, after, timeoutMs, signal) => {
    const isOver = (): boolean => this.checkpoint(index) > after || this.#closed
    if (!isOver()) await this.#checkpoints.movedUntil(isOver, index.id, timeoutMs, signal)
    return this.checkpoint(index)
  }

  pending: Documents['pending'] = (index) => ({
    operations: this.#log.nextSeqNo(index.id) - 1 - this.checkpoint(index),
    bytes: this.#applier.bytesOf(index.id),
  })

  stats: Documents['stats'] = async (index) => {
    await this.shown([index.table])
    const table = this.#options.catalogue.table(index.table)
    return this.#stats.of(index.id, table, this.#visible.of(table.id), this.#visible.seq)
  }

  #closed = false

  close: Documents['close'] = async () => {
    this.#closed = true
    this.#checkpoints.close()
    while (this.#running !== undefined) await this.#running
    await this.#applier.close()
    await this.#files.close()
    await this.#sweep.close()
    await this.#disk.close()
    await this.#purge.close()
    await this.#log.flush()
    await columnValues({ engine: this.#options.engine, documents: this }).close(this.#options)
  }

  async #run(): Promise<void> {
    try {
      for (;;) {
        await this.#pace()
        // Few writes wait for the batch before them, and share the next one with what comes meanwhile.
        if (this.#between.length > 0 || this.#queue.waiting <= this.#limits.smallBatchOperations)
          await this.#writing?.done
        for (const work of this.#between.splice(0)) await work()
        const shares = this.#queue.take()
        if (shares.length > 0) await this.#commit(shares)
        else if (this.#between.length === 0) return
      }
    } finally {
      // A write may have come after the last look at the queue.
      this.#running = this.#queue.waiting + this.#between.length > 0 ? this.#run() : undefined
    }
  }

  async #pace(): Promise<void> {
    const restMs = this.#lastCommitMs + this.#limits.commitIntervalMs - performance.now()
    if (restMs > 0 && this.#queue.waiting < this.#limits.smallBatchOperations && !this.#closed) await sleep(restMs)
    this.#lastCommitMs = performance.now()
  }

  /** Drafts a batch and starts to put it on disk, after the batch before it. */
  async #commit(given: readonly BatchShare[]): Promise<void> {
    let shares = given
    try {
      await this.#applier.room()
      const before = this.#writing
      const pendingBytes = this.#applier.bytes + (before?.bytes ?? 0)
      const { pressure, waitMs } = await this.#disk.look(bytesOfShares(given), pendingBytes)
      if (waitMs > 0 && !this.#closed) await sleep(waitMs)
      shares = admitted(given, pressure)
      if (shares.length === 0) return
      let prepared = await this.#prepare(shares, before?.draft)
      // What it was drafted upon may never have come to be.
      if (before !== undefined && !(await before.done)) prepared = await this.#prepare(shares, undefined)
      this.#writing = { draft: prepared.draft, bytes: bytesOfShares(shares), done: this.#carryOut(shares, prepared) }
    } catch (thrown) {
      this.#answerError(shares, thrown)
    }
  }

  /** Makes a batch durable and answers it; false when it could not be. */
  async #carryOut(shares: readonly BatchShare[], batch: PreparedBatch): Promise<boolean> {
    const { draft, segments } = batch
    const { states, nextSeqNos } = draft
    const { catalogue, directory } = this.#options
    let record: CommitRecord
    try {
      record = {
        seq: draft.nextSeq - 1,
        segments: await writePrepared(batch, directory, this.#files),
        dead: draft.dead(),
      }
      await this.#begin(draft, record)
    } catch (thrown) {
      await this.#files.remove(segments.map((segment) => segment.record))
      this.#writing = undefined
      this.#answerError(shares, thrown)
      return false
    }
    const isHeld = [...nextSeqNos.keys()].every((id) => {
      const index = catalogue.indexById(id)
      return index !== undefined && isHeldBack(index)
    })
    if (nextSeqNos.size > 0) this.#applier.add({ record, states, nextSeqNos, unnamed: draft.unnamed, isHeld })
    this.#writing = undefined
    answerShares(shares, draft.results)
    return true
  }

  /** Works a batch out upon `before`, which is not durable yet. */
  #prepare(shares: readonly BatchShare[], before: Draft | undefined): Promise<PreparedBatch> {
    const { engine, catalogue, now } = this.#options
    return prepareBatch(
      shares.flatMap((share) => share.operations),
      {
        engine,
        catalogue,
        visible: this.#visible,
        longTexts: this.#longTexts,
        needles: this.#needles,
        pool: this.#pool,
        knownState: (index, id) => before?.states.get(index, id) ?? this.#knownState(index, id),
        isNew: (index, id) => this.#recentIds.isNew(index, id),
        nextSeq: () => before?.nextSeq ?? this.#nextSeq,
        nextSeqNo: (index) => before?.nextSeqNos.get(index) ?? this.#log.nextSeqNo(index),
        ids: this.#ids,
        holdsUnnamed: (index) => this.#applier.holdsUnnamed(index),
        settled: (tables) => this.#applier.settled(tables),
        now,
      },
    )
  }

  #knownState(index: number, id: string): DocumentState {
    return this.#applier.state(index, id) ?? this.#tombstones.get(index, id, this.#options.now())
  }

  /** Writes down that a batch is durable: from here on it is carried out, come what may. */
  async #begin(draft: Draft, record: CommitRecord): Promise<void> {
    if (draft.nextSeq === this.#nextSeq) return
    for (const index of draft.nextSeqNos.keys()) this.#checkpoints.of(index, () => this.#log.nextSeqNo(index) - 1)
    await this.#log.begin(record, draft.nextSeq, draft.nextSeqNos, draft.lastIds)
    this.#nextSeq = draft.nextSeq
  }

  /** Between two turns of the event loop: no reader sees one write of a commit without the others. */
  #show(commits: readonly DurableCommit[]): void {
    const nowMs = this.#options.now()
    for (const { record, states, nextSeqNos } of commits) {
      this.#visible.commit(record.seq, record.dead, tablesOf(record))
      states.each((state, index, id) => {
        if (state.state === 'deleted') this.#tombstones.set(index, id, state, nowMs)
        else this.#tombstones.remove(index, id)
      })
      for (const [index, next] of nextSeqNos) this.#checkpoints.reach(index, next - 1)
      this.#log.inserted(record)
      if (record.dead.length > 0) this.#purge.add({ ...record, segments: [] })
    }
  }

  /** Removes the segments of shown commits, and notes that they are finished when no commit comes that would note it with its own. */
  async #finish(commits: readonly DurableCommit[]): Promise<void> {
    for (const { record } of commits) await this.#files.spare(record.segments)
    if (this.#running !== undefined || this.#closed) return
    try {
      await this.#log.flush()
    } catch (thrown) {
      this.#options.logger.warn({ error: thrown }, 'finished commits could not be noted; they are when the next one is')
    }
  }

  #answerError(shares: readonly BatchShare[], thrown: unknown): void {
    const error = unstored(thrown)
    this.#options.logger.error({ error }, 'a batch of writes was not stored')
    if (isDiskFull(error)) answerFull(shares)
    else
      for (const { operations, answer: give } of shares)
        give(operations.map(({ index, id }): WriteResult => ({ index, id, error })))
  }
}
