import { isAppError } from '@logstack/errors'
import { clusterCount, clusterTimeMs } from '../cluster-settings/read.ts'
import { asksForScores, queriesOf, touchAggregations } from '../dsl/define-aggregation.ts'
import type { TracedContext } from '../dsl/lower-context.ts'
import type { SearchRequest } from '../dsl/search-request.ts'
import { touchSort } from '../dsl/sort/touch-sort.ts'
import { cachedEngine } from '../engine/read-cache.ts'
import type { ResolvedIndex } from '../indices/resolve.ts'
import { searchShards } from '../indices/shards.ts'
import { printDouble, printJson } from '../json/print-json.ts'
import type { Scope } from '../model/scope.ts'
import { contextOf } from '../painless/field-script.ts'
import { Turns } from '../painless/turns.ts'
import { countAggregations } from './buckets/aggregation-uses.ts'
import { collapseGroups, joinedGroups, mergedInner } from './buckets/inner-hits.ts'
import { checkConflicts, checkReadable } from './buckets/readable-fields.ts'
import { createRowSource, type ScoredLeaf } from './buckets/row-source.ts'
import { runAggregations } from './buckets/run-aggregations.ts'
import { showHits } from './buckets/show-hits.ts'
import { collapsePath } from './hits/collapse-field.ts'
import { explainHits } from './hits/explain.ts'
import type { Hit } from './hits/hit.ts'
import { type FoundHits, findHits } from './hits/hits.ts'
import { hitsWithTotal } from './hits/page-total.ts'
import { bestScore, needsSource, needsVersions, renderHits, showsScores } from './hits/render-hits.ts'
import { rescored } from './hits/rescore.ts'
import { boostsByIndex } from './leaves/indices-boost.ts'
import type { LeafRequest, PlanServices, Snapshots } from './leaves/leaf-request.ts'
import type { Leaf } from './leaves/leaves.ts'
import { type PartialAnswers, withoutUnreadable } from './leaves/partial-answers.ts'
import { planLeaves } from './leaves/plan-leaves.ts'
import type { PlanRead } from './leaves/plan-read.ts'
import { scoreLeaf } from './leaves/score-leaf.ts'
import type { SortValue } from './order/order-key.ts'
import { prepareLeaves } from './prepare-leaves.ts'
import { profileOf } from './profile.ts'
import { withDearRows } from './pruning/found-rows.ts'
import { bucketQueries } from './pruning/known-values.ts'
import type { LookAhead } from './pruning/look-ahead.ts'
import { countMatches, type Total, toldRows } from './pruning/totals.ts'
import { checkScripts } from './scripts/computed-columns.ts'
import { readScripted } from './scripts/scripted-documents.ts'
import { checkRescore, checkShown, checkSources, checkTogether, checkWindow } from './search-limits.ts'
import { shown } from './shown.ts'
import { sliced } from './slice.ts'
import { limitStatements } from './statement-limit.ts'
import { suggestions } from './suggestions.ts'

/** A search over resolved indices, and where it stands within a scroll or point in time. */
export interface SearchPlan {
  readonly request: SearchRequest
  readonly indices: readonly ResolvedIndex[]
  readonly scope: Scope
  readonly nowMs: number
  readonly signal: AbortSignal
  readonly typedKeys: boolean
  readonly totalAsInteger: boolean
  /** Whether names of `indices_boost` may be missing. */
  readonly ignoreUnavailable?: boolean
  /** Whether what an earlier search of the same snapshot read may be the answer. */
  readonly cached?: boolean
  /** The first members of the answer: `_scroll_id`, `pit_id`. */
  readonly head?: Readonly<Record<string, string>>
  /** Kept snapshots: filled by the first page. */
  readonly snapshots?: Snapshots
  readonly cursor?: readonly SortValue[] | undefined
  /** What is known of the pages of a scroll to come. */
  readonly ahead?: LookAhead | undefined
  /** The first page's total, so that later ones need not count. */
  readonly total?: Total | undefined
  /** What its best hit scored, where that is told. */
  readonly best?: number | undefined
  /** How the answer goes without indices that cannot answer; absent where it must be whole. */
  readonly partial?: PartialAnswers | undefined
  /** The failures of indices that the answer goes without, as it shows them. */
  readonly failures?: readonly unknown[]
}

/** An answer, and what the next page of a scroll needs. */
export interface SearchAnswer {
  readonly json: Buffer
  readonly total: Total | undefined
  readonly best?: number | undefined
  readonly hits: readonly Hit[]
  /** The indices that it is made of: without those that could not read the request. */
  readonly indices: readonly ResolvedIndex[]
}

