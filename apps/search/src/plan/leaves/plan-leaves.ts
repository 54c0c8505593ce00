import { isAppError } from '@logstack/errors'
import { and } from '@logstack/rules'
import { clusterSetting } from '../../cluster-settings/read.ts'
import type { Visibility } from '../../documents/visibility.ts'
import { answersOf, type ContextSource, createLowerContext, type TracedContext } from '../../dsl/lower-context.ts'
import { storedScripts } from '../../ingest/pipelines.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import { boosted, type Score, withoutRarity } from '../../scores/score.ts'
import type { LeafRequest, PlanServices, Snapshots } from './leaf-request.ts'
import type { Leaf } from './leaves.ts'
import { filterSourceOf, type LoweredFilters, lowerFilters } from './role-filters.ts'
import { createDocumentReader, type DocumentReader } from './scripted-values.ts'
import { type UnitedFields, unitedFields } from './united-fields.ts'

type Fields = UnitedFields['fields']

/** Indices of one table with the same filters of aliases and roles. */
interface Filtered {
  readonly indices: IndexMeta[]
  readonly aliasFilters: readonly unknown[]
  readonly ofRoles: readonly unknown[]
  /** Both as text. */
  readonly written: string
}

/** Makes leaves of a request. */
interface Planning {
  readonly services: PlanServices
  readonly request: LeafRequest
  readonly snapshots: Snapshots
}

/** Lowers a request for every index and joins indices of a table that read it alike. A request over no index is read, too, for its errors. */
export function planLeaves(services: PlanServices, request: LeafRequest): Leaf[] {
  if (request.indices.length === 0) lowered(contextOf(services, undefined, request), new Map(), request)
  const planning = { services, request, snapshots: request.snapshots ?? new Map<number, Visibility>() }
  return filteredAlike(request).flatMap(
    (filtered) => leavesTogether(planning, filtered) ?? leavesApart(planning, filtered),
  )
}

function filteredAlike({ indices, scope }: LeafRequest): readonly Filtered[] {
  const found = new Map<string, Filtered>()
  for (const { index, aliasFilters } of indices) {
    const ofRoles = scope.documentFilters(index.name)
    const written = JSON.stringify([aliasFilters, ofRoles])
    const key = `${index.table} ${written}`
    const known = found.get(key)
    if (known) known.indices.push(index)
    else found.set(key, { indices: [index], aliasFilters, ofRoles, written })
  }
  return [...found.values()]
}

/** Each index with those whose look-ups find the same. */
function leavesApart(planning: Planning, filtered: Filtered): Leaf[] {
  const { services, request } = planning
  const leaves: Leaf[] = []
  for (const index of filtered.indices) {
    const same = leaves.find((leaf) => isReadAlike(services, leaf, index))
    if (same) {
      same.indices.push(index)
      continue
    }
    const context = contextOf(services, index, request)
    const filters = filtersOf(planning, filtered, index, context)
    const shared = leaves.find((leaf) => context.agrees(leaf.context.trace) && filters.agrees(leaf.filterTrace))
    if (shared) shared.indices.push(index)
    else leaves.push(leafOf(planning, { ...filtered, indices: [index] }, context, filters))
  }
  return leaves
}

function filtersOf(
  { services, request }: Planning,
  { aliasFilters, ofRoles }: Filtered,
  index: IndexMeta,
  context: TracedContext,
): LoweredFilters {
  return lowerFilters(services, index, request, context, [aliasFilters, ofRoles])
}

function leafOf(
  { services, request, snapshots }: Planning,
  { indices, written }: Filtered,
  context: TracedContext,
  filters: LoweredFilters,
  common?: Fields,
): Leaf {
  const [index] = indices
  if (!index) throw new Error('BUG: a leaf without an index')
  const visibility = snapshots.get(index.table) ?? services.documents.visibility(index.table)
  snapshots.set(index.table, visibility)
  const contexts = byIndex((each) => (common ? contextOf(services, each, request) : context))
  const fields = common ?? services.catalogue.fields(index)
  return {
    table: services.catalogue.table(index.table),
    indices,
    context,
    filters: written,
    filterTrace: filters.trace,
    permitted: filters.ofRoles,
    ...lowered(context, fields, request, filters),
    visibility,
    scope: request.scope,
    fields,
    contextFor: contexts,
    readerOf: byIndex((each) => readerOf(services, each, request)),
  }
}

