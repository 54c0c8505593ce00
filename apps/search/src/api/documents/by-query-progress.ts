import { Double } from '../../json/print-json.ts'
import type { Throttle } from '../../tasks/throttle.ts'

/** What a by-query job does with what it finds. */
export type ByQueryKind = 'update' | 'delete' | 'reindex'

/** A document that could not be written. */
export interface Failure {
  readonly index: string
  readonly id: string | undefined
  readonly cause: unknown
  readonly status: number
}

/** An index whose documents could not be read to the end. */
export interface ReadFailure {
  readonly index: string
  readonly status: number
  readonly reason: unknown
}

/** How far one worker of a by-query job has come. */
export interface Progress {
  total: number
  updated: number
  created: number
  deleted: number
  noops: number
  conflicts: number
  batches: number
  /** How often a batch was sent once more to a queue of writes that had been full. */
  bulkRetries: number
  /** How often another cluster was asked once more. */
  searchRetries: number
  /** Why it ended early, when it was cancelled. */
  cancelled: string | undefined
  readonly throttle: Throttle
  readonly failures: (Failure | ReadFailure)[]
}

/** A worker that has done nothing yet. */
export function newProgress(throttle: Throttle): Progress {
  const none = { total: 0, updated: 0, created: 0, deleted: 0, noops: 0, conflicts: 0, batches: 0 }
  return { ...none, bulkRetries: 0, searchRetries: 0, cancelled: undefined, throttle, failures: [] }
}

type Count = Exclude<keyof Progress, 'cancelled' | 'throttle' | 'failures'>

/** Elasticsearch's body of a job: the sums of its workers, and each of them under `slices` when there are several. `kind` leaves out what cannot happen. */
export function showProgress(workers: readonly Progress[], kind?: ByQueryKind): Record<string, unknown> {
  const [only] = workers
  if (workers.length === 1 && only) return showOne([only], kind)
  const slices = workers.map((worker, at) => ({ slice_id: at, ...showOne([worker], undefined) }))
  return { ...showOne(workers, kind), slices }
}

function showOne(workers: readonly Progress[], kind: ByQueryKind | undefined): Record<string, unknown> {
  const sum = (of: Count): number => workers.reduce((total, worker) => total + worker[of], 0)
  const over = (of: (throttle: Throttle) => number): number[] => workers.map(({ throttle }) => of(throttle))
  const rate = over(({ rate: each }) => each).reduce((total, each) => total + each, 0)
  const cancelled = workers.find((worker) => worker.cancelled !== undefined)?.cancelled
  return {
    total: sum('total'),
    ...(kind === 'delete' ? {} : { updated: sum('updated') }),
    ...(kind === undefined || kind === 'reindex' ? { created: sum('created') } : {}),
    deleted: sum('deleted'),
    batches: sum('batches'),
    version_conflicts: sum('conflicts'),
    noops: sum('noops'),
    retries: { bulk: sum('bulkRetries'), search: sum('searchRetries') },
    throttled_millis: over(({ throttledMs }) => throttledMs).reduce((total, each) => total + each, 0),
    requests_per_second: new Double(Number.isFinite(rate) ? rate : -1),
    ...(cancelled === undefined ? {} : { canceled: cancelled }),
    throttled_until_millis: Math.max(0, ...over(({ untilMs }) => untilMs)),
  }
}