/** Plans and runs a search: hits, total and aggregations side by side, of one moment. */
export async function search(services: PlanServices, plan: SearchPlan): Promise<SearchAnswer> {
  await shown(services, plan.indices, plan.snapshots)
  const release = services.documents.hold(plan.snapshots?.values())
  const startedAtMs = performance.now()
  const limited = withDefaultTimeout(services, plan)
  try {
    const reading = plan.cached === true ? { ...services, engine: cachedEngine(services.engine) } : services
    return await searchReadable(reading, limited)
  } catch (thrown) {
    const ownLimit = limited.request.timeoutMs !== undefined && isAppError(thrown) && thrown.code === 'search_timeout'
    if (!ownLimit) throw thrown
    return await timedOut(plan, performance.now() - startedAtMs)
  } finally {
    release()
  }
}

/** A search that names no `timeout` has that of `search.default_search_timeout`, if there is one. */
function withDefaultTimeout({ catalogue }: PlanServices, plan: SearchPlan): SearchPlan {
  const timeoutMs = clusterTimeMs(catalogue, 'search.default_search_timeout')
  if (plan.request.timeoutMs !== undefined || timeoutMs < 0) return plan
  return { ...plan, request: { ...plan.request, timeoutMs } }
}

/** The answer of a search that its own `timeout` ended: what was found until then is not known. */
async function timedOut(plan: SearchPlan, tookMs: number): Promise<SearchAnswer> {
  const found: FoundHits = { hits: [], keysOf: () => [] }
  const total: Total = { value: 0, relation: 'gte' }
  const answered = { found, hits: [], best: undefined, total, aggregations: undefined, tookMs, timedOut: true }
  return { json: await renderAnswer(plan, answered, readOptions(plan)), total, hits: [], indices: plan.indices }
}

/** How a search reads: within its `timeout`, which the engine obeys. */
function readOptions({ request, signal }: SearchPlan): PlanRead {
  const { timeoutMs } = request
  return {
    signal,
    turns: new Turns(signal),
    weight: request.aggregations.length > 0 ? 'heavy' : 'light',
    ...(timeoutMs === undefined
      ? {}
      : { limits: { timeMsMax: Math.max(1, timeoutMs), memoryBytesMax: Number.MAX_SAFE_INTEGER } }),
  }
}

/** Searches, without the indices that cannot read the request where others can. */
async function searchReadable(services: PlanServices, plan: SearchPlan): Promise<SearchAnswer> {
  const { partial, indices } = plan
  const request = () => leafRequest(services, plan).asked
  const check = (leaf: Leaf) => checkReadable(services, leaf, plan.request, plan.nowMs)
  return withoutUnreadable(services, indices, { partial, request, check }, ({ indices: readable, failures }) =>
    searchHeld(services, { ...plan, indices: readable, failures: [...(plan.failures ?? []), ...failures] }),
  )
}

/** The request as far as leaves depend on it: without the query, and with it. */
function leafRequest(services: PlanServices, plan: SearchPlan) {
  const { request } = plan
  const touch = (context: TracedContext) => {
    touchSort(request.sort, context)
    if (request.collapse) context.field(request.collapse.field)
    touchAggregations(request.aggregations, context)
    checkShown(request, context)
    checkRescore(request, context)
    for (const pattern of shownFields(request)) context.shows(pattern)
    for (const each of request.suggest) each.touch(context)
    if (request.postFilter !== undefined) context.lower({ bool: { filter: request.postFilter } })
  }
  const shared = {
    indices: plan.indices,
    scope: plan.scope,
    nowMs: plan.nowMs,
    runtime: request.runtime,
    derivedObjects: request.derivedObjects,
    touch,
    snapshots: plan.snapshots ?? new Map(),
    namedScores: request.namedScores,
    ...(request.indicesBoost.length === 0
      ? {}
      : { boosts: boostsByIndex(services, request.indicesBoost, plan.ignoreUnavailable === true) }),
  }
  const scored = showsScores(request) || asksForScores(request.aggregations)
  const asked = { ...shared, query: request.query, minScore: request.minScore, scored }
  return { shared, asked }
}

