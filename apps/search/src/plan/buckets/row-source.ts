import type { Predicate, ValueType } from '@logstack/rules'
import { clusterCount } from '../../cluster-settings/read.ts'
import type { RowField, RowSource } from '../../dsl/define-aggregation.ts'
import type { SortCriterion } from '../../dsl/sort/read-sort.ts'
import { storedScripts } from '../../ingest/pipelines.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import { visibleSource } from '../../security/visible-source.ts'
import { sourceOf } from '../../sql/document-source.ts'
import type { FieldColumns } from '../../sql/field-columns.ts'
import { asksTokenIndex, columnsOf, predicateSql, truth } from '../../sql/predicate-to-sql.ts'
import { ident, join, nothing, num, type Sql, sql, str } from '../../sql/sql.ts'
import { timeBounds } from '../../sql/time-pruning.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import { columnLookup, type Leaf, leafRows } from '../leaves/leaves.ts'
import { type LeafScore, scoreValue } from '../leaves/score-leaf.ts'
import { type FirstBy, firstPlaces, type PlaceOrder, placeOrder } from '../order/first-places.ts'
import { orderKey } from '../order/order.ts'
import { isDear } from '../pruning/found-rows.ts'
import type { BucketQuery } from '../pruning/known-values.ts'
import { newestRows } from './newest-rows.ts'
import { type NumberedValues, numberedValues, type TextColumns } from './numbered-values.ts'
import { type Absent, type LeafColumn, withoutRare } from './rare-columns.ts'

/** Rows of several leaves with the projections that were asked for, as a sub-select. */
export interface PlannedRows extends RowSource {
  /** A field where it holds what is asked of it: rows of leaves that map it otherwise have no value of it. */
  fieldWhere(path: string, holds: (field: ResolvedField) => boolean): Pick<RowField, 'sql' | 'many'>
  /** Whose rows these are. */
  readonly leaves: readonly ScoredLeaf[]
  /** A condition that a few of the newest rows meet, and none without a time; undefined where it is not worth while, or nothing is known of the rows (`newestRows`). */
  newest?(): Sql | undefined
  /** The values of fields, by their columns, as numbers; undefined where not all of them are columns whose values are known (`numberedValues`). */
  numbered?(fields: readonly Sql[]): Promise<readonly NumberedValues[] | undefined>
  /** What is said of the rows of each leaf. */
  column(of: (leaf: ScoredLeaf) => Sql): Sql
  /** What rows are compared by in the order of a sort. */
  placeOrder(sort: readonly SortCriterion[]): PlaceOrder
  /** What rows score (`scored` of their leaves; 1 where that is not said). */
  score(): Sql
  /** `SELECT … UNION ALL SELECT …` with every projection asked for until now, or with those that the text of a statement around it names. */
  select(around?: Sql): Sql
  /** The same rows, of which `select` leaves out all but those at these places. */
  only(places: Places): PlannedRows
}

/** Rows by the place of their leaf and their `_seq`. */
export type Places = ReadonlyMap<number, readonly number[]>

/** A leaf, and what its rows score where that is asked for. */
export interface ScoredLeaf extends Leaf {
  readonly scored?: LeafScore
}

const numeric = new Set<ValueType>(['long', 'unsigned', 'double', 'boolean'])
const dates = new Set<ValueType>(['date', 'date_nanos'])

interface LeafField {
  readonly leaf: Leaf
  readonly field: ResolvedField | undefined
  readonly columns: FieldColumns | undefined
}