/**
 * Indices whose mappings differ in what some of them do not have, in as few leaves as what the request looks up by name allows: a pattern of fields finds all that
 * there are, of which a row has those of its index. Undefined where that spares nothing, or the request is nothing for all of them: what it is for each is found then.
 */
function leavesTogether(planning: Planning, filtered: Filtered): Leaf[] | undefined {
  const { services, request } = planning
  const { indices } = filtered
  if (indices.some(({ name }) => request.scope.limitsFields?.(name) === true)) return undefined
  const mappings = new Set(indices.map((index) => services.catalogue.fields(index)))
  if (mappings.size === 1) return undefined
  const groups = unitedFields(services.catalogue, indices)
  if (groups.length === mappings.size) return undefined
  return joinedAlike(
    planning,
    groups.flatMap((group) => leavesOfGroup(planning, filtered, group, true)),
  )
}

/** Leaves of which those are one that read the request alike: what their fields contradict each other in is nothing that it looks up. */
function joinedAlike({ services, request }: Planning, leaves: readonly Leaf[]): Leaf[] {
  const joined: Leaf[] = []
  for (const leaf of leaves) {
    const shared = joined.find(
      ({ context, filterTrace }) =>
        leaf.context.agrees(context.trace) &&
        leaf.indices.every((index) => createLowerContext(filterSourceOf(services, index, request)).agrees(filterTrace)),
    )
    if (shared) shared.indices.push(...leaf.indices)
    else joined.push(leaf)
  }
  return joined
}

function leavesOfGroup(planning: Planning, filtered: Filtered, group: UnitedFields, maySplit: boolean): Leaf[] {
  const { services, request } = planning
  const leaf = leafOfAll(planning, filtered, group)
  const own = { ...filtered, indices: [...group.indices] }
  if (!leaf) return leavesApart(planning, own)
  const trace = leaf.context.trace.filter(({ kind }) => kind !== 'matching')
  const alike = new Map<string, IndexMeta[]>()
  for (const index of group.indices) {
    const answers = JSON.stringify([
      answersOf(sourceOf(services, index, request), trace),
      answersOf(filterSourceOf(services, index, request), leaf.filterTrace),
    ])
    const known = alike.get(answers)
    if (known) known.push(index)
    else alike.set(answers, [index])
  }
  const same = JSON.stringify([trace.map(({ found }) => found), leaf.filterTrace.map(({ found }) => found)])
  if (alike.size === 1 && alike.has(same)) return [leaf]
  if (!maySplit) return leavesApart(planning, own)
  return [...alike.values()].flatMap((some) =>
    unitedFields(services.catalogue, some).flatMap((each) => leavesOfGroup(planning, filtered, each, false)),
  )
}

/** One leaf of all indices of a group, if the request can be read by all of their fields at once. */
function leafOfAll(planning: Planning, filtered: Filtered, { indices, fields }: UnitedFields): Leaf | undefined {
  const [index] = indices
  if (!index) return undefined
  try {
    const context = contextOf(planning.services, index, planning.request, fields)
    const filters = filtersOf(planning, filtered, index, context)
    const leaf = leafOf(planning, { ...filtered, indices: [...indices] }, context, filters, fields)
    // Scripts are run, and joined documents are looked for, by the mapping of an index.
    return context.computed.fields.size > 0 || context.computed.joins.length > 0 ? undefined : leaf
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    return undefined
  }
}

