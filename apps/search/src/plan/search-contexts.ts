import { randomBytes } from 'node:crypto'
import { AppError, searchErrors } from '@logstack/errors'
import { clusterCount, clusterSetting } from '../cluster-settings/read.ts'
import type { Documents } from '../documents/documents.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import type { ResolvedIndex } from '../indices/resolve.ts'
import { identityOf, type Scope } from '../model/scope.ts'
import { illegalArgument } from '../refusals/refuse.ts'
import { actionOf } from '../security/actions.ts'
import { forbidden } from '../security/denied.ts'
import type { Services } from '../services.ts'
import { readTime } from '../values/unit-values.ts'
import type { Snapshots } from './leaves/leaf-request.ts'
import type { SortValue } from './order/order-key.ts'
import { AheadMemory, LookAhead } from './pruning/look-ahead.ts'
import type { Total } from './pruning/totals.ts'

/** What a scroll or a point in time holds between requests: which indices, as of which moment, and how far a scroll has come. */
export interface SearchContext {
  readonly id: string
  /** Of a scroll, once its first page was read: without those that could not read it. */
  indices: readonly ResolvedIndex[]
  readonly scope: Scope
  readonly snapshots: Snapshots
  readonly nowMs: number
  /** Of a scroll. */
  readonly request?: SearchRequest
  cursor?: readonly SortValue[] | undefined
  total?: Total | undefined
  best?: number | undefined
  /** Of a scroll: which rows come next. */
  readonly ahead?: LookAhead
  keepAliveMs: number
  expiresAtMs: number
  /** Ends the hold on the rows of its snapshots. */
  readonly release: () => void
}

/** What the cluster's settings allow, asked anew each time. */
export interface ContextLimits {
  contextsMax(): number
  /** As it is written: `24h`. */
  keepAliveMax(): string
}

/** Open scrolls and points in time, in memory: they end with their time limit, when they are cleared, or when search stops. */
export class SearchContexts {
  readonly #contexts = new Map<string, SearchContext>()
  readonly #hold: Documents['hold']
  readonly #limits: ContextLimits
  readonly #timers = new Map<SearchContext, NodeJS.Timeout>()
  readonly #ahead = new AheadMemory()

  constructor(hold: Documents['hold'], limits: ContextLimits) {
    this.#hold = hold
    this.#limits = limits
  }

