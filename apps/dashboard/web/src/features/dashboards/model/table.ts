import type { QueryClause } from '@logstack/kql'
import type { FieldFormats, ValueFormat } from '../../../kibana/value-format.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'
import type { Expression } from './derived/expression.ts'
import type { SequenceName } from './derived/sequences.ts'

/** One calculated column; `id` may be that of a column it replaces. Plain data. */
export interface DerivedSpec {
  readonly id: string
  readonly label: string
  readonly format?: ValueFormat | undefined
  readonly calculation:
    | {
        readonly type: 'expression'
        readonly expression: Expression
        readonly variables: Readonly<Record<string, string>>
      }
    | { readonly type: 'sequence'; readonly name: SequenceName; readonly of: string; readonly window: number }
    /** Per unit of time instead of per bucket; without time buckets, per unit of the whole range. */
    | { readonly type: 'rate'; readonly of: string; readonly unitMs: number }
    | { readonly type: 'constant'; readonly name: 'interval' | 'time_range' | 'now' }
}

/** One range of numbers; its end does not belong to it. */
export interface RangeSpec {
  readonly from?: number
  readonly to?: number
  readonly label: string
}

interface BucketBase {
  readonly id: string
  readonly label: string
}

/** One level of grouping, outermost first. */
export type BucketSpec = BucketBase &
  (
    | {
        readonly type: 'terms'
        readonly field: string
        /** Further fields: a group is a combination of their values. */
        readonly also?: readonly string[] | undefined
        readonly size: number
        /** `count`, `key`, or the id of a metric. */
        readonly orderBy: string
        /** A number that orders the groups and is not shown; it goes before `orderBy`. */
        readonly orderMetric?: MetricSpec | undefined
        /** Values that are in no more than so many documents, in place of the most frequent. */
        readonly rareMax?: number | undefined
        readonly direction: 'asc' | 'desc'
        readonly otherBucket: boolean
        readonly otherLabel: string
        /** The label of documents without the field; absent when they are left out. */
        readonly missingLabel?: string | undefined
        readonly include?: readonly string[] | undefined
        readonly exclude?: readonly string[] | undefined
        /** Regular expressions that values must and must not match. */
        readonly matching?: string | undefined
        readonly notMatching?: string | undefined
      }
    | { readonly type: 'significant_terms'; readonly field: string; readonly size: number }
    | {
        readonly type: 'date_histogram'
        readonly field: string
        readonly interval: string | undefined
        /** Whether its column is named after its width, too: `@timestamp per 30 minutes`. */
        readonly namesWidth?: boolean
        /** Whether buckets that reach beyond the range are left out. */
        readonly whole?: boolean
        /** Whether empty buckets of the range are wanted, for what is calculated along them. */
        readonly dense?: boolean
      }
    | {
        readonly type: 'histogram'
        readonly field: string
        /** Absent when it follows from the values. */
        readonly interval: number | undefined
        /** How many bars there shall be at most when it does; absent for a number that suits people. */
        readonly barsMax?: number | undefined
      }
    | { readonly type: 'range'; readonly field: string; readonly ranges: readonly RangeSpec[] }
    /** Spans of time or of addresses, in search's own words; search names them, too. */
    | {
        readonly type: 'date_range' | 'ip_range'
        readonly field: string
        readonly ranges: readonly Readonly<Record<string, unknown>>[]
      }
    | {
        /** Cells of the world. */
        readonly type: 'geo_grid'
        readonly grid: 'geohash' | 'geotile'
        readonly field: string
        readonly precision: number
        readonly size: number
      }
    | { readonly type: 'filters'; readonly filters: readonly { label: string; query: LanguageQuery }[] }
  )

/** How the values of several documents become one cell. */
export type HitsCombination = 'average' | 'sum' | 'min' | 'max' | 'concat'

