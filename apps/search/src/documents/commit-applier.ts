import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import { ByDocument } from './by-document.ts'
import type { CommitRecord } from './commit-log.ts'
import { insertMissing, insertTogether } from './segment-inserts.ts'
import type { DocumentState } from './write-decision.ts'

/** When the rows of durable commits go to the engine. */
export interface ApplyLimits {
  /** The longest a commit waits for others to go with, unless somebody reads; Elasticsearch's `index.refresh_interval`. */
  readonly refreshIntervalMs: number
  /** The same for commits to indices that are held back from searches. */
  readonly heldIntervalMs: number
  /** So many bytes of segments wait for nothing. */
  readonly applyBytes: number
  /** Beyond so many bytes of segments nothing more is committed. */
  readonly pendingBytesMax: number
  /** The longest a read waits for what was written before it. */
  readonly readWaitMs: number
  /** After an insert that failed. */
  readonly applyRetryMs: number
  /** After so many failures what the engine refuses for its content is put aside. */
  readonly applyAttemptsMax: number
}

/** What is known of a document that was written or deleted. */
export type KnownState = Exclude<DocumentState, undefined>

/** A commit that is durable: its writes are answered, its rows not in the engine yet. */
export interface DurableCommit {
  readonly record: CommitRecord
  /** What it left of the documents that have an id of their client's. */
  readonly states: ByDocument<KnownState>
  /** The next `_seq_no` of each index it wrote to. */
  readonly nextSeqNos: ReadonlyMap<number, number>
  /** The indices in which it gave a document its id. */
  readonly unnamed: ReadonlySet<number>
  /** Whether all indices it wrote to show it only when they are refreshed. */
  readonly isHeld: boolean
}

/** What an applier works with. */
export interface CommitApplierOptions {
  readonly engine: Engine
  /** The directory of segment files. */
  readonly directory: string
  readonly logger: Logger
  readonly limits: ApplyLimits
  /** Told before rows of commits go to the engine. */
  inserting(commits: readonly DurableCommit[]): void
  /** Shows commits whose rows are all in the engine, at once. */
  show(commits: readonly DurableCommit[]): void
  /** Told after that, before the next are applied. */
  finished(commits: readonly DurableCommit[]): Promise<void>
}

/** A promise that others resolve. */
class Signal {
  readonly given: Promise<void>
  give: () => void = () => undefined

  constructor() {
    this.given = new Promise((resolve) => {
      this.give = resolve
    })
  }
}

/** Commits that are applied together, and whether that was tried. */
interface Group {
  readonly commits: DurableCommit[]
  /** Of their segments. */
  bytes: number
  readonly tried: Signal
}

const emptyGroup = (): Group => ({ commits: [], bytes: 0, tried: new Signal() })
const bytesOf = ({ record }: DurableCommit): number => record.segments.reduce((sum, { bytes }) => sum + bytes, 0)

/**
 * Puts durable commits into the engine, in their order, as many together as have come: each insert costs the engine a fixed time for every column
 * of the table. What fails is tried again until it succeeds; a commit that was promised is never given up.
 */
export class CommitApplier {
  readonly #options: CommitApplierOptions
  readonly #states = new ByDocument<KnownState>()
  #waiting = emptyGroup()
  #applying: Group | undefined
  #isDue = false
  #timer: NodeJS.Timeout | undefined
  /** When the timer ends. */
  #dueMs = 0
  #running: Promise<void> | undefined
  #failure: unknown
  readonly #closing = new AbortController()

  constructor(options: CommitApplierOptions) {
    this.#options = options
  }

