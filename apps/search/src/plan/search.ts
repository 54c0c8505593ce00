import { touchAggregations } from '../dsl/define-aggregation.ts'
import type { TracedContext } from '../dsl/lower-context.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import { illegalArgument } from '../dsl/shapes/refuse.ts'
import type { ReadOptions } from '../engine/engine.ts'
import type { ResolvedIndex } from '../indices/catalogue.ts'
import type { Scope } from '../security/scope.ts'
import { type FoundHits, findHits, type Hit } from './hits.ts'
import { printJson } from './json.ts'
import { type Leaf, type PlanServices, planLeaves, type Snapshots } from './leaves.ts'
import type { SortValue } from './order.ts'
import { needsSource, renderHits, showsScores } from './render-hits.ts'
import { createRowSource } from './row-source.ts'
import { runAggregations } from './run-aggregations.ts'
import { limitStatements } from './statement-limit.ts'
import { countMatches, type Total } from './totals.ts'

/** The default of `index.max_result_window`. */
const resultWindowDefault = 10_000

/** A search over resolved indices, and where it stands within a scroll or point in time. */
export interface SearchPlan {
  readonly request: SearchRequest
  readonly indices: readonly ResolvedIndex[]
  readonly scope: Scope
  readonly nowMs: number
  readonly signal: AbortSignal
  readonly typedKeys: boolean
  readonly totalAsInteger: boolean
  /** The first members of the answer: `_scroll_id`, `pit_id`. */
  readonly head?: Readonly<Record<string, string>>
  /** Kept snapshots: filled by the first page. */
  readonly snapshots?: Snapshots
  readonly cursor?: readonly SortValue[] | undefined
  /** The first page's total, so that later ones need not count. */
  readonly total?: Total | undefined
}

/** An answer, and what the next page of a scroll needs. */
export interface SearchAnswer {
  readonly json: Buffer
  readonly total: Total | undefined
  readonly hits: readonly Hit[]
}

/** Plans and runs a search: hits, total and aggregations side by side, of one moment. */
export async function search(services: PlanServices, plan: SearchPlan): Promise<SearchAnswer> {
  const release = services.documents.hold(plan.snapshots?.values())
  try {
    return await searchHeld(services, plan)
  } finally {
    release()
  }
}

async function searchHeld(services: PlanServices, plan: SearchPlan): Promise<SearchAnswer> {
  const startedAtMs = performance.now()
  const { request } = plan
  checkWindow(plan)
  const touch = (context: TracedContext) => {
    for (const { field } of request.sort) if (!field.startsWith('_')) context.field(field)
    touchAggregations(request.aggregations, context)
    for (const pattern of shownFields(request)) {
      if (pattern.includes('*')) context.fieldsMatching(pattern)
      else context.field(pattern)
    }
    if (request.postFilter !== undefined) context.lower(request.postFilter)
  }
  const shared = {
    indices: plan.indices,
    scope: plan.scope,
    nowMs: plan.nowMs,
    touch,
    snapshots: plan.snapshots ?? new Map(),
  }
  const leaves = planLeaves(services, { ...shared, query: request.query })
  const hitLeaves =
    request.postFilter === undefined
      ? leaves
      : planLeaves(services, {
          ...shared,
          query: { bool: { filter: [request.query ?? { match_all: {} }, request.postFilter] } },
        })
  const read: ReadOptions = { signal: plan.signal, weight: request.aggregations.length > 0 ? 'heavy' : 'light' }
  const scored = request.minScore === undefined || request.minScore <= 1 ? hitLeaves : []
  const [{ found, total }, aggregations] = await Promise.all([
    hitsAndTotal(services, scored, plan, read),
    aggregate(services, leaves, () => planLeaves(services, { ...shared, query: undefined }), plan, read),
  ])
  const hits = found.hits.slice(request.from, request.from + request.size)
  return {
    json: renderAnswer(plan, { found, hits, total, aggregations, tookMs: performance.now() - startedAtMs }),
    total,
    hits,
  }
}