async function searchHeld(services: PlanServices, plan: SearchPlan): Promise<SearchAnswer> {
  const startedAtMs = performance.now()
  const { request } = plan
  checkWindow(plan)
  checkTogether(plan)
  checkSources(plan)
  const { shared, asked } = leafRequest(services, plan)
  const read = readOptions(plan)
  const prepared = await prepareLeaves(services, asked, read)
  if (prepared[0]) checkScripts(prepared[0], ownScripts(request))
  checkConflicts(services, prepared, request.aggregations, plan.nowMs)
  const showsHits = request.postFilter === undefined && request.size > 0
  const readsTwice = request.aggregations.length > 0 || (showsHits && countsTotal(plan))
  const wantsBest = showsHits && isBestFirst(request.sort)
  const leaves = readsTwice ? await withDearRows(services, prepared, wantsBest, read) : prepared
  const hitLeaves =
    request.postFilter === undefined
      ? leaves
      : await prepareLeaves(services, { ...asked, filter: request.postFilter }, read)
  const everyLeaf = await leavesOfEverything(services, shared, request, leaves, read)
  const told = toldRows()
  const [{ found, total }, aggregations, suggest] = await Promise.all([
    hitsAndTotal(services, sliced(services, hitLeaves, request.slice), plan, read, told.rows),
    // Hits of a `post_filter` are others than the rows of aggregations.
    aggregate(services, sliced(services, leaves, request.slice), everyLeaf, plan, read, (rows) =>
      told.tell(request.postFilter === undefined ? rows : undefined),
    ),
    suggestions(services, everyLeaf, plan, read),
  ])
  const ordered = await rescored(services, found, request.rescore, { ...shared, touch: () => undefined }, read)
  const hits = ordered.hits.slice(request.from, request.from + request.size)
  const explanations = request.explain ? await explainHits(services, hits, read) : undefined
  const inner = mergedInner([
    await collapseGroups(services, request, shared, hits, read, plan.totalAsInteger),
    await joinedGroups(services, shared, hits, read, plan.totalAsInteger),
  ])
  const shown = { ...found, inner, ...(explanations ? { explanations } : {}) }
  const tookMs = performance.now() - startedAtMs
  const best = plan.best ?? bestScore(ordered.hits, request)
  const answered = { found: shown, hits, best, total, aggregations, suggest, tookMs }
  return { json: await renderAnswer(plan, answered, read), total, best, hits, indices: plan.indices }
}

/** Whether hits are ordered by their score, the best first. */
function isBestFirst([first, second]: SearchRequest['sort']): boolean {
  return first === undefined || (first.field === '_score' && first.descending && second === undefined)
}

function countsTotal({ request, total }: SearchPlan): boolean {
  return total === undefined && request.trackTotal !== 'none'
}

/**
 * Makes the leaves of all documents the caller may see, whatever the query. Where fields are computed that takes reading, so it is done
 * beforehand, and only for aggregations that look beyond the query.
 */
async function leavesOfEverything(
  services: PlanServices,
  shared: Omit<LeafRequest, 'query'>,
  { aggregations }: SearchRequest,
  leaves: readonly Leaf[],
  read: PlanRead,
): Promise<() => readonly Leaf[]> {
  const everything = { ...shared, query: undefined }
  const computes = leaves.some(({ computed }) => computed !== undefined)
  if (!computes || !looksBeyond(aggregations)) return () => planLeaves(services, everything)
  const prepared = await prepareLeaves(services, everything, read)
  return () => prepared
}

const beyondTheQuery = new Set(['children', 'parent', 'global', 'significant_terms', 'significant_text'])

function looksBeyond(nodes: SearchRequest['aggregations']): boolean {
  return nodes.some(({ aggregation, children }) => beyondTheQuery.has(aggregation.typeName) || looksBeyond(children))
}

/** The scripts that a request brings for its hits and fields. */
function ownScripts({ scriptFields, runtime }: SearchRequest): Parameters<typeof checkScripts>[1] {
  return [
    ...scriptFields.map(({ script }) => ({ script })),
    ...[...(runtime?.values() ?? [])].flatMap(({ computed }) =>
      computed ? [{ script: computed.script, context: contextOf(computed) }] : [],
    ),
  ]
}

/** Hits are shown by the mapping of their leaf, so indices that differ in what is shown are planned apart. */
function shownFields({ fields, docvalueFields, highlight, storedFields }: SearchRequest): string[] {
  return [
    ...storedFields,
    ...fields.map(({ field }) => field),
    ...docvalueFields.map(({ field }) => field),
    ...highlight.map(({ pattern }) => pattern),
  ]
}

