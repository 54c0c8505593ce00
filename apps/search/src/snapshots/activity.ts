import { AppError, searchErrors } from '@logstack/errors'

/** A snapshot that is being made, or that failed since the start. */
export interface RunningSnapshot {
  readonly repository: string
  readonly snapshot: string
  readonly uuid: string
  readonly startMs: number
  readonly includeGlobalState: boolean
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly indices: readonly string[]
  readonly dataStreams: readonly string[]
  readonly shards: number
  /** Shards whose index is written. */
  doneShards: number
  files: number
  bytes: number
  /** Why it failed; undefined while it runs. */
  failure?: string
  readonly abort: AbortController
  /** Resolves when it has ended, however. */
  ended: Promise<unknown>
}

/** What an index was restored from, for `_recovery`. */
export interface Restored {
  readonly repository: string
  readonly snapshot: string
  readonly snapshotUuid: string
  /** The name it had in the snapshot. */
  readonly index: string
  readonly files: number
  readonly bytes: number
  readonly startMs: number
  readonly stopMs: number
}

const keyOf = (repository: string, snapshot: string): string => `${repository}:${snapshot}`

/** What one running search does with its repositories. Works that change one folder go one after another. */
export class SnapshotActivity {
  readonly #running = new Map<string, RunningSnapshot>()
  readonly #failed = new Map<string, RunningSnapshot>()
  readonly #restoring = new Map<symbol, string>()
  readonly #last = new Map<string, Promise<unknown>>()
  /** By the catalogue's id of the index. */
  readonly restored = new Map<number, Restored>()

  /** Runs works that change the folder one after another. */
  exclusive<T>(folder: string, work: () => Promise<T>): Promise<T> {
    const result = (this.#last.get(folder) ?? Promise.resolve()).then(work)
    this.#last.set(
      folder,
      result.catch(() => undefined),
    )
    return result
  }

  begin(snapshot: RunningSnapshot): void {
    this.#failed.delete(keyOf(snapshot.repository, snapshot.snapshot))
    this.#running.set(keyOf(snapshot.repository, snapshot.snapshot), snapshot)
  }

  /** Notes that a snapshot has ended; why it failed is kept until the next of its name, or the next start. */
  end(snapshot: RunningSnapshot, failure?: string): void {
    const key = keyOf(snapshot.repository, snapshot.snapshot)
    this.#running.delete(key)
    if (failure === undefined) return
    snapshot.failure = failure
    this.#failed.set(key, snapshot)
  }

  running(repository?: string): readonly RunningSnapshot[] {
    return [...this.#running.values()].filter((one) => repository === undefined || one.repository === repository)
  }

  failed(repository: string): readonly RunningSnapshot[] {
    return [...this.#failed.values()].filter((one) => one.repository === repository)
  }

  /** Forgets a failure; false when there is none. */
  forgetFailed(repository: string, snapshot: string): boolean {
    return this.#failed.delete(keyOf(repository, snapshot))
  }

  /** Notes a restore from a folder; the function given back ends it. */
  restoring(folder: string): () => void {
    const key = Symbol(folder)
    this.#restoring.set(key, folder)
    return () => void this.#restoring.delete(key)
  }

  /** Throws `concurrent_snapshot_execution_exception` while something is restored from the folder. */
  refuseWhileRestoring(folder: string, what: string): void {
    if (![...this.#restoring.values()].includes(folder)) return
    throw new AppError(
      searchErrors.concurrent_snapshot_execution_exception,
      `${what} cannot delete snapshot during a restore in progress`,
    )
  }
}

const made = new WeakMap<object, SnapshotActivity>()

/** What one running search does with its repositories. */
export function activityOf(services: object): SnapshotActivity {
  const known = made.get(services)
  if (known) return known
  const activity = new SnapshotActivity()
  made.set(services, activity)
  return activity
}