/**
 * Whether an index reads a request as the first of a leaf does, seen without a look at its fields: the fields of daily indices are one object. A
 * look-up of a name or of fields that a role hides needs the closer look.
 */
function isReadAlike(services: PlanServices, leaf: Leaf, index: IndexMeta): boolean {
  const [first] = leaf.indices
  if (first === undefined || services.catalogue.fields(first) !== services.catalogue.fields(index)) return false
  if ([first, index].some(({ name }) => leaf.scope.limitsFields?.(name) === true)) return false
  return [...leaf.context.trace, ...leaf.filterTrace].every(
    ({ kind, asked, found }) =>
      kind !== 'index' && kind !== 'analysis' && (kind !== 'setting' || (index.settings[asked] ?? '') === found),
  )
}

function lowered(
  context: TracedContext,
  fields: Fields,
  request: LeafRequest,
  filters?: LoweredFilters,
): Pick<
  Leaf,
  'predicate' | 'asked' | 'besides' | 'named' | 'score' | 'scriptedScore' | 'leastScore' | 'nestedHits' | 'joinedHits'
> {
  const query = request.query === undefined ? [] : [context.lower(request.query)]
  const named = [...context.namedClauses]
  const besides = [...context.marked]
  const asked = and([...query])
  if (request.filter !== undefined) query.push(context.lower(request.filter))
  const predicate = and([...query, ...(filters ? [filters.predicate] : [])])
  const scored = request.scored === true || leastScore(context, request) !== undefined
  const all: Score | undefined = request.boosts && { op: 'constant', value: 1, when: predicate }
  const plain = !scored ? undefined : request.query === undefined ? all : context.score(request.query)
  // Asking for the index's name keeps indices with boosts of their own apart.
  const boost = request.boosts === undefined ? 1 : (request.boosts.get(context.indexName) ?? 1)
  const score = plain && boosted(withoutRarity(plain, isUncounted(context, fields)), boost)
  // What else the request looks at shows nothing within hits.
  const shown = { nestedHits: [...context.nestedHits.values()], joinedHits: [...context.joinedHits.values()] }
  request.touch?.(context)
  return {
    predicate,
    asked,
    besides,
    named,
    score,
    scriptedScore: context.computed.score,
    leastScore: leastScore(context, request),
    ...shown,
  }
}

/** Whether no index knows how many documents hold a field's values: it is computed, or only its values are kept. */
function isUncounted({ computed }: TracedContext, fields: Fields): (path: string) => boolean {
  // No look-up of the request: those that a pattern found are not asked for by name therefore.
  return (path) => computed.fields.has(path) || fields.get(path)?.parameters['index'] === false
}

function leastScore({ computed }: TracedContext, { minScore }: LeafRequest): number | undefined {
  const own = computed.leastScore
  return own === undefined || minScore === undefined ? (own ?? minScore) : Math.max(own, minScore)
}

/** What is made of each index, once. */
function byIndex<Made>(make: (index: IndexMeta) => Made): (index: IndexMeta) => Made {
  const known = new Map<number, Made>()
  return (index) => {
    const made = known.get(index.id) ?? make(index)
    known.set(index.id, made)
    return made
  }
}

function readerOf(services: PlanServices, index: IndexMeta, request: LeafRequest): DocumentReader {
  const context = contextOf(services, index, request)
  return createDocumentReader((path) => context.field(path), storedScripts(services.catalogue))
}

function contextOf(...of: Parameters<typeof sourceOf>): TracedContext {
  return createLowerContext(sourceOf(...of))
}

function sourceOf(
  services: PlanServices,
  index: IndexMeta | undefined,
  request: LeafRequest,
  fields: Fields = index ? services.catalogue.fields(index) : new Map(),
): ContextSource {
  return {
    index,
    fields,
    runtime: request.runtime,
    scope: request.scope,
    nowMs: request.nowMs,
    namedScores: request.namedScores === true,
    refusesExpensive: clusterSetting(services.catalogue, 'search.allow_expensive_queries') === 'false',
  }
}
