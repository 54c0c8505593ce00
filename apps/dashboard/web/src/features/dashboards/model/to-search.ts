import { languageClause } from '../../../query/build-query.ts'
import { dateHistogram, intervalOf } from '../../../time/interval.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'
import type { BucketSpec, MetricSpec, TableRequest } from './table.ts'

/** A range and the field types: what a request needs besides itself to become a search. */
export interface AggregationContext {
  readonly range: ResolvedRange
  readonly types: ReadonlyMap<string, string>
}

type Aggregations = Record<string, Record<string, unknown>>

/** The name of a level's aggregation in requests and answers. */
export const bucketName = (level: number): string => `b${level}`
/** The name of a metric's aggregation. */
export const metricName = (index: number): string => `m${index}`
/** Stands for documents without the field; no real value begins with this character. */
export const missingKey = '\u0000missing'

/** The aggregations of a request: its levels nested in order, its metrics in the innermost. */
export function aggregationsOf(request: TableRequest, context: AggregationContext): Aggregations {
  return levelsFrom(0, request, context)
}

/** The aggregations of a request from one level inwards; of its metrics alone below the last. */
export function levelsFrom(level: number, request: TableRequest, context: AggregationContext): Aggregations {
  const bucket = request.buckets[level]
  if (!bucket) return metricAggregations(request.metrics, context)
  const inner = levelsFrom(level + 1, request, context)
  // An order by a metric needs that metric on the same level, even when more levels follow.
  const ordering = orderingMetric(bucket, request.metrics, context)
  const aggs = { ...ordering, ...inner }
  const body = bucketBody(bucket, request.metrics, context)
  return { [bucketName(level)]: Object.keys(aggs).length > 0 ? { ...body, aggs } : body }
}

function metricAggregations(metrics: readonly MetricSpec[], context: AggregationContext): Aggregations {
  const aggregations: Aggregations = {}
  for (const [index, metric] of metrics.entries()) {
    const body = metricAggregation(metric, context)
    if (body) aggregations[metricName(index)] = body
  }
  return aggregations
}

function metricAggregation(metric: MetricSpec, context: AggregationContext): Record<string, unknown> | undefined {
  const body = metricBody(metric)
  const filter = metric.filter ? languageClause(metric.filter, context.types) : undefined
  if (!filter) return body
  return body ? { filter, aggs: { value: body } } : { filter }
}

function metricBody(metric: MetricSpec): Record<string, unknown> | undefined {
  const { type, field } = metric
  if (type === 'count' || type === 'static_value' || field === undefined) return undefined
  if (type === 'percentiles') return { percentiles: { field, percents: [metric.percent ?? 50] } }
  if (type === 'last_value') {
    const sort = [{ [metric.sortField ?? '@timestamp']: { order: 'desc' } }]
    return { top_hits: { size: 1, sort, _source: [field] } }
  }
  return { [type]: { field } }
}

function orderingMetric(bucket: BucketSpec, metrics: readonly MetricSpec[], context: AggregationContext): Aggregations {
  if (bucket.type !== 'terms') return {}
  const index = metrics.findIndex(({ id }) => id === bucket.orderBy)
  const metric = metrics[index]
  const body = metric ? metricAggregation(metric, context) : undefined
  return body && isSortable(metric) ? { [metricName(index)]: body } : {}
}

function isSortable(metric: MetricSpec | undefined): boolean {
  return metric !== undefined && metric.type !== 'last_value' && metric.type !== 'static_value'
}

function orderOf(bucket: BucketSpec & { type: 'terms' }, metrics: readonly MetricSpec[]): Record<string, string> {
  if (bucket.orderBy === 'key') return { _key: bucket.direction }
  const index = metrics.findIndex(({ id }) => id === bucket.orderBy)
  const metric = metrics[index]
  if (!metric || !isSortable(metric)) return { _count: bucket.direction }
  const name = metricName(index)
  if (metric.type === 'count') return { [metric.filter ? name : '_count']: bucket.direction }
  const path = metric.filter ? `${name}>value` : name
  return { [metric.type === 'percentiles' ? `${path}.${metric.percent ?? 50}` : path]: bucket.direction }
}

function bucketBody(
  bucket: BucketSpec,
  metrics: readonly MetricSpec[],
  context: AggregationContext,
): Record<string, unknown> {
  switch (bucket.type) {
    case 'terms': {
      const { field, size, include, exclude, missingLabel } = bucket
      const missing = missingLabel !== undefined && isText(context.types.get(field)) ? { missing: missingKey } : {}
      const chosen = { ...(include?.length ? { include } : {}), ...(exclude?.length ? { exclude } : {}) }
      return { terms: { field, size, order: orderOf(bucket, metrics), ...missing, ...chosen } }
    }
    case 'significant_terms':
      return { significant_terms: { field: bucket.field, size: bucket.size } }
    case 'date_histogram': {
      const interval = intervalOf(bucket.interval, context.range.toMs - context.range.fromMs)
      return { date_histogram: { ...dateHistogram(bucket.field, interval), min_doc_count: 1 } }
    }
    case 'histogram':
      return { histogram: { field: bucket.field, interval: bucket.interval ?? 1, min_doc_count: 1 } }
    case 'range':
      return { range: { field: bucket.field, ranges: bucket.ranges } }
    case 'filters': {
      const filters = bucket.filters.map(
        ({ query }, index) => [String(index), languageClause(query, context.types) ?? { match_all: {} }] as const,
      )
      return { filters: { filters: Object.fromEntries(filters) } }
    }
  }
}

function isText(type: string | undefined): boolean {
  return type === undefined || type === 'keyword' || type === 'constant_keyword' || type === 'wildcard'
}