/** Makes the row source of a request: every field and condition an aggregation asks for becomes a column of all leaves alike. `queryOf` says what queries of buckets come to. */
export function createRowSource(
  services: PlanServices,
  leaves: readonly ScoredLeaf[],
  nowMs: number,
  queryOf: BucketQuery = (leaf, query) => leaf.context.lower(query),
  naming = '',
): PlannedRows {
  const projections: Projection[] = []
  const fields = new Map<string, RowField>()
  const texts = new Map<string, TextColumns>()
  const project = (prefix: string, byLeaf: readonly Projected[]): Sql => {
    const alias = ident(`${naming}${prefix}${projections.length}`)
    projections.push({ alias, byLeaf })
    return alias
  }
  const order = (sort: readonly SortCriterion[]) =>
    placeOrder(
      sort.map((criterion) => firstBy(services, leaves, criterion)),
      leaves.length,
      project,
    )
  const rows: PlannedRows = {
    nowMs,
    bucketsMax: clusterCount(services.catalogue, 'search.max_buckets'),
    leaves,
    stored: storedScripts(services.catalogue),
    field(path) {
      const known = fields.get(path)
      if (known) return known
      const found = leaves.map((leaf) => leafField(services, leaf, path))
      const { type, many, byLeaf } = alike(found)
      const first = found.find(({ field }) => field !== undefined)
      const alias = project('f', byLeaf)
      if (type === 'string' && !many) noteTexts(services, texts, alias, found)
      const needles = found.some((each) => hasNeedles(services, each)) ? { needles: true as const } : {}
      const index = first ? { index: first.leaf.context.reportedIndex } : {}
      const made: RowField = { path, sql: alias, many, type, field: first?.field, ...index, ...needles }
      fields.set(path, made)
      return made
    },
    fieldWhere(path, holds) {
      const { many, byLeaf } = alike(leaves.map((leaf) => leafField(services, leaf, path, holds)))
      return { sql: project('f', byLeaf), many }
    },
    matches: (query) =>
      project(
        'p',
        leaves.map((leaf) => matching(services, leaf, queryOf(leaf, query))),
      ),
    document: () => documentColumns(leaves, project),
    ...ranked(leaves, project),
    column: (of) => project('c', leaves.map(of)),
    placeOrder: order,
    firstPlaces: (sort, most) => firstPlaces(order(sort), most),
    newest: () => newestRows(services, leaves, project),
    async numbered(asked) {
      const columns = asked.map(({ text }) => texts.get(text)).filter((each) => each !== undefined)
      return columns.length < asked.length ? undefined : numberedValues(services, leaves, columns, project)
    },
    span: (path) => spanOf(leaves, path),
    indexName: (id) => indexOf(leaves, id)?.index.name ?? '',
    visible(id, json) {
      const found = indexOf(leaves, id)
      return found && visibleSource(found.scope, found.index, Buffer.from(json), true)?.toString('utf8')
    },
    select: (around) => selectRows(services, leaves, projections, { around }),
    only: (places) => ({ ...rows, select: (around) => selectRows(services, leaves, projections, { around, places }) }),
  }
  return rows
}

/** A field of a leaf with its columns; without either where it does not hold what is asked of it. */
function leafField(
  services: PlanServices,
  leaf: Leaf,
  path: string,
  holds: (field: ResolvedField) => boolean = () => true,
): LeafField {
  const known = leaf.context.field(path)
  const field = known && holds(known) ? known : undefined
  // Documents have no values of what lies in their nested objects.
  const columns =
    field?.valueType === undefined || leaf.context.homeOf(field) !== ''
      ? undefined
      : columnsOf({ path: field.path, type: field.valueType }, columnLookup(services, leaf))
  return { leaf, field, columns }
}

/** The values of a field in each leaf, of one type. */
function alike(found: readonly LeafField[]) {
  const type = commonType(found.flatMap(({ field }) => (field?.valueType === undefined ? [] : [field.valueType])))
  const many = found.some(({ columns }) => columns?.many !== undefined)
  return { type, many, byLeaf: found.map((each) => projected(each, type ?? 'string', many)) }
}

function documentColumns(
  leaves: readonly Leaf[],
  project: (prefix: string, byLeaf: readonly Sql[]) => Sql,
): ReturnType<RowSource['document']> {
  const column = (name: string) =>
    project(
      'd',
      leaves.map(() => ident(name)),
    )
  const source = project(
    'd',
    leaves.map(({ table, indices }) => sourceOf(table, indices)),
  )
  return { sequence: column('_seq'), index: column('_index'), id: column('_id'), source }
}

