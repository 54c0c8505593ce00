import type { ValueType } from '@logstack/rules'
import type { z } from 'zod'
import type { JsonObject } from '../json/json-object.ts'
import type { ResolvedField } from '../model/mapping.ts'
import type { FieldScriptInput } from '../painless/field-script.ts'
import type { StoredScripts } from '../painless/script.ts'
import type { Sql } from '../sql/sql.ts'
import type { AggregationScript } from './aggregation-script.ts'
import type { TracedContext } from './lower-context.ts'
import type { ReadPipeline } from './pipelines/define-pipeline.ts'
import type { SortCriterion } from './sort/read-sort.ts'
import { touchSort } from './sort/touch-sort.ts'

/** A field of the searched rows, the same over all indices of the request. */
export interface RowField {
  readonly path: string
  /** A nullable value, or with `many` an array of the document's values. */
  readonly sql: Sql
  readonly many: boolean
  /** Undefined when no searched index maps the field. */
  readonly type: ValueType | undefined
  /** The mapping of the first index that has the field, for formats. */
  readonly field: ResolvedField | undefined
  /** Set where no searched index maps it and a request says what type it has. */
  readonly unmapped?: true
  /** The name of that index, for errors. */
  readonly index?: string
  /** Set where the field has about as many values as there are rows (`needle-columns.ts`). */
  readonly needles?: true
}

/** The rows an aggregation works on: what matched the query, over all tables. */
export interface RowSource {
  field(path: string): RowField
  /** 1 where a row also matches this query, else 0. */
  matches(query: unknown): Sql
  /** The document itself: order of arrival, id of its index, its own id, its JSON, whatever of it the caller may see. */
  document(): { readonly sequence: Sql; readonly index: Sql; readonly id: Sql; readonly source: Sql }
  /** The order of arrival, which tells documents apart; absent where rows are objects within documents. */
  arrival?(): Sql
  /** Where a document is, so that it can be read by itself; absent where rows are objects within documents. */
  place?(): Sql
  /**
   * An aggregate: so many first rows of a group in the order of a sort, as tuples that end with the number of the leaf and the sequence number of the document, whatever
   * stands before these.
   */
  firstPlaces(sort: readonly SortCriterion[], most: number): Sql
  /** What the best rows come first by: an ORDER BY of their score and, where that is the same, of their order of arrival. */
  rank(): readonly Sql[]
  readonly stored: StoredScripts
  /** Between which moments the query keeps a field's values, in milliseconds, both ends included; undefined where it says nothing of one end. */
  span(path: string): { readonly from: number; readonly to: number } | undefined
  /** The rows with every projection that was asked for until now, or with those of them that a statement around them names. */
  select(around?: Sql): Sql
  indexName(id: number): string
  /** What the caller may see of a document's JSON; undefined where it is none of it. */
  visible(index: number, json: string): string | undefined
  readonly nowMs: number
  /** `search.max_buckets`: what makes buckets of its own accord stops there. */
  readonly bucketsMax: number
}

/** What an aggregation looks at, so that indices which differ in it are planned apart. */
export interface AggregationUse {
  readonly fields?: readonly string[]
  readonly queries?: readonly unknown[]
  readonly script?: AggregationScript | undefined
  /** Whether it asks what documents score. */
  readonly score?: boolean
  readonly sort?: readonly SortCriterion[]
  /** Whether it goes from documents to those joined to them. */
  readonly joins?: true
  /** Patterns of fields that it shows of documents. */
  readonly shows?: readonly string[]
}

/** Takes the documents of one bucket, one by one in their order of arrival. */
export interface DocumentFold {
  add(document: FieldScriptInput): void
  /** What the documents came to; the only cell of the metric then. */
  answer(): unknown
}

/** A single-value or multi-value metric: cells of a GROUP BY, and its answer. */
export interface MetricPlan {
  /** Aggregate expressions over the rows. */
  readonly cells: readonly Sql[]
  /** `cells` is empty when there was no row at all; `path` are the keys of all levels around it, those of its own bucket last. */
  render(cells: readonly unknown[], path: readonly unknown[]): JsonObject
  /** The cell (by position) that `order: {"name.property": …}` sorts by; undefined when it has no such property. */
  orderCell(property: string | undefined): number | undefined
  /** What is sorted by of that cell, where it is a list. */
  ordered?(cell: Sql, property: string | undefined): Sql
  /** Of a metric that shows documents: the body of a search for them. Its cells are then their number and the places of the first, which are shown. */
  readonly hits?: Readonly<Record<string, unknown>>
  /** Of a metric whose last cell is a list of so many rows at most, the newest by the documents' time. */
  readonly newest?: number
  /** Of a metric of whole documents: begins a bucket. Its only cell is then the list of their places. */
  fold?(): DocumentFold
}