/** One number for each group. */
export interface MetricSpec {
  readonly id: string
  readonly label: string
  readonly type:
    | 'count'
    | 'value_count'
    | 'cardinality'
    | 'avg'
    | 'sum'
    | 'min'
    | 'max'
    | 'percentiles'
    | 'percentile_ranks'
    | 'standard_deviation'
    | 'last_value'
    | 'static_value'
    /** The middle of its points, as `lat,lon`. */
    | 'geo_centroid'
    /** One number of those of several groups: `of` within `over`. */
    | 'avg_bucket'
    | 'sum_bucket'
    | 'min_bucket'
    | 'max_bucket'
  readonly over?: BucketSpec | undefined
  readonly of?: MetricSpec | undefined
  readonly field?: string | undefined
  readonly percent?: number
  /** Of percentile ranks: the value whose rank is asked for. */
  readonly rankOf?: number | undefined
  /** Of the last value: what orders the documents, which end of it is wanted, and how several become one. */
  readonly sortField?: string | undefined
  readonly sortDirection?: 'asc' | 'desc' | undefined
  readonly hits?: number | undefined
  readonly combine?: HitsCombination | undefined
  /** Of the last value: all that its document has in the field, not the first alone. */
  readonly allValues?: boolean | undefined
  readonly staticValue?: number
  /** Only the documents of so many milliseconds before the end of the range. */
  readonly lastMs?: number | undefined
  /** How far before the range its documents lie: milliseconds, or `previous` for the range just before. */
  readonly shift?: number | 'previous' | undefined
  readonly filter?: LanguageQuery | undefined
  readonly format?: ValueFormat | undefined
}

/** How the numbers of rows that become one are put together. */
export type CollapseFunction = 'sum' | 'avg' | 'min' | 'max'

/** One bucket whose rows become one. */
export interface Collapse {
  readonly bucket: string
  readonly by: CollapseFunction
}

/** Which documents become rows. Points become text, `lat,lon`. */
export interface DocumentsSpec {
  readonly fields: readonly string[]
  readonly size: number
  readonly sort?: { readonly field: string; readonly direction: 'asc' | 'desc' } | undefined
  /** Of the documents with the same value of this field only the first. */
  readonly oneOf?: string | undefined
}

/** What a panel wants to know, whatever kind of saved object it came from. */
export interface TableRequest {
  /** Names of indices, `logs-*`. */
  readonly index: string
  readonly timeField: string | undefined
  /** How the index pattern shows values of its fields, where it says so. */
  readonly formats?: FieldFormats | undefined
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
  readonly buckets: readonly BucketSpec[]
  readonly metrics: readonly MetricSpec[]
  /** Columns calculated from the metrics, in the order of calculation. */
  readonly derived?: readonly DerivedSpec[]
  /** Columns that only serve to calculate others. */
  readonly hidden?: readonly string[]
  /** Groups whose rows become one, by the id of their bucket. */
  readonly collapse?: readonly Collapse[]
  /** The documents themselves instead of groups: a row each, a column a field. */
  readonly documents?: DocumentsSpec
  /** Whether the dashboard's own query and filters do not concern it. */
  readonly alone?: boolean
}

/** A column of a table that ES|QL answers. */
export interface EsqlColumnSpec {
  readonly id: string
  /** Its name in the answer. */
  readonly name: string
  readonly label: string
  /** Undefined where its type decides. */
  readonly role: 'bucket' | 'metric' | undefined
  readonly format: ValueFormat | undefined
}

/** What a panel asks in the words of ES|QL; the page adds its range, its query and its filters. */
export interface EsqlRequest {
  readonly esql: string
  /** The indices that the query reads; undefined where it reads none. */
  readonly index: string | undefined
  readonly timeField: string | undefined
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
  /** The columns that are shown; none for all of the answer. */
  readonly columns: readonly EsqlColumnSpec[]
  readonly collapse: readonly Collapse[]
}

/** What becomes one table, in either way of asking. */
export type PanelRequest = TableRequest | EsqlRequest

/** Whether a request is in the words of ES|QL. */
export function isEsql(request: PanelRequest): request is EsqlRequest {
  return 'esql' in request
}

/** The key of a group or the value of a metric; null for a metric without a value. */
export type Cell = string | number | null

/** One column of a table. */
export interface Column {
  readonly id: string
  readonly label: string
  readonly role: 'bucket' | 'metric'
  readonly type: 'text' | 'date' | 'number'
  readonly format?: ValueFormat | undefined
  /** Width of time buckets in milliseconds. */
  readonly intervalMs?: number | undefined
  /** The field of documents that has these values, where the table alone knows it. */
  readonly field?: string | undefined
}

/** The answer to a `PanelRequest`: one row for each innermost group. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}