/** Notes a field of single texts that lies in a column of each leaf that has it. */
function noteTexts(
  { catalogue }: PlanServices,
  texts: Map<string, TextColumns>,
  alias: Sql,
  found: readonly LeafField[],
): void {
  const byLeaf = found.map(({ leaf, field, columns }) => {
    const column = field && columns && catalogue.column(leaf.table, field.path, 'string')
    return {
      isAbsent: columns === undefined,
      column: column && columns.one.text === ident(column.name).text ? column : undefined,
    }
  })
  if (byLeaf.every(({ isAbsent, column }) => isAbsent || column))
    texts.set(
      alias.text,
      byLeaf.map(({ column }) => column),
    )
}

function hasNeedles({ catalogue }: PlanServices, { leaf, field }: LeafField): boolean {
  if (field?.valueType === undefined || field.valueType === 'text') return false
  return catalogue.column(leaf.table, field.path, field.valueType)?.indexed === true
}

/** Between which moments a query keeps documents; undefined where it leaves one end open. */
function spanOf(leaves: readonly Leaf[], path: string): ReturnType<RowSource['span']> {
  if (path !== '@timestamp') return undefined
  const each = leaves.map(({ predicate }) => timeBounds(predicate))
  const from = Math.min(...each.map((bounds) => bounds.from))
  const to = Math.max(...each.map((bounds) => bounds.to))
  return Number.isFinite(from) && Number.isFinite(to) ? { from, to } : undefined
}

function selectRows(
  services: PlanServices,
  leaves: readonly Leaf[],
  projections: readonly Projection[],
  { around, places }: { readonly around: Sql | undefined; readonly places?: Places },
): Sql {
  const named = around ? projections.filter(({ alias }) => around.text.includes(alias.text)) : projections
  const read = withoutRare(columnsOfLeaves(named, leaves.length))
  const selects = leaves.flatMap((leaf, at) => {
    const sequences = places?.get(at)
    if (places && !sequences) return []
    const { from, where } = leafRows(services, leaf)
    const columns = read.byLeaf(at)
    const among = sequences ? sql`_seq IN (${join(sequences.map(num), ', ')}) AND ` : nothing
    return sql`SELECT ${columns.length === 0 ? sql`1 AS one` : join(columns, ', ')} FROM ${from} WHERE ${among}${where}`
  })
  const all = join(selects, ' UNION ALL ')
  return read.around.length === 0 ? all : sql`SELECT *, ${join(read.around, ', ')} FROM (${all})`
}

/** A column of one leaf; of what asks a token index either way to say it: looked up, which writes the leaf's condition out once more, or by cutting texts. */
type Projected = Sql | Absent | { readonly found: () => Sql; readonly cut: Sql }

interface Projection {
  readonly alias: Sql
  readonly byLeaf: readonly Projected[]
}

/** Queries of one statement that are looked up by a statement of their own; of more than ten a text is better cut once for all (ADR 0007). */
const lookedUpMax = 8

function columnsOfLeaves(projections: readonly Projection[], leaves: number): LeafColumn[] {
  const lookedUp = Array.from(
    { length: leaves },
    (_, leaf) => projections.filter(({ byLeaf }) => 'found' in (byLeaf[leaf] ?? {})).length,
  )
  const said = (of: Projected, leaf: number) =>
    'found' in of ? ((lookedUp[leaf] ?? 0) <= lookedUpMax ? of.found() : of.cut) : of
  return projections.map(({ alias, byLeaf }) => ({ alias, byLeaf: byLeaf.map(said) }))
}

/**
 * Whether a row of a leaf matches, 1 or 0. The engine asks a token index in conditions only, and in a column would cut the text of every row: rows that hold
 * words are found first, and their numbers kept as a bitmap (ADR 0007).
 */
