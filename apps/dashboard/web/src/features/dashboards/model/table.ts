import type { QueryClause } from '@logstack/kql'
import type { LanguageQuery } from '../../../query/build-query.ts'

/** How a number is shown. */
export interface ValueFormat {
  readonly id: 'number' | 'bytes' | 'percent'
  readonly decimals?: number | undefined
  readonly suffix?: string | undefined
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
        readonly size: number
        /** `count`, `key`, or the id of a metric. */
        readonly orderBy: string
        readonly direction: 'asc' | 'desc'
        readonly otherBucket: boolean
        readonly otherLabel: string
        /** The label of documents without the field; absent when they are left out. */
        readonly missingLabel?: string | undefined
        readonly include?: readonly string[] | undefined
        readonly exclude?: readonly string[] | undefined
      }
    | { readonly type: 'significant_terms'; readonly field: string; readonly size: number }
    | { readonly type: 'date_histogram'; readonly field: string; readonly interval: string | undefined }
    | {
        readonly type: 'histogram'
        readonly field: string
        /** Absent when it follows from the values. */
        readonly interval: number | undefined
        /** How many bars there shall be at most when it does; absent for a number that suits people. */
        readonly barsMax?: number | undefined
      }
    | { readonly type: 'range'; readonly field: string; readonly ranges: readonly { from?: number; to?: number }[] }
    | { readonly type: 'filters'; readonly filters: readonly { label: string; query: LanguageQuery }[] }
  )

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
    | 'last_value'
    | 'static_value'
  readonly field?: string | undefined
  readonly percent?: number
  readonly sortField?: string | undefined
  readonly staticValue?: number
  readonly filter?: LanguageQuery | undefined
  readonly format?: ValueFormat | undefined
}

/** What a panel wants to know, whatever kind of saved object it came from. */
export interface TableRequest {
  /** Names of indices, `logs-*`. */
  readonly index: string
  readonly timeField: string | undefined
  readonly queries: readonly LanguageQuery[]
  readonly filters: readonly QueryClause[]
  readonly buckets: readonly BucketSpec[]
  readonly metrics: readonly MetricSpec[]
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
  readonly intervalMs?: number
}

/** The answer to a `TableRequest`: one row for each innermost group. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly Readonly<Record<string, Cell>>[]
}
