import { type Field, type FieldPredicate, mapFields, type Predicate } from '@logstack/rules'
import type { Documents } from '../../documents/documents.ts'
import type { Visibility } from '../../documents/visibility.ts'
import { visibleSql } from '../../documents/visibility.ts'
import type { NestedHits } from '../../dsl/inner-hits.ts'
import type { JoinedHits } from '../../dsl/joined-rows.ts'
import type { NamedClause, TracedContext } from '../../dsl/lower-context.ts'
import { keyedPrefix } from '../../indices/keyed-fields.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import type { Column, TableMeta } from '../../model/table.ts'
import { mapScoredFields, type Score } from '../../scores/score.ts'
import type { FieldColumns } from '../../sql/field-columns.ts'
import { ofIndices } from '../../sql/index-ranges.ts'
import { keyedColumns } from '../../sql/keyed-columns.ts'
import { type ColumnLookup, predicateSql } from '../../sql/predicate-to-sql.ts'
import { ident, join, list, num, type Sql, sql, str, unlessAbove } from '../../sql/sql.ts'
import { timePruning } from '../../sql/time-pruning.ts'
import type { PlanServices } from './leaf-request.ts'
import type { DocumentReader } from './scripted-values.ts'

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
  /** What it looks for besides, where that need not be there. */
  readonly besides: readonly Predicate[]
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
  /** The fields of all indices of the leaf. */
  readonly fields: ReadonlyMap<string, ResolvedField>
  /** What a hit of an index is shown by: that index may have only some of the fields. */
  contextFor(index: IndexMeta): TracedContext
  /** Reads single documents of one of the leaf's indices. */
  readerOf(index: IndexMeta): DocumentReader
  /** Columns that were computed for this request, by the path of their field. */
  readonly computed?: ReadonlyMap<string, FieldColumns>
}

/** What the rows of a leaf are told by. */
export type RowServices = Pick<PlanServices, 'catalogue'> & { readonly documents: Pick<Documents, 'contents'> }

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
  leaf: Pick<Leaf, 'table' | 'indices' | 'computed' | 'context' | 'fields'>,
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
    if (columns && isAnalysed(leaf, field)) return { ...columns, gaps: true }
    return columns && isTime(field) && !hasManyTimes(stored, leaf) ? { ...columns, ordered: ident('_time') } : columns
  }
  return lookup
}

function isAnalysed({ fields }: Pick<Leaf, 'fields'>, { path, type }: Field): boolean {
  return type === 'text' && fields.get(path)?.words !== undefined
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
