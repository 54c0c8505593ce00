import { setTimeout as sleep } from 'node:timers/promises'
import { isAppError, searchErrors } from '@logstack/errors'
import type { WriteResult } from '../../documents/documents.ts'
import type { Hold } from '../../documents/visibility.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { noSuchIndex } from '../../indices/index-names.ts'
import type { Scope } from '../../model/scope.ts'
import { Turns } from '../../painless/turns.ts'
import type { Services } from '../../services.ts'
import { type Task, tasksOf } from '../../tasks/tasks.ts'
import { Throttle } from '../../tasks/throttle.ts'
import { renderCause, statusOf } from '../render-error.ts'
import { onShards } from '../resources/shard-failure.ts'
import { type ByQueryKind, newProgress, type Progress, showProgress } from './by-query-progress.ts'
import {
  findMatching,
  IndexGone,
  type Matching,
  type MatchingDocument,
  type MatchRequest,
} from './matching-documents.ts'
import { type WriteWaits, writeDocuments } from './write-documents.ts'

/** What a by-query request does to each document: the write, or nothing. */
export type MakeWrite = (document: MatchingDocument) => WriteOperation | 'noop'

/** How a by-query job goes about it. */
export interface ByQueryOptions {
  readonly kind: ByQueryKind
  readonly make: MakeWrite
  readonly scope: Scope
  readonly maxDocs: number
  /** `proceed` counts version conflicts and goes on. */
  readonly proceed: boolean
  /** Documents a second; Infinity without a limit. */
  readonly rate: number
  /** How many workers share the documents. */
  readonly slices: number
  readonly waits: WriteWaits
}

/** What a job came to: the body of its answer, and the HTTP status of the worst failure. */
export interface ByQueryAnswer {
  readonly status: number
  readonly json: Readonly<Record<string, unknown>>
}

/** What to look for; the job's own signal ends it. */
export interface ByQueryMatch extends Omit<MatchRequest, 'signal'> {
  /** Finds the documents elsewhere; `onRetry` hears of questions that were asked again. */
  readonly elsewhere?: (signal: AbortSignal, onRetry: () => void) => Promise<Matching>
}

/** Finds documents and writes to each, batch by batch; what was found stays readable until it is written. Ends early at a failure or when cancelled. */
export async function runByQuery(
  services: Services,
  task: Task,
  match: ByQueryMatch,
  options: ByQueryOptions,
  signal: AbortSignal,
): Promise<ByQueryAnswer> {
  const started = services.now()
  const hold = services.documents.holdUntilDone()
  try {
    const workers = await runWorkers(services, task, match, { ...options, hold }, signal)
    const failures = workers.flatMap((worker) => worker.failures)
    const took = Math.max(0, services.now() - started)
    const json = { took, timed_out: false, ...showProgress(workers, options.kind), failures }
    return { status: failures.reduce((worst, failure) => Math.max(worst, failure.status), 200), json }
  } finally {
    hold.release()
  }
}

/** A job that runs, and what it holds. */
type Holding = ByQueryOptions & { readonly hold: Hold }

