import { randomBytes } from 'node:crypto'
import { AppError, isAppError, searchErrors } from '@logstack/errors'
import { clusterBytes } from '../../cluster-settings/read.ts'
import { identityOf, type Scope } from '../../model/scope.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import type { Services } from '../../services.ts'
import { type Task, tasksOf } from '../../tasks/tasks.ts'

/** Searches that run or are kept at a time: every panel of a dashboard is one while it is drawn, and for days where it is sent to the background. Their answers have a limit of their own. */
const searchesMax = 5_000
/** All answers that are kept together, as they lie in memory. */
const answersBytesMax = 128 * 1024 ** 2
/** As long as a timer of Node can wait; a longer life ends by the look at the clock. */
const timerMsMax = 2 ** 31 - 1

/** A search that goes on when its request has been answered, and what came of it. */
export interface AsyncSearch {
  readonly id: string
  /** Elasticsearch's name for how it was begun. */
  readonly action: string
  readonly startedAtMs: number
  readonly expiresAtMs: number
  readonly completedAtMs: number | undefined
  /** Whether aggregations are named with their types. */
  readonly typedKeys: boolean
  /** Its answer, that of `_search` for `_async_search`, once there is one. */
  readonly answer: Buffer | undefined
  /** Why there is none. */
  readonly failure: unknown
}

/** The action of searches that `_async_search` begins. */
const asyncSearchAction = 'indices:data/read/async_search/submit'

/** How one begins. */
export interface AsyncSearchStart {
  readonly scope: Scope
  /** That of `_async_search` unless it is another API's. */
  readonly action?: string
  readonly description: string
  readonly headers: Readonly<Record<string, string>>
  readonly keepAliveMs: number
  readonly typedKeys: boolean
  /** Answers the JSON of the search; its signal aborts when the search is deleted, cancelled or out of time. */
  readonly run: (signal: AbortSignal) => Promise<Buffer>
}

interface Entry extends AsyncSearch {
  expiresAtMs: number
  completedAtMs: number | undefined
  answer: Buffer | undefined
  failure: unknown
  readonly owner: string
  readonly task: Task
  timer: NodeJS.Timeout | undefined
}

/** The asynchronous searches of their users, in memory: they end with their time, when they are deleted, or when search stops. */
export class AsyncSearches {
  readonly #entries = new Map<string, Entry>()
  readonly #services: Services

  constructor(services: Services) {
    this.#services = services
  }

  /** Begins a search; it is found by its id until it is deleted. */
  begin(start: AsyncSearchStart): AsyncSearch {
    this.#expire()
    if (this.#entries.size >= searchesMax)
      throw new AppError(
        searchErrors.es_rejected_execution_exception,
        `Trying to keep too many asynchronous searches. Must be less than or equal to: [${searchesMax}]`,
      )
    const { action = asyncSearchAction } = start
    const task = tasksOf(this.#services).begin({
      action,
      description: start.description,
      cancellable: true,
      headers: start.headers,
    })
    const nowMs = this.#services.now()
    const entry: Entry = {
      id: randomBytes(33).toString('base64url'),
      action,
      startedAtMs: nowMs,
      expiresAtMs: nowMs + start.keepAliveMs,
      completedAtMs: undefined,
      typedKeys: start.typedKeys,
      answer: undefined,
      failure: undefined,
      owner: identityOf(start.scope.principal),
      task,
      timer: undefined,
    }
    this.#entries.set(entry.id, entry)
    this.#awaitEnd(entry)
    void this.#run(entry, start.run)
    return entry
  }

  /** The search of that id, kept for `keepAliveMs` from now if that is longer; only its owner finds it, by the API that began it. */
  use(id: string, scope: Scope, keepAliveMs?: number, action = asyncSearchAction): AsyncSearch {
    this.#expire()
    const entry = this.#entries.get(id)
    if (!entry || entry.action !== action || entry.owner !== identityOf(scope.principal))
      throw new AppError(searchErrors.resource_not_found_exception, id)
    if (keepAliveMs !== undefined) {
      entry.expiresAtMs = Math.max(entry.expiresAtMs, this.#services.now() + keepAliveMs)
      this.#awaitEnd(entry)
    }
    return entry
  }

  /** Waits until a search has ended, at most that long. */
  async ended({ id }: AsyncSearch, waitMs: number, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry) await tasksOf(this.#services).ended(entry.task, Math.min(waitMs, timerMsMax), signal)
  }

  /** Ends a search, if it still runs, and forgets it. */
  remove({ id }: AsyncSearch): void {
    const entry = this.#entries.get(id)
    if (!entry) return
    clearTimeout(entry.timer)
    this.#entries.delete(id)
    if (entry.completedAtMs === undefined) tasksOf(this.#services).cancel(entry.task, 'by user request')
  }

  /** Ends a search that still runs; what it answers is `answer`, unless it has its own by then. */
  stop({ id }: AsyncSearch, answer: Buffer): void {
    const entry = this.#entries.get(id)
    if (!entry || entry.completedAtMs !== undefined) return
    entry.answer = answer
    tasksOf(this.#services).cancel(entry.task, 'by user request')
  }

  async #run(entry: Entry, run: AsyncSearchStart['run']): Promise<void> {
    try {
      const answer = await run(entry.task.signal)
      this.#checkSize(answer)
      entry.answer = answer
    } catch (thrown) {
      const failure: unknown = entry.task.signal.aborted ? entry.task.signal.reason : thrown
      // One that was stopped answers what it was stopped with.
      if (entry.answer === undefined) entry.failure = failure
      if (!isAppError(failure)) this.#services.logger.error({ err: thrown }, 'an asynchronous search failed')
    }
    entry.completedAtMs = this.#services.now()
    tasksOf(this.#services).end(entry.task)
  }

  #checkSize(answer: Buffer): void {
    const answerBytesMax = clusterBytes(this.#services.catalogue, 'search.max_async_search_response_size')
    if (answer.length > answerBytesMax)
      throw illegalArgument(`Can't store an async search response larger than [${answerBytesMax}] bytes`)
    const kept = [...this.#entries.values()].reduce((sum, { answer }) => sum + (answer?.length ?? 0), 0)
    if (kept + answer.length > answersBytesMax)
      throw new AppError(
        searchErrors.es_rejected_execution_exception,
        `The answers of asynchronous searches would take more than [${answersBytesMax}] bytes; delete some that were read`,
      )
  }

  #awaitEnd(entry: Entry): void {
    clearTimeout(entry.timer)
    const leftMs = entry.expiresAtMs - this.#services.now()
    // By the timer, not by the clock: where that is set back, what nobody wants any more would be kept until then.
    const end = (): void => (leftMs > timerMsMax ? this.#awaitEnd(entry) : this.remove(entry))
    entry.timer = setTimeout(end, Math.min(leftMs, timerMsMax)).unref()
  }

  #expire(): void {
    const nowMs = this.#services.now()
    for (const entry of this.#entries.values()) if (entry.expiresAtMs <= nowMs) this.remove(entry)
  }
}

const searchesOf = new WeakMap<object, AsyncSearches>()

/** The asynchronous searches of one running search. */
export function asyncSearches(services: Services): AsyncSearches {
  const known = searchesOf.get(services)
  if (known) return known
  const made = new AsyncSearches(services)
  searchesOf.set(services, made)
  return made
}
