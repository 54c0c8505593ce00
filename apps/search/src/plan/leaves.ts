import { and, type Field, type FieldPredicate, mapFields, type Predicate } from '@logstack/rules'
import { clusterSetting } from '../cluster-settings/read.ts'
import type { Documents } from '../documents/documents.ts'
import type { Visibility } from '../documents/visibility.ts'
import { visibleSql } from '../documents/visibility.ts'
import type { NestedHits } from '../dsl/inner-hits.ts'
import type { JoinedHits } from '../dsl/joined-rows.ts'
import { createLowerContext, type NamedClause, type TracedContext } from '../dsl/lower-context.ts'
import { boosted, mapScoredFields, type Score, withoutRarity } from '../dsl/score.ts'
import { keyedPrefix } from '../indices/keyed-fields.ts'
import type { Column, IndexMeta, TableMeta } from '../indices/model.ts'
import { storedScripts } from '../ingest/pipelines.ts'
import type { Scope } from '../security/scope.ts'
import type { FieldColumns } from '../sql/field-columns.ts'
import { ofIndices } from '../sql/index-ranges.ts'
import { keyedColumns } from '../sql/keyed-columns.ts'
import { type ColumnLookup, predicateSql } from '../sql/predicate-to-sql.ts'
import { ident, join, list, num, type Sql, sql, str, unlessAbove } from '../sql/sql.ts'
import { timePruning } from '../sql/time-pruning.ts'
import type { LeafRequest, PlanServices } from './leaf-request.ts'
import { type LoweredFilters, lowerFilters } from './role-filters.ts'
import { createDocumentReader, type DocumentReader } from './scripted-values.ts'

/** Indices of one table that read a request alike: one statement serves them all. */
export interface Leaf {
  readonly table: TableMeta
  readonly indices: IndexMeta[]
  readonly context: TracedContext
  /** Filters of aliases and of the caller's roles, as text: part of the predicate. */
  readonly filters: string
  /** The look-ups that decided how these were lowered. */
  readonly filterTrace: TracedContext['trace']
  /** What the caller's roles let it see. */
  readonly permitted: Predicate
  readonly predicate: Predicate
  /** What the request's own query looks for, without the filters beside it: what highlights mark, which must not tell of roles. */
  readonly asked: Predicate
  /** What documents score, where scores were asked for. */
  readonly score?: Score | undefined
  readonly visibility: Visibility
  /** What rows must meet beside the predicate. */
  readonly condition?: Sql
  /** What tells the condition from others, where it takes a share of all rows that is spread evenly among them. */
  readonly part?: string | undefined
  /** All rows that meet predicate and condition, where they were looked for beforehand. */
  readonly found?: {
    readonly sequences: readonly number[]
    /** What these rows score, one each; absent where that was not asked for, or is the same for all. */
    readonly scores?: readonly number[]
    readonly condition: Sql | undefined
  }
  /** Clauses of the query with a `_name`. */
  readonly named: readonly (readonly [name: string, clause: NamedClause])[]
  /** The objects of nested clauses that are shown with each hit. */
  readonly nestedHits: readonly NestedHits[]
  readonly joinedHits: readonly JoinedHits[]
  /** Whose fields a source may show. */
  readonly scope: Scope
  /** What the score of documents is for scripts that ask for it, where that is not the score of the whole query. */
  readonly scriptedScore?: Score | undefined
  /** The least score of rows that are found. */
  readonly leastScore?: number | undefined
  /** Reads single documents of one of the leaf's indices. */
  readerOf(index: IndexMeta): DocumentReader
  /** Columns that were computed for this request, by the path of their field. */
  readonly computed?: ReadonlyMap<string, FieldColumns>
}

/** What the rows of a leaf are told by. */
export type RowServices = Pick<PlanServices, 'catalogue'> & { readonly documents: Pick<Documents, 'contents'> }

