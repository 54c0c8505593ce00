import type { QueryClause } from '@logstack/kql'
import { intervalName, intervalOf } from '../../../time/interval.ts'
import { collapsed } from './derived/collapse.ts'
import { withDerived } from './derived/derive.ts'
import { combinedHits } from './last-values.ts'
import type { BucketSpec, Cell, Column, MetricSpec, Table, TableRequest } from './table.ts'
import { type AggregationContext, bucketName, isFiltered, metricName, missingKey } from './to-search.ts'

/** The documents beyond the shown values of one level below one path of groups. */
export interface OtherGroup {
  readonly level: number
  /** The cells of the path, with the label of the others in the column of the level. */
  readonly above: Row
  readonly clause: QueryClause
  /** What a second search said of them. */
  readonly found?: RawBucket | undefined
}

/** One bucket of an answer. */
export interface RawBucket {
  /** Of several fields, their values in order. */
  readonly key?: string | number | readonly (string | number)[]
  readonly key_as_string?: string
  readonly doc_count: number
  readonly from?: number
  readonly to?: number
  readonly [name: string]: unknown
}

/** One level of buckets of an answer. */
export interface RawLevel {
  readonly buckets?: readonly RawBucket[] | Readonly<Record<string, RawBucket>>
  readonly sum_other_doc_count?: number
}

export type Row = Record<string, Cell>

/** What search said to a request; `total` is the number of documents that fit. */
export interface TableAnswer {
  readonly aggregations: Readonly<Record<string, unknown>> | undefined
  readonly total: number
}

/** Flattens the aggregations of an answer into rows, with what is calculated from them. */
export function tableOf(
  request: TableRequest,
  answer: TableAnswer,
  context: AggregationContext,
  others: readonly OtherGroup[] = [],
): Table {
  return calculated(rowsOf(request, answer, context, others), request, context)
}

/** A table of rows with the columns that are calculated from the others, and with groups that become one. */
export function calculated(table: Table, request: TableRequest, context: AggregationContext): Table {
  return collapsed(withDerived(table, request.derived ?? [], request.hidden ?? [], context), request.collapse ?? [])
}

/** Flattens the aggregations of an answer into rows, and calculates nothing. */
export function rowsOf(
  request: TableRequest,
  answer: TableAnswer,
  context: AggregationContext,
  others: readonly OtherGroup[] = [],
): Table {
  const rows: Row[] = []
  const root: RawBucket = { ...answer.aggregations, doc_count: answer.total }
  if (request.buckets.length === 0) rows.push(metricCells(request.metrics, root))
  else collect(request, 0, root, { above: {}, rows, context })
  for (const { level, above, found } of others) if (found) collect(request, level + 1, found, { above, rows, context })
  return { columns: columnsOf(request, context), rows }
}

function columnsOf(request: TableRequest, context: AggregationContext): Column[] {
  const rangeMs = context.range.toMs - context.range.fromMs
  const buckets = request.buckets.map((bucket): Column => {
    const base = { id: bucket.id, label: bucket.label, role: 'bucket' as const }
    if (bucket.type === 'date_histogram') {
      const interval = intervalOf(bucket.interval, rangeMs)
      const label = bucket.namesWidth ? `${base.label} per ${intervalName(interval)}` : base.label
      return { ...base, label, type: 'date', intervalMs: interval.ms }
    }
    const format = 'field' in bucket ? request.formats?.[bucket.field] : undefined
    return { ...base, type: bucket.type === 'histogram' ? 'number' : 'text', ...(format ? { format } : {}) }
  })
  const metrics = request.metrics.map(
    ({ id, label, format, type, field }): Column => ({
      id,
      label,
      role: 'metric',
      type: type === 'geo_centroid' ? 'text' : 'number',
      format: format ?? (showsField(type) ? request.formats?.[field ?? ''] : undefined),
    }),
  )
  return [...buckets, ...metrics]
}

/** Whether the numbers of a metric are of the kind that its field holds. */
function showsField(type: MetricSpec['type']): boolean {
  return ['avg', 'sum', 'min', 'max', 'percentiles', 'last_value', 'standard_deviation'].includes(type)
}