/** One part of a bucket's key. Rows without a value for it are in no bucket, unless `keepsNull`. */
export interface KeyPart {
  readonly sql: Sql
  readonly many: boolean
  readonly type: ValueType
  readonly keepsNull?: boolean
  /** Of many values that keep null: where a row has none at all. Absent: where there are no values. */
  readonly isMissing?: Sql
  /** How its values stand, where that is not by themselves. */
  readonly order?: KeyOrder
}

/** An order of keys other than that of their values. */
export interface KeyOrder {
  /** What a key stands by; null of null. */
  rank(key: Sql): Sql
  /** Below, above or at nought as one key comes before, after or with another. */
  compare(one: string, other: string): number
}

/** The names an ORDER BY of buckets may use. */
export interface BucketColumns {
  readonly count: Sql
  /** What the keys stand by, null of a key that is none. */
  readonly keys: readonly Sql[]
  /** A value of a metric below this bucket, by path (`name`, `name.property`, `name[50]`). Throws when there is none. */
  metric(path: string): Sql
}

/** A bucket as it was found. */
export interface FoundBucket {
  readonly key: readonly unknown[]
  readonly count: number
  /** Documents of all buckets of its parent, also of those that were cut off; 0 unless `wantsTotal`. */
  readonly total: number
  /** The answers of its sub-aggregations. */
  readonly body: JsonObject
}

/** What the searched indices hold whatever the query: documents by key, and all of them. */
export interface Background {
  readonly keys: readonly { readonly key: readonly unknown[]; readonly count: number }[]
  readonly documents: number
  /** Documents of the bucket's parent, or of the query at the top. */
  readonly parentDocuments: number
}

/** The best rows of a parent that a bucket is made of. */
export interface Sample {
  readonly size: number
  /** What the best come first by. */
  readonly best: readonly Sql[]
  /** Of those with one value of a key only so many. */
  readonly each?: { readonly key: Sql; readonly most: number }
}

/** What an aggregation saw when it looked at rows before it was planned. */
export interface Looked {
  /** How many rows there are. */
  readonly rows: number
  /** Its buckets, where it stands alone and what it saw falls into them: then no statement looks for them. */
  readonly buckets: readonly Pick<FoundBucket, 'key' | 'count'>[] | undefined
}

/** A unit of time that rates are told by: so many milliseconds, or months of the calendar. */
export interface TimeUnit {
  readonly name: string
  readonly ms?: number
  readonly months?: number
}

/** How long the buckets of a histogram of dates are. */
export interface BucketSpan {
  /** In a unit; `key` is that of the bucket, undefined where not one bucket alone is meant. Throws where these do not go together. */
  length(unit: TimeUnit, key: unknown): number
  /** The same of a column of keys, where it depends on the key. */
  lengthSql(unit: TimeUnit, key: Sql): Sql | undefined
}

/** A level of buckets around a metric. */
export interface AroundLevel {
  readonly name: string
  readonly plan: BucketPlan
  /** The columns of its keys. */
  readonly keys: readonly Sql[]
}

/** How a bucket aggregation groups rows, and its answer. */
export interface BucketPlan {
  /** No part: one bucket of all rows that meet `where`. */
  readonly parts: readonly KeyPart[]
  /** Of parts that are stretches of time: their place among the parts and how long they are. Set, if empty, where rates may stand below. */
  readonly spans?: readonly { readonly part: number; readonly span: BucketSpan }[]
  readonly where?: Sql
  readonly sample?: Sample
  /** Whether there may be no more than one bucket around it. */
  readonly belowOneBucket?: boolean
  /** What the rows below it are: the objects at a path, the documents such objects came from or the objects at a path around them, or documents that are joined to those around it. */
  readonly rows?:
    | { readonly path: string }
    | 'documents'
    | { readonly around: string }
    | { readonly others: 'children' | 'parent'; readonly type: string }
  /** Absent: by key, ascending. */
  order?(columns: BucketColumns): readonly Sql[]
  /** Most buckets of one parent. */
  readonly size?: number
  readonly minimumCount?: number
  /** A condition on the group itself, instead of `minimumCount`. */
  chosen?(columns: BucketColumns): Sql
  /** Whether it looks at all documents of the searched indices, whatever the query. */
  readonly ofEverything?: boolean
  readonly wantsTotal?: boolean
  /** Whether there may be about as many groups as rows, too many to be kept until all of them are counted. */
  readonly manyGroups?: boolean
  /** Whether `render` also gets the documents of all indices by key: of every key, or of those it found. */
  readonly background?: 'every' | 'found'
  /** What was seen when it was looked at beforehand. */
  readonly looked?: Looked
  /** The key among all documents, where it is not that of the rows. */
  readonly backgroundParts?: readonly KeyPart[]
  /** A condition on the grouped key (`after` of composite). */
  after?(columns: BucketColumns): Sql | undefined
  /** `empty` makes the answers of sub-aggregations for a bucket without rows. */
  render(found: readonly FoundBucket[], empty: () => JsonObject, background?: Background): JsonObject
}