async function runWorkers(
  services: Services,
  task: Task,
  match: ByQueryMatch,
  options: Holding,
  signal: AbortSignal,
): Promise<Progress[]> {
  const { slices, rate, maxDocs } = options
  const workers = Array.from({ length: slices }, () =>
    newProgress(new Throttle(rate / slices, () => performance.now())),
  )
  task.status = () => showProgress(workers)
  task.rethrottle = (changed) => {
    for (const { throttle } of workers) throttle.change(changed / slices)
  }
  const tasks = tasksOf(services)
  const runs = workers.map(async (worker, id) => {
    if (slices === 1) return runWorker(services, match, { ...options, task, signal }, worker)
    const { action, description, headers = {} } = task
    const child = tasks.begin({ action, description, cancellable: true, headers, parent: task })
    child.status = () => ({ slice_id: id, ...showProgress([worker]) })
    child.rethrottle = (changed) => worker.throttle.change(changed)
    const own = { ...options, maxDocs: shareOf(maxDocs, slices, id), task: child, signal: joined(signal, child.signal) }
    try {
      await runWorker(services, { ...match, slice: { id, max: slices } }, own, worker)
    } finally {
      tasks.end(child)
    }
  })
  // All come to an end, also when one fails: none may go on writing after the answer.
  const failed = (await Promise.allSettled(runs)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return workers
}

function joined(...signals: readonly AbortSignal[]): AbortSignal {
  return AbortSignal.any([...signals])
}

function shareOf(maxDocs: number, slices: number, at: number): number {
  if (!Number.isFinite(maxDocs)) return maxDocs
  return Math.floor(maxDocs / slices) + (at < maxDocs % slices ? 1 : 0)
}

interface Worker extends Holding {
  readonly task: Task
  readonly signal: AbortSignal
}

async function runWorker(services: Services, match: ByQueryMatch, own: Worker, progress: Progress): Promise<void> {
  try {
    await writeMatching(services, match, own, progress)
  } catch (thrown) {
    if (!own.task.signal.aborted) throw thrown
  }
  if (own.task.signal.aborted) progress.cancelled = 'by user request'
}

async function writeMatching(services: Services, match: ByQueryMatch, own: Worker, progress: Progress): Promise<void> {
  const { signal, maxDocs } = own
  // What another cluster answers is not said of shards here.
  const searched = <T>(work: () => Promise<T>): Promise<T> =>
    match.elsewhere ? work() : onShards(match.indices, services.catalogue.clusterUuid, work, true)
  const matching = await searched(() =>
    match.elsewhere
      ? match.elsewhere(signal, () => {
          progress.searchRetries++
        })
      : findMatching(services, { ...match, signal }),
  )
  progress.total = Math.min(matching.total, maxDocs)
  const read = matching.batches()[Symbol.asyncIterator]()
  try {
    await writeBatches(services, matching, { next: () => searched(() => read.next()) }, { own, progress })
  } catch (thrown) {
    if (!(thrown instanceof IndexGone)) throw thrown
    const cause = noSuchIndex(thrown.index)
    progress.failures.push({ index: thrown.index, status: statusOf(cause), reason: renderCause(cause) })
  } finally {
    // What was opened to find them is closed, also when not all are wanted.
    await read.return?.()
  }
}

async function writeBatches(
  services: Services,
  matching: Matching,
  batches: AsyncIterator<MatchingDocument[]>,
  { own, progress }: { readonly own: Worker; readonly progress: Progress },
): Promise<void> {
  const { signal, maxDocs } = own
  // A job may take as long as it likes; others have their turn.
  const turns = new Turns(signal, Number.POSITIVE_INFINITY)
  let unread = matching.total
  let batch: readonly MatchingDocument[] = []
  let upcoming: ReturnType<typeof batches.next> | undefined
  for (;;) {
    if (batch.length === 0) {
      const next = await (upcoming ?? batches.next())
      if (next.done) break
      upcoming = undefined
      batch = next.value
      unread -= batch.length
      progress.batches++
    }
    const wanted = maxDocs - writtenBy(progress)
    const some = batch.slice(0, wanted)
    batch = batch.slice(some.length)
    // While these are written the next ones are read, unless these are as many as are wanted.
    if (batch.length === 0 && unread > 0 && some.length < wanted) upcoming = ahead(() => batches.next())
    const began = services.now()
    await writeBatch(services, some, own, progress, turns)
    const isOver = batch.length === 0 && unread <= 0
    if (isOver || writtenBy(progress) >= maxDocs || progress.failures.length > 0) break
    await progress.throttle.wait(some.length, services.now() - began, signal)
    signal.throwIfAborted()
  }
}

/** What `max_docs` counts, as in Elasticsearch: neither conflicts nor what nothing was done to. */
function writtenBy({ created, updated, deleted }: Progress): number {
  return created + updated + deleted
}

/** Begins what may be waited for later, or never: then nobody hears of its failure. */
function ahead<T>(work: () => Promise<T>): Promise<T> {
  const begun = work()
  begun.catch(() => undefined)
  return begun
}

async function writeBatch(
  services: Services,
  batch: readonly MatchingDocument[],
  options: Worker,
  progress: Progress,
  turns: Turns,
): Promise<void> {
  const writes: WriteOperation[] = []
  for (const document of batch) {
    const write = await turns.take(() => options.make(document))
    if (write === 'noop') progress.noops++
    else writes.push(write)
  }
  const results = await written(services, writes, options, progress)
  for (const result of results) count(result, options, progress)
  // What was replaced may go, however long the job takes: searches name each such row that is still there.
  options.hold.done(writes.flatMap(({ seen }, at) => (seen && isReplaced(results[at]) ? [seen.seq] : [])))
}

function isReplaced(result: WriteResult | undefined): boolean {
  return result !== undefined && !('error' in result) && result.result !== 'noop'
}

/** Waits before a batch is sent again to a queue that was full. */
const pausesMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 16_000, 16_000]

function written(
  services: Services,
  writes: readonly WriteOperation[],
  { scope, waits, signal }: Worker,
  progress: Progress,
): Promise<WriteResult[]> {
  const pauses = pausesMs.values()
  const whenFull = async (): Promise<boolean> => {
    const { value: pauseMs } = pauses.next()
    if (pauseMs === undefined) return false
    progress.bulkRetries++
    await sleep(pauseMs, undefined, { signal })
    return true
  }
  return writeDocuments(scope, writes, services, { ...waits, signal, whenFull })
}

function count(result: WriteResult, options: ByQueryOptions, progress: Progress): void {
  if (!('error' in result)) {
    if (result.result === 'created') progress.created++
    else if (result.result === 'deleted') progress.deleted++
    else if (result.result === 'updated') progress.updated++
    else progress.noops++
    return
  }
  const status = statusOf(result.error)
  if (isAppError(result.error) && result.error.code === searchErrors.version_conflict_engine_exception.code) {
    progress.conflicts++
    if (options.proceed) return
  }
  progress.failures.push({ index: result.index, id: result.id, cause: renderCause(result.error), status })
}