function collect(
  request: TableRequest,
  level: number,
  parent: RawBucket,
  { above, rows, context }: { above: Row; rows: Row[]; context: AggregationContext },
): void {
  const spec = request.buckets[level]
  if (!spec) {
    rows.push({ ...above, ...metricCells(request.metrics, parent) })
    return
  }
  const raw = (parent[bucketName(level)] ?? {}) as RawLevel
  const buckets = Object.entries(raw.buckets ?? {})
  for (const [name, bucket] of buckets) {
    if (isCut(spec, bucket, context)) continue
    const inner = { ...above, [spec.id]: keyOf(spec, bucket, name) }
    collect(request, level + 1, bucket, { above: inner, rows, context })
  }
  const other = otherRow(request, level, raw.sum_other_doc_count ?? 0)
  if (other) rows.push({ ...above, ...other })
}

/** Whether a bucket of time reaches beyond the range, where those are not wanted. */
function isCut(spec: BucketSpec, { key }: RawBucket, { range }: AggregationContext): boolean {
  if (spec.type !== 'date_histogram' || !spec.whole) return false
  const from = Number(key)
  return from < range.fromMs || from + intervalOf(spec.interval, range.toMs - range.fromMs).ms > range.toMs + 1
}

/** Whether search's own count of the documents beyond the shown terms says all that is asked of them. */
export function isCountEnough(request: TableRequest, level: number): boolean {
  const isInnermost = level === request.buckets.length - 1
  return isInnermost && request.metrics.every((metric) => metric.type === 'count' && !isFiltered(metric))
}

function otherRow(request: TableRequest, level: number, count: number): Row | undefined {
  const spec = request.buckets[level]
  if (spec?.type !== 'terms' || !spec.otherBucket || count <= 0 || !isCountEnough(request, level)) return undefined
  return { [spec.id]: spec.otherLabel, ...Object.fromEntries(request.metrics.map((metric) => [metric.id, count])) }
}

/** Stands between the values of several fields in one cell. */
export const valuesJoint = ' › '

/** Whether a bucket stands for the values of several fields. */
export function isSeveral(key: RawBucket['key']): key is readonly (string | number)[] {
  return Array.isArray(key)
}

/** The cell of a bucket in the column of its level. */
export function keyOf(spec: BucketSpec, bucket: RawBucket, name: string): Cell {
  const { key, key_as_string: asText } = bucket
  switch (spec.type) {
    case 'terms': {
      if (!isSeveral(key)) return key === missingKey ? (spec.missingLabel ?? '') : (asText ?? key ?? name)
      return key.map((one) => (one === missingKey ? (spec.missingLabel ?? '') : String(one))).join(valuesJoint)
    }
    case 'filters':
      return spec.filters[Number(name)]?.label ?? name
    case 'date_histogram':
    case 'histogram':
      return Number(key)
    case 'range':
      return spec.ranges.find(({ from, to }) => from === bucket.from && to === bucket.to)?.label ?? name
    case 'date_range':
    case 'ip_range':
    case 'geo_grid':
    case 'significant_terms':
      return isSeveral(key) ? name : (key ?? name)
  }
}

function metricCells(metrics: readonly MetricSpec[], bucket: RawBucket): Row {
  return Object.fromEntries(metrics.map((metric, index) => [metric.id, metricCell(metric, bucket, index)]))
}

function metricCell(metric: MetricSpec, bucket: RawBucket, index: number): Cell {
  if (metric.type === 'static_value') return metric.staticValue ?? null
  const own = bucket[metricName(index)] as RawBucket | undefined
  const filtered = isFiltered(metric)
  const holder = filtered && own ? own : bucket
  if (metric.type === 'count') return holder.doc_count
  const value = (filtered ? own?.['value'] : own) as Record<string, unknown> | undefined
  switch (metric.type) {
    case 'percentiles':
    case 'percentile_ranks':
      return cellOf(Object.values((value?.['values'] ?? {}) as object)[0])
    case 'standard_deviation':
      return cellOf(value?.['std_deviation'])
    case 'last_value':
      return combinedHits(metric, value)
    case 'geo_centroid':
      return pointCell(value?.['location'])
    default:
      return cellOf(value?.['value'])
  }
}

/** A point as a cell: `lat,lon`. */
export function pointCell(point: unknown): Cell {
  const { lat, lon } = (point ?? {}) as { lat?: unknown; lon?: unknown }
  return typeof lat === 'number' && typeof lon === 'number' ? `${lat},${lon}` : null
}

function cellOf(value: unknown): Cell {
  return typeof value === 'number' || typeof value === 'string' ? value : null
}