  open(context: Omit<SearchContext, 'id' | 'ahead' | 'expiresAtMs' | 'release'>, nowMs: number): SearchContext {
    this.#expire(nowMs)
    const contextsMax = this.#limits.contextsMax()
    if (this.#contexts.size >= contextsMax)
      throw new AppError(
        searchErrors.es_rejected_execution_exception,
        `Trying to create too many scroll contexts. Must be less than or equal to: [${contextsMax}]. This limit can be set by changing the [search.max_open_scroll_context] setting.`,
      )
    this.#checkKeepAlive(context.keepAliveMs)
    const opened = {
      ...context,
      ...(context.request === undefined ? {} : { ahead: new LookAhead(this.#ahead) }),
      id: randomBytes(24).toString('base64url'),
      expiresAtMs: nowMs + context.keepAliveMs,
      release: this.#hold(context.snapshots.values()),
    }
    this.#contexts.set(opened.id, opened)
    this.#awaitEnd(opened)
    return opened
  }

  /** The context of that id, kept alive further; only its owner finds it. */
  use(id: string, scope: Scope, nowMs: number, keepAliveMs: number | undefined): SearchContext {
    this.#expire(nowMs)
    const context = this.#contexts.get(id)
    if (!context || identityOf(context.scope.principal) !== identityOf(scope.principal)) throw missing(id)
    refuseUnreadable(context, scope)
    if (keepAliveMs !== undefined) {
      this.#checkKeepAlive(keepAliveMs)
      context.keepAliveMs = keepAliveMs
    }
    context.expiresAtMs = nowMs + context.keepAliveMs
    this.#awaitEnd(context)
    return context
  }

  #checkKeepAlive(keepAliveMs: number): void {
    const most = this.#limits.keepAliveMax()
    if (keepAliveMs <= readTime('search.max_keep_alive', most)) return
    throw illegalArgument(
      `Keep alive for request (${wholeTime(keepAliveMs)}) is too large. It must be less than (${wholeTime(readTime('search.max_keep_alive', most))}). This limit can be set by changing the [search.max_keep_alive] cluster level setting.`,
    )
  }

  /** A context that nobody asks for again must not keep replaced rows either. */
  #awaitEnd(context: SearchContext): void {
    clearTimeout(this.#timers.get(context))
    const timer = setTimeout(() => this.#remove(context), context.keepAliveMs)
    timer.unref()
    this.#timers.set(context, timer)
  }

  #remove(context: SearchContext): void {
    clearTimeout(this.#timers.get(context))
    this.#timers.delete(context)
    this.#contexts.delete(context.id)
    context.ahead?.end()
    context.release()
  }

  /** The points in time that the caller has open, oldest first. */
  pointsInTime(scope: Scope, nowMs: number): readonly SearchContext[] {
    this.#expire(nowMs)
    const owner = identityOf(scope.principal)
    return [...this.#contexts.values()].filter(
      (context) => context.request === undefined && identityOf(context.scope.principal) === owner,
    )
  }

  /** How many contexts hold an index. */
  openOver(index: { readonly id: number }): number {
    return [...this.#contexts.values()].filter(({ indices }) => indices.some((one) => one.index.id === index.id)).length
  }

  /** Closes contexts of the caller, all of them without ids; tells how many. */
  close(ids: readonly string[] | 'all', scope: Scope): number {
    let closed = 0
    for (const [id, context] of this.#contexts) {
      if (identityOf(context.scope.principal) !== identityOf(scope.principal) || (ids !== 'all' && !ids.includes(id)))
        continue
      this.#remove(context)
      closed++
    }
    return closed
  }

  #expire(nowMs: number): void {
    for (const context of this.#contexts.values()) if (context.expiresAtMs <= nowMs) this.#remove(context)
  }
}

/** A right that was taken away ends what was begun with it. */
function refuseUnreadable({ indices }: SearchContext, scope: Scope): void {
  const lost = indices.flatMap(({ index }) => {
    const names = [
      index.name,
      ...Object.keys(index.aliases),
      ...(index.dataStream === undefined ? [] : [index.dataStream]),
    ]
    return names.some((name) => scope.hasIndex('indices:data/read/search', name)) ? [] : [index.name]
  })
  if (lost.length > 0) throw forbidden(scope, actionOf('search', 'index'), 'index', 'indices:data/read/search', lost)
}

/** A time as Elasticsearch shows it to people: in the greatest unit it fills, with one digit behind the point where there is a rest of it. */
function wholeTime(ms: number): string {
  const [unit, size] = timeUnits.find(([, length]) => ms >= length) ?? ['ms', 1]
  return `${Math.floor((ms / size) * 10) / 10}${unit}`
}

const timeUnits: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
]

/** A time as Elasticsearch shows it: in the greatest unit that leaves no rest. */
export function shownTime(ms: number): string {
  const [unit, size] = timeUnits.find(([, length]) => ms % length === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}

/** Whether a text has the form of the ids that contexts are given. */
export function isContextId(text: string): boolean {
  return /^[\w-]{32}$/u.test(text)
}

function missing(id: string): AppError {
  return new AppError(searchErrors.search_context_missing_exception, `No search context found for id [${id}]`)
}

const contextsOf = new WeakMap<object, SearchContexts>()

/** The contexts of one running search. */
export function searchContexts(services: Pick<Services, 'documents' | 'catalogue'>): SearchContexts {
  const known = contextsOf.get(services)
  if (known) return known
  const made = new SearchContexts((snapshots) => services.documents.hold(snapshots), {
    contextsMax: () => clusterCount(services.catalogue, 'search.max_open_scroll_context'),
    keepAliveMax: () => clusterSetting(services.catalogue, 'search.max_keep_alive'),
  })
  contextsOf.set(services, made)
  return made
}