async function hitsAndTotal(
  services: PlanServices,
  leaves: readonly Leaf[],
  plan: SearchPlan,
  read: PlanRead,
  told: Promise<number | undefined>,
): Promise<{ readonly found: FoundHits; readonly total: Total | undefined }> {
  const { request, cursor, ahead } = plan
  const { trackTotal, terminateAfter } = request
  const last = request.from + request.size
  const count = request.size === 0 ? 0 : Math.max(last, ...request.rescore.map(({ window }) => window))
  const wanted = {
    sort: request.sort,
    count: terminateAfter > 0 ? Math.min(count, terminateAfter) : count,
    after: request.searchAfter,
    cursor,
    // Hits that are scored anew are shown in another order than they were found in.
    ahead: request.rescore.length > 0 ? undefined : ahead,
    withSource: needsSource(request),
    withVersions: needsVersions(request),
    collapse: collapsePath(request),
  }
  const hits = (): Promise<FoundHits> => findHits(services, leaves, wanted, read)
  if (plan.total) return { found: await hits(), total: plan.total }
  if (trackTotal === 'none') return { found: await hits(), total: undefined }
  const goesOn = request.searchAfter !== undefined || cursor !== undefined
  const isWhole = count > 0 && terminateAfter === 0 && !goesOn && !request.collapse
  const counted = (): Promise<Total> => countMatches(services, leaves, trackTotal, { ...read, weight: 'light' }, told)
  const { found, total } = await hitsWithTotal(services, { leaves, room: count, isWhole }, trackTotal, {
    hits,
    count: counted,
  })
  if (terminateAfter > 0 && total.value >= terminateAfter)
    return { found, total: { value: terminateAfter, relation: 'eq' } }
  return { found, total }
}

/** The leaves with what their rows score, where an aggregation asks for that. */
async function withScores(
  services: PlanServices,
  leaves: readonly Leaf[],
  aggregations: SearchRequest['aggregations'],
  read: PlanRead,
): Promise<readonly ScoredLeaf[]> {
  if (!asksForScores(aggregations)) return leaves
  return Promise.all(leaves.map(async (leaf) => ({ ...leaf, scored: await scoreLeaf(services, leaf, read) })))
}

async function aggregate(
  services: PlanServices,
  leaves: readonly Leaf[],
  everyLeaf: () => readonly Leaf[],
  plan: SearchPlan,
  read: PlanRead,
  tellRows: (rows: number | undefined) => void,
) {
  const { aggregations } = plan.request
  if (aggregations.length === 0 || leaves.length === 0) {
    tellRows(undefined)
    return undefined
  }
  const scored = await withScores(services, leaves, aggregations, read)
  const queryOf = await bucketQueries(services, scored, queriesOf(aggregations), read)
  const source = createRowSource(services, scored, plan.nowMs, queryOf)
  countAggregations(services.catalogue, aggregations, source)
  const everything = (naming?: string) => createRowSource(services, everyLeaf(), plan.nowMs, queryOf, naming)
  const engine = limitStatements(services.engine)
  return runAggregations(aggregations, {
    services: { engine },
    source,
    readScripted: (leaf, page) => readScripted(services, leaf, page, read),
    showHits: (shown) => showHits(services, shown, plan.totalAsInteger, read),
    leaves,
    everything,
    tellRows,
    typedKeys: plan.typedKeys,
    bucketsMax: clusterCount(services.catalogue, 'search.max_buckets'),
    read,
  })
}

interface Answered {
  readonly found: FoundHits
  readonly hits: readonly Hit[]
  /** What the best of all hits scored; undefined where that is not told. */
  readonly best: number | undefined
  readonly total: Total | undefined
  readonly aggregations: unknown
  /** The answers of suggesters; absent when none was asked. */
  readonly suggest?: Readonly<Record<string, unknown>> | undefined
  readonly tookMs: number
  readonly timedOut?: boolean
}

async function renderAnswer(plan: SearchPlan, answered: Answered, read: PlanRead): Promise<Buffer> {
  const { found, hits, best, total, aggregations, tookMs, timedOut: late = false } = answered
  const { request, indices } = plan
  const { failures = [] } = plan
  const shards = {
    ...searchShards(
      indices.map(({ index }) => index),
      failures.length,
    ),
    ...(failures.length === 0 ? {} : { failures }),
  }
  const ended = request.terminateAfter > 0 ? { terminated_early: total?.value === request.terminateAfter } : {}
  const head = { ...plan.head, took: Math.round(tookMs), timed_out: late, ...ended, _shards: shards }
  // As an integer a total that was not counted is -1.
  const shownTotal = plan.totalAsInteger ? (total?.value ?? -1) : total
  const maxScore = indices.length === 0 ? '0.0' : best === undefined ? 'null' : printDouble(best)
  const opening = `${printJson(head).slice(0, -1)},"hits":{${shownTotal === undefined ? '' : `"total":${printJson(shownTotal)},`}"max_score":${maxScore},"hits":[`
  const suggested = answered.suggest === undefined ? '' : `,"suggest":${printJson(answered.suggest)}`
  const profile = request.profile ? `,"profile":${printJson(profileOf(request, indices, tookMs))}` : ''
  const closing = `]}${aggregations === undefined ? '' : `,"aggregations":${printJson(aggregations)}`}${suggested}${profile}}`
  return Buffer.concat([
    Buffer.from(opening),
    await renderHits(found, hits, request, plan.totalAsInteger, read),
    Buffer.from(closing),
  ])
}