/** Lowers a request for every index and joins indices of a table that read it alike. A request over no index is read, too, for its errors. */
export function planLeaves(services: PlanServices, request: LeafRequest): Leaf[] {
  const leaves: Leaf[] = []
  const snapshots = request.snapshots ?? new Map<number, Visibility>()
  for (const resolved of request.indices) {
    const { index } = resolved
    const ofRoles = request.scope.documentFilters(index.name)
    const written = JSON.stringify([resolved.aliasFilters, ofRoles])
    const alike = leaves.filter((leaf) => leaf.table.id === index.table && leaf.filters === written)
    const same = alike.find((leaf) => isReadAlike(services, leaf, index))
    if (same) {
      same.indices.push(index)
      continue
    }
    const context = contextOf(services, index, request)
    const filters = lowerFilters(services, index, request, context, [resolved.aliasFilters, ofRoles])
    const shared = alike.find((leaf) => context.agrees(leaf.context.trace) && filters.agrees(leaf.filterTrace))
    if (shared) {
      shared.indices.push(index)
      continue
    }
    const visibility = snapshots.get(index.table) ?? services.documents.visibility(index.table)
    snapshots.set(index.table, visibility)
    const predicates = lowered(context, request, filters)
    leaves.push({
      table: services.catalogue.table(index.table),
      indices: [index],
      context,
      filters: written,
      filterTrace: filters.trace,
      permitted: filters.ofRoles,
      ...predicates,
      visibility,
      scope: request.scope,
      readerOf: readersByIndex(services, request),
    })
  }
  if (request.indices.length === 0) lowered(contextOf(services, undefined, request), request, undefined)
  return leaves
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
  request: LeafRequest,
  filters: LoweredFilters | undefined,
): Pick<
  Leaf,
  'predicate' | 'asked' | 'named' | 'score' | 'scriptedScore' | 'leastScore' | 'nestedHits' | 'joinedHits'
> {
  const query = request.query === undefined ? [] : [context.lower(request.query)]
  const named = [...context.namedClauses]
  const asked = and([...query])
  if (request.filter !== undefined) query.push(context.lower(request.filter))
  const predicate = and([...query, ...(filters ? [filters.predicate] : [])])
  const scored = request.scored === true || leastScore(context, request) !== undefined
  const all: Score | undefined = request.boosts && { op: 'constant', value: 1, when: predicate }
  const plain = !scored ? undefined : request.query === undefined ? all : context.score(request.query)
  // Asking for the index's name keeps indices with boosts of their own apart.
  const boost = request.boosts === undefined ? 1 : (request.boosts.get(context.indexName) ?? 1)
  const score = plain && boosted(withoutRarity(plain, isUncounted(context)), boost)
  // What else the request looks at shows nothing within hits.
  const shown = { nestedHits: [...context.nestedHits.values()], joinedHits: [...context.joinedHits.values()] }
  request.touch?.(context)
  return {
    predicate,
    asked,
    named,
    score,
    scriptedScore: context.computed.score,
    leastScore: leastScore(context, request),
    ...shown,
  }
}

/** Whether no index knows how many documents hold a field's values: it is computed, or only its values are kept. */
function isUncounted(context: TracedContext): (path: string) => boolean {
  return (path) => context.computed.fields.has(path) || context.field(path)?.parameters['index'] === false
}

function leastScore({ computed }: TracedContext, { minScore }: LeafRequest): number | undefined {
  const own = computed.leastScore
  return own === undefined || minScore === undefined ? (own ?? minScore) : Math.max(own, minScore)
}

function readersByIndex(services: PlanServices, request: LeafRequest): Leaf['readerOf'] {
  const readers = new Map<number, DocumentReader>()
  return (index) => {
    const known = readers.get(index.id)
    if (known) return known
    const context = contextOf(services, index, request)
    const made = createDocumentReader((path) => context.field(path), storedScripts(services.catalogue))
    readers.set(index.id, made)
    return made
  }
}

function contextOf(services: PlanServices, index: IndexMeta | undefined, request: LeafRequest): TracedContext {
  return createLowerContext({
    index,
    fields: index ? services.catalogue.fields(index) : new Map(),
    runtime: request.runtime,
    scope: request.scope,
    nowMs: request.nowMs,
    namedScores: request.namedScores === true,
    refusesExpensive: clusterSetting(services.catalogue, 'search.allow_expensive_queries') === 'false',
  })
}

/** The leaf with other conditions on fields that say the same, in its score, too: what every match meets is told by its being said alike. */
export function mapConditions(leaf: Leaf, map: (condition: FieldPredicate) => Predicate): Leaf {
  const predicate = mapFields(leaf.predicate, map)
  return leaf.score === undefined
    ? { ...leaf, predicate }
    : { ...leaf, predicate, score: mapScoredFields(leaf.score, map) }
}