  /** Of the segments that are not in the engine yet. */
  get bytes(): number {
    return this.#groups().reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The state of a document that the engine does not show yet. */
  state(index: number, id: string): KnownState | undefined {
    return this.#states.get(index, id)
  }

  /** Of the segments with rows of an index. */
  bytesOf(index: number): number {
    const commits = this.#groups().flatMap((group) => group.commits)
    return commits.reduce((sum, commit) => sum + (commit.nextSeqNos.has(index) ? bytesOf(commit) : 0), 0)
  }

  /** Whether rows of an index may still come to the engine. */
  isPending(index: number): boolean {
    return this.#groups().some(({ commits }) => commits.some(({ nextSeqNos }) => nextSeqNos.has(index)))
  }

  /** Whether documents of an index that were written without an id wait: the engine alone will know them. */
  holdsUnnamed(index: number): boolean {
    return this.#groups().some(({ commits }) => commits.some(({ unnamed }) => unnamed.has(index)))
  }

  add(commit: DurableCommit): void {
    this.#waiting.commits.push(commit)
    this.#waiting.bytes += bytesOf(commit)
    commit.states.each((state, index, id) => {
      this.#states.set(index, id, state)
    })
    const { applyBytes, refreshIntervalMs, heldIntervalMs } = this.#options.limits
    // What is being inserted does not count: else every other insert would be a small one, and small parts are merged the more often.
    if (this.#waiting.bytes >= applyBytes) this.#start()
    else this.#startWithin(commit.isHeld ? heldIntervalMs : refreshIntervalMs)
  }

  #startWithin(delayMs: number): void {
    const dueMs = performance.now() + delayMs
    if (this.#timer !== undefined && this.#dueMs <= dueMs) return
    clearTimeout(this.#timer)
    this.#dueMs = dueMs
    this.#timer = setTimeout(() => this.#start(), delayMs).unref()
  }

  /** Resolves when there is room for more commits. Throws why there is none where the engine takes nothing. */
  async room(): Promise<void> {
    while (this.bytes >= this.#options.limits.pendingBytesMax && !this.#closing.signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure
      await this.#tried(this.#applying ?? this.#waiting)
    }
  }

  /** Resolves when all that was added for these tables is shown, could not be for now, or takes longer than a search waits. */
  async shown(tables: Iterable<number>): Promise<void> {
    const last = this.#lastTouching(new Set(tables))
    if (last === undefined) return
    const longest = new Signal()
    const timer = setTimeout(longest.give, this.#options.limits.readWaitMs)
    await Promise.race([this.#tried(last), longest.given])
    clearTimeout(timer)
  }

  /** As `shown`, however long the engine takes. */
  async refreshed(tables: Iterable<number>): Promise<void> {
    const last = this.#lastTouching(new Set(tables))
    if (last !== undefined) await this.#tried(last)
  }

  /** Resolves when all that was added for these tables is shown. Throws why it is not where the engine takes nothing. */
  async settled(tables: ReadonlySet<number>): Promise<void> {
    while (this.#lastTouching(tables) !== undefined && !this.#closing.signal.aborted) {
      if (this.#failure !== undefined) throw this.#failure
      await this.#tried(this.#applying ?? this.#waiting)
    }
  }

  /** Resolves when what was added for these tables before this call is shown. Throws why it is not where the engine takes nothing. */
  async written(tables: ReadonlySet<number>): Promise<void> {
    const last = this.#lastTouching(tables)
    while (last !== undefined && this.#groups().includes(last) && !this.#closing.signal.aborted) {
      await this.#tried(last)
      if (this.#failure !== undefined && this.#groups().includes(last)) throw this.#failure
    }
  }

  #lastTouching(tables: ReadonlySet<number>): Group | undefined {
    const touches = ({ record: { segments, dead } }: DurableCommit): boolean =>
      segments.some(({ tableId }) => tables.has(tableId)) || dead.some(({ table }) => tables.has(table))
    return this.#groups().findLast(({ commits }) => commits.some(touches))
  }

  /** Applies what is left, once; from the first that fails on it is carried out at the next start. */
  async close(): Promise<void> {
    // Before the end is known: an attempt that fails after it is the last.
    if (this.#waiting.commits.length > 0) this.#start()
    this.#closing.abort()
    while (this.#running !== undefined) await this.#running
    clearTimeout(this.#timer)
  }

  #groups(): readonly Group[] {
    return this.#applying === undefined ? [this.#waiting] : [this.#applying, this.#waiting]
  }

  async #tried(group: Group): Promise<void> {
    if (group === this.#waiting) this.#start()
    await group.tried.given
  }

  #start(): void {
    this.#isDue = true
    this.#running ??= this.#run()
  }

  async #run(): Promise<void> {
    try {
      // None goes before one that failed: what it replaces must be there first.
      while (this.#isDue && this.#waiting.commits.length > 0) if (!(await this.#applyWaiting())) return
    } finally {
      this.#running = undefined
    }
  }

  /** False when it failed until the end. */
  async #applyWaiting(): Promise<boolean> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDue = false
    const group = this.#waiting
    this.#waiting = emptyGroup()
    this.#applying = group
    this.#options.inserting(group.commits)
    const isApplied = await this.#apply(group)
    this.#applying = undefined
    if (isApplied) this.#show(group)
    group.tried.give()
    if (isApplied) await this.#options.finished(group.commits)
    return isApplied
  }

  /** Tries until it succeeds, or until the end. */
  async #apply({ commits, tried }: Group): Promise<boolean> {
    const { limits, logger } = this.#options
    const segments = commits.flatMap(({ record }) => record.segments)
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (attempt === 1) await insertTogether(segments, this.#options)
        else await insertMissing(segments, this.#options, attempt > limits.applyAttemptsMax, this.#failure)
        this.#failure = undefined
        return true
      } catch (thrown) {
        this.#failure = thrown
        logger.error({ error: thrown, attempt }, 'rows that are safe in the log could not be inserted yet')
      }
      // Readers go on with what is there.
      tried.give()
      if (!(await this.#pause(limits.applyRetryMs))) return false
    }
  }

  /** False when the end comes meanwhile. */
  async #pause(pauseMs: number): Promise<boolean> {
    const { signal } = this.#closing
    await pause(pauseMs, undefined, { signal }).catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown
    })
    return !signal.aborted
  }

  #show({ commits }: Group): void {
    this.#options.show(commits)
    for (const commit of commits) {
      commit.states.each((state, index, id) => {
        // A later commit's state of the document stays.
        if (this.#states.get(index, id) === state) this.#states.delete(index, id)
      })
    }
  }
}