function matching(services: PlanServices, leaf: Leaf, predicate: Predicate): Projected {
  const lookup = columnLookup(services, leaf)
  const condition = predicateSql(predicate, lookup)
  const cut = truth(condition)
  // Rows that are dear to find would be looked for again, and values computed for the request stand in its text.
  const isSaidAgain = leaf.computed !== undefined || (leaf.found === undefined && isDear(leaf.predicate, lookup))
  if (isSaidAgain || !asksTokenIndex(predicate, lookup)) return cut
  const found = () => {
    // The rows around it meet what the leaf asks beside its query, such as the least score, which is dear.
    const { condition: _beside, ...plain } = leaf
    const { from, where } = leafRows(services, plain)
    return sql`bitmapContains((SELECT groupBitmapState(_seq) FROM ${from} WHERE ${where} AND ${condition}), _seq)`
  }
  return { found, cut }
}

function indexOf(leaves: readonly Leaf[], id: number) {
  for (const { scope, indices } of leaves) {
    const index = indices.find((each) => each.id === id)
    if (index) return { scope, index }
  }
  return undefined
}

/** A criterion and what it is ordered by in each leaf. */
function firstBy(services: PlanServices, leaves: readonly ScoredLeaf[], criterion: SortCriterion): FirstBy {
  const keys = leaves.map((leaf) => orderKey(criterion, leaf.context, columnLookup(services, leaf), leaf.scored))
  return { descending: criterion.descending, missingFirst: criterion.missing === '_first', keys }
}

/** What tells documents apart, and which of them are best. */
function ranked(
  leaves: readonly ScoredLeaf[],
  project: (prefix: string, byLeaf: readonly Sql[]) => Sql,
): Pick<Required<RowSource>, 'arrival' | 'place' | 'rank'> & Pick<PlannedRows, 'score'> {
  const arrival = () =>
    project(
      'a',
      leaves.map(() => ident('_seq')),
    )
  const score = () =>
    project(
      's',
      leaves.map(({ scored = 1 }) => sql`toFloat64(${scoreValue(scored)})`),
    )
  return {
    arrival,
    place: () =>
      project(
        'l',
        leaves.map((_, at) => sql`(toUInt32(${num(at)}), ${ident('_seq')})`),
      ),
    score,
    rank: () => [sql`${score()} DESC`, arrival()],
  }
}

/** One type for all leaves: mixed numbers become doubles, mixed moments milliseconds, anything else text. */
function commonType(types: readonly ValueType[]): ValueType | undefined {
  const [first] = types
  if (types.every((type) => type === first)) return first
  if (types.every((type) => numeric.has(type))) return 'double'
  if (types.every((type) => dates.has(type))) return 'date'
  return types.every((type) => type === 'string' || type === 'text') ? 'text' : 'string'
}

const sqlTypes: Readonly<Record<ValueType, string>> = {
  string: 'String',
  text: 'String',
  long: 'Int64',
  unsigned: 'UInt64',
  double: 'Float64',
  boolean: 'Bool',
  date: 'Int64',
  date_nanos: 'Int64',
  ip: 'IPv6',
  binary: 'String',
}

function projected({ field, columns }: LeafField, type: ValueType, many: boolean): Sql | Absent {
  const target = sqlTypes[type]
  if (!columns) {
    const held = many ? `Array(${target})` : `Nullable(${target})`
    return { absent: sql`CAST(${many ? sql`[]` : sql`NULL`}, ${str(held)})`, type: held }
  }
  const own = field?.valueType ?? type
  const converted = (value: Sql) => convert(value, own, type)
  // A query that is bound by time reads this column already.
  if (!many && columns.ordered) return converted(sql`if(isNull(${columns.one}), NULL, ${columns.ordered})`)
  if (!many) return converted(columns.one)
  const single = sql`if(isNull(${columns.one}), [], [${converted(sql`assumeNotNull(${columns.one})`)}])`
  if (!columns.many) return single
  const several = own === type ? columns.many : sql`arrayMap(x -> ${converted(sql`x`)}, ${columns.many})`
  return sql`if(empty(${columns.many}), ${single}, ${several})`
}

function convert(value: Sql, from: ValueType, to: ValueType): Sql {
  if (from === to || (from === 'string' && to === 'text') || (from === 'text' && to === 'string')) return value
  if (to === 'double') return sql`toFloat64(${value})`
  if (to === 'date') return sql`intDiv(${value}, 1000000)`
  return sql`toString(${value})`
}