/** The rows that an aggregation looks at before it is planned. */
export interface LookedAt {
  /** Whether there is no aggregation above it nor below. */
  readonly isAlone: boolean
  /** The rows, for a statement that reads these of their columns. */
  with(cells: readonly Sql[]): Sql
}

/** An aggregation: its wire name, the strict schema of its body, its SQL and its answer side by side. */
export type Aggregation<P> = {
  readonly name: string
  readonly schema: z.ZodType<P>
  uses(parameters: P): AggregationUse
  /** Refuses parameters that mean nothing; `name` is that of the aggregation, `written` are its members in the order of the request. */
  check?(parameters: P, name: string, written: readonly string[]): void
  /** The prefix of `typed_keys`. */
  typedName?(parameters: P, source: RowSource): string
} & (
  | {
      readonly kind: 'metric'
      /** `around` are the levels around it, outermost first; undefined where it is planned by itself, to see whether its fields suit it. */
      plan(parameters: P, source: RowSource, name: string, around?: readonly AroundLevel[]): MetricPlan
    }
  | {
      readonly kind: 'bucket'
      /** Cells over all rows that must be known before there is a plan. */
      prepare?(parameters: P, source: RowSource): readonly Sql[]
      /** A statement over all rows whose answer must be known before there is a plan, if there is one; instead of `prepare`. */
      look?(parameters: P, source: RowSource, rows: LookedAt): Sql | undefined
      plan(parameters: P, source: RowSource, prepared: readonly unknown[], name: string): BucketPlan
    }
)

/** Declares an aggregation; `aggregations/index.ts` lists it. */
export function defineAggregation<P>(aggregation: Aggregation<P>): Aggregation<P> {
  return aggregation
}

/** An aggregation whose body was read. */
export interface ReadAggregation {
  readonly typeName: string
  uses(): AggregationUse
  check(name: string): void
  /** Whether rows without a value count as having one. */
  readonly fillsMissing: boolean
  typedName(source: RowSource): string
  prepare?(source: RowSource): readonly Sql[]
  look?(source: RowSource, rows: LookedAt): Sql | undefined
  plan(
    source: RowSource,
    prepared?: readonly unknown[],
    name?: string,
    around?: readonly AroundLevel[],
  ): PlannedAggregation
  /** Set for pipelines, which work on the answers of others. */
  readonly pipeline?: ReadPipeline
}

/** What an aggregation does, by its kind. */
export type PlannedAggregation =
  | { readonly kind: 'metric'; readonly plan: MetricPlan }
  | { readonly kind: 'bucket'; readonly plan: BucketPlan }
  | { readonly kind: 'pipeline'; readonly plan: ReadPipeline }

/** An aggregation whose parameter type the registry need not know. */
export interface AnyAggregation {
  readonly name: string
  readonly schema: z.ZodType
  readonly hasChildren: boolean
  read(body: unknown): ReadAggregation
}

/** A named aggregation of a request with those below it. */
export interface AggregationNode {
  readonly name: string
  readonly aggregation: ReadAggregation
  readonly children: readonly AggregationNode[]
  readonly meta: unknown
}

/** Whether an aggregation of a tree asks what documents score. */
export function asksForScores(nodes: readonly AggregationNode[]): boolean {
  return nodes.some(({ aggregation, children }) => aggregation.uses().score === true || asksForScores(children))
}

/** The queries of a tree of aggregations. */
export function queriesOf(nodes: readonly AggregationNode[]): readonly unknown[] {
  return nodes.flatMap(({ aggregation, children }) => [...(aggregation.uses().queries ?? []), ...queriesOf(children)])
}

/** Makes the look-ups of a tree of aggregations on one index's context. */
export function touchAggregations(nodes: readonly AggregationNode[], context: TracedContext): void {
  for (const { aggregation, children } of nodes) {
    const { fields = [], queries = [], script, sort = [], shows = [], joins } = aggregation.uses()
    if (joins) context.join()
    touchSort(sort, context)
    for (const pattern of shows) context.shows(pattern)
    if (script)
      context.computed.scriptedValues(script, script.over === undefined ? undefined : context.field(script.over))
    for (const field of fields) context.field(field)
    for (const query of queries) context.lower(query)
    touchAggregations(children, context)
  }
}