/** Hits are shown by the mapping of their leaf, so indices that differ in what is shown are planned apart. */
function shownFields({ fields, docvalueFields, highlight }: SearchRequest): string[] {
  return [
    ...fields.map(({ field }) => field),
    ...docvalueFields.map(({ field }) => field),
    ...highlight.map(({ pattern }) => pattern),
  ]
}

function checkWindow({ request, indices, snapshots }: SearchPlan): void {
  const limits = indices.map(({ index }) => Number(index.settings['max_result_window'] ?? resultWindowDefault))
  const most = limits.length === 0 ? resultWindowDefault : Math.min(...limits)
  const asked = request.from + request.size
  if (asked <= most) return
  if (snapshots)
    throw illegalArgument(
      `Batch size is too large, size must be less than or equal to: [${most}] but was [${asked}]. Scroll batch sizes cost as much memory as result windows so they are controlled by the [index.max_result_window] index level setting.`,
    )
  throw illegalArgument(
    `Result window is too large, from + size must be less than or equal to: [${most}] but was [${asked}]. See the scroll api for a more efficient way to request large data sets. This limit can be set by changing the [index.max_result_window] index level setting.`,
  )
}

async function hitsAndTotal(
  services: PlanServices,
  leaves: readonly Leaf[],
  plan: SearchPlan,
  read: ReadOptions,
): Promise<{ readonly found: FoundHits; readonly total: Total | undefined }> {
  const { request, cursor } = plan
  const count = request.size === 0 ? 0 : request.from + request.size
  const hits = findHits(
    services,
    leaves,
    { sort: request.sort, count, after: request.searchAfter, cursor, withSource: needsSource(request) },
    read,
  )
  if (plan.total) return { found: await hits, total: plan.total }
  if (request.trackTotal === 'none') return { found: await hits, total: undefined }
  // A first page that is not full says how many there are; counting beside it costs one light statement.
  const counted = countMatches(services, leaves, request.trackTotal, { ...read, weight: 'light' })
  const [found, total] = await Promise.all([hits, counted])
  return { found, total }
}

async function aggregate(
  services: PlanServices,
  leaves: readonly Leaf[],
  everyLeaf: () => readonly Leaf[],
  plan: SearchPlan,
  read: ReadOptions,
) {
  const { aggregations } = plan.request
  if (aggregations.length === 0 || leaves.length === 0) return undefined
  const source = createRowSource(services, leaves, plan.nowMs)
  const everything = () => createRowSource(services, everyLeaf(), plan.nowMs)
  const engine = limitStatements(services.engine)
  return runAggregations(aggregations, { services: { engine }, source, everything, typedKeys: plan.typedKeys, read })
}

interface Answered {
  readonly found: FoundHits
  readonly hits: readonly Hit[]
  readonly total: Total | undefined
  readonly aggregations: unknown
  readonly tookMs: number
}

function renderAnswer(plan: SearchPlan, { found, hits, total, aggregations, tookMs }: Answered): Buffer {
  const { request, indices } = plan
  const shards = { total: indices.length, successful: indices.length, skipped: 0, failed: 0 }
  const head = { ...plan.head, took: Math.round(tookMs), timed_out: false, _shards: shards }
  const shownTotal = total && (plan.totalAsInteger ? total.value : total)
  const maxScore = indices.length === 0 ? '0.0' : showsScores(request) && hits.length > 0 ? '1.0' : 'null'
  const opening = `${printJson(head).slice(0, -1)},"hits":{${shownTotal === undefined ? '' : `"total":${printJson(shownTotal)},`}"max_score":${maxScore},"hits":[`
  const closing = `]}${aggregations === undefined ? '' : `,"aggregations":${printJson(aggregations)}`}}`
  return Buffer.concat([Buffer.from(opening), renderHits(found, hits, request), Buffer.from(closing)])
}