/** Where the values of a leaf's fields are. */
export function columnLookup(
  services: Pick<PlanServices, 'catalogue'>,
  leaf: Pick<Leaf, 'table' | 'indices' | 'computed' | 'context'>,
): ColumnLookup {
  const stored: ColumnLookup = ({ path, type }) => {
    const column = services.catalogue.column(leaf.table, path, type)
    return column && columnsAt(column)
  }
  const lookup: ColumnLookup = (field) => {
    const computed = leaf.computed?.get(field.path)
    if (computed) return computed
    if (field.path === '_index') return { one: indexNames(leaf.indices), many: undefined }
    const keyed = leaf.context.computed.keyed.get(field.path)
    if (keyed) {
      const entries = lookup({ path: keyed.column, type: 'string' })
      return entries && keyedColumns(entries, keyedPrefix(keyed.key))
    }
    const columns = stored(field)
    if (columns && isAnalysed(services, leaf, field)) return { ...columns, gaps: true }
    return columns && isTime(field) && !hasManyTimes(stored, leaf) ? { ...columns, ordered: ident('_time') } : columns
  }
  return lookup
}

function isAnalysed({ catalogue }: Pick<PlanServices, 'catalogue'>, { indices }: Pick<Leaf, 'indices'>, field: Field) {
  const [index] = indices
  return field.type === 'text' && index !== undefined && catalogue.fields(index).get(field.path)?.words !== undefined
}

/** Of nanoseconds `_time` has not all. */
function isTime({ path, type }: Field): boolean {
  return path === '@timestamp' && type === 'date'
}

function columnsAt({ name, manyName, indexed, cut = 'pattern', pairs }: Column): FieldColumns {
  const columns = { one: ident(name), many: manyName === undefined ? undefined : ident(manyName) }
  return indexed === true ? { ...columns, cut, ...(pairs ? { pairs } : {}) } : columns
}

/** The name of a row's index. */
function indexNames(indices: readonly IndexMeta[]): Sql {
  const ids = list(indices.map(({ id }) => num(id)))
  return sql`CAST(transform(_index, ${ids}, ${list(indices.map(({ name }) => str(name)))}, ''), 'Nullable(String)')`
}

/** The rows of a leaf: table and condition. */
export function leafRows(services: RowServices, leaf: Leaf): { readonly from: Sql; readonly where: Sql } {
  const lookup = columnLookup(services, leaf)
  const visible = visibleRows(services, leaf)
  const conditions = [
    visible.where,
    ...(hasManyTimes(lookup, leaf) ? [] : timePruning(leaf.predicate)),
    ...(leaf.predicate.op === 'all'
      ? []
      : [leaf.found ? isOneOf(leaf.found.sequences) : predicateSql(leaf.predicate, lookup)]),
    ...(leaf.condition ? [leaf.condition] : []),
  ]
  return { from: visible.from, where: join(conditions, ' AND ') }
}

function isOneOf(sequences: readonly number[]): Sql {
  return sequences.length === 0 ? sql`0` : sql`_seq IN (${join(sequences.map(num), ', ')})`
}

/** All rows of a leaf's indices that its snapshot and the caller's roles show, whatever the query. */
export function permittedRows(services: RowServices, leaf: Leaf): { readonly from: Sql; readonly where: Sql } {
  const { from, where } = visibleRows(services, leaf)
  if (leaf.permitted.op === 'all') return { from, where }
  return { from, where: sql`${where} AND ${predicateSql(leaf.permitted, columnLookup(services, leaf))}` }
}

function visibleRows(
  { catalogue, documents }: RowServices,
  { table, indices, visibility }: Leaf,
): { readonly from: Sql; readonly where: Sql } {
  const ids = indices.map(({ id }) => id)
  const ofThese = ofIndices(ids, (id) => (catalogue.indexById(id)?.table ?? table.id) !== table.id)
  const conditions = [
    documents.contents.holdsOnly(table, ids) ? unlessAbove({ table: table.id, seq: visibility.seq }, ofThese) : ofThese,
    visibleSql(visibility, table.id),
  ]
  return { from: ident(table.name), where: join(conditions, ' AND ') }
}

/** `_time` follows a single `@timestamp` of the document only. */
export function hasManyTimes(lookup: ColumnLookup, { context }: Pick<Leaf, 'context'>): boolean {
  if (context.computed.fields.has('@timestamp')) return true
  return (['date', 'date_nanos'] as const).some((type) => lookup({ path: '@timestamp', type })?.many !== undefined)
}
