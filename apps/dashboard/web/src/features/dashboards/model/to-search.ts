import type { QueryClause } from '@logstack/kql'
import { languageClause } from '../../../query/build-query.ts'
import { dateHistogram, intervalOf } from '../../../time/interval.ts'
import type { ResolvedRange } from '../../../time/time-range.ts'
import type { BucketSpec, MetricSpec, TableRequest } from './table.ts'

/** A range and the field types: what a request needs besides itself to become a search. */
export interface AggregationContext {
  readonly range: ResolvedRange
  readonly types: ReadonlyMap<string, string>
  /** What the range is about. */
  readonly timeField?: string | undefined
}

type Aggregations = Record<string, Record<string, unknown>>

/** The name of a level's aggregation in requests and answers. */
export const bucketName = (level: number): string => `b${level}`
/** The name of a metric's aggregation. */
export const metricName = (index: number): string => `m${index}`
/** The name of what orders groups and is not shown. */
const orderName = 'order'
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
    const name = metricName(index)
    if (metric.over && metric.of) Object.assign(aggregations, acrossGroups(name, metric, metrics, context))
    else {
      const body = metricAggregation(metric, context)
      if (body) aggregations[name] = body
    }
  }
  return aggregations
}

/** A number of the numbers of groups: the groups, and beside them what search makes of them. */
function acrossGroups(
  name: string,
  { type, over, of }: MetricSpec,
  metrics: readonly MetricSpec[],
  context: AggregationContext,
): Aggregations {
  const inner = of && metricAggregation(of, context)
  if (!over || !of) return {}
  const groups = `${name}_groups`
  const path = inner ? `${groups}>value${sortKey(of)}` : `${groups}>_count`
  const body = bucketBody(over, metrics, context)
  return {
    [groups]: inner ? { ...body, aggs: { value: inner } } : body,
    [name]: { [type]: { buckets_path: path } },
  }
}

function metricAggregation(metric: MetricSpec, context: AggregationContext): Record<string, unknown> | undefined {
  const body = metricBody(metric)
  const filter = filterOf(metric, context)
  if (!filter) return body
  return body ? { filter, aggs: { value: body } } : { filter }
}

/** Whether a metric counts only some of the documents of its group. */
export function isFiltered(metric: MetricSpec): boolean {
  return metric.filter !== undefined || metric.lastMs !== undefined
}

function filterOf({ filter, lastMs }: MetricSpec, context: AggregationContext): QueryClause | undefined {
  const query = filter && (languageClause(filter, context.types) ?? { match_all: {} })
  if (lastMs === undefined || context.timeField === undefined) return query
  const recent = { range: { [context.timeField]: { gte: context.range.toMs - lastMs, format: 'epoch_millis' } } }
  return query ? { bool: { filter: [query, recent] } } : recent
}

function metricBody(metric: MetricSpec): Record<string, unknown> | undefined {
  const { type, field } = metric
  if (type === 'count' || type === 'static_value' || field === undefined) return undefined
  if (type === 'percentiles') return { percentiles: { field, percents: [metric.percent ?? 50] } }
  if (type === 'last_value') {
    const order = metric.sortDirection ?? 'desc'
    // An index of the pattern may lack the field: its documents come last, and the panel is drawn.
    const sort = [{ [metric.sortField ?? '@timestamp']: { order, unmapped_type: 'date' } }]
    // Not of the source: a field may be a second one of the same value (`message.keyword`), or lie in a list of objects.
    return { top_hits: { size: metric.hits ?? 1, sort, _source: false, fields: [field] } }
  }
  if (type === 'percentile_ranks') return { percentile_ranks: { field, values: [metric.rankOf ?? 0] } }
  if (type === 'standard_deviation') return { extended_stats: { field } }
  return { [type]: { field } }
}

function orderingMetric(bucket: BucketSpec, metrics: readonly MetricSpec[], context: AggregationContext): Aggregations {
  if (bucket.type !== 'terms') return {}
  const own = bucket.orderMetric && metricAggregation(bucket.orderMetric, context)
  if (own) return { [orderName]: own }
  const index = metrics.findIndex(({ id }) => id === bucket.orderBy)
  const metric = metrics[index]
  const body = metric ? metricAggregation(metric, context) : undefined
  return body && isSortable(metric) ? { [metricName(index)]: body } : {}
}

function isSortable(metric: MetricSpec | undefined): boolean {
  return metric !== undefined && metric.type !== 'last_value' && metric.type !== 'static_value' && !metric.over
}

function orderOf(bucket: BucketSpec & { type: 'terms' }, metrics: readonly MetricSpec[]): Record<string, string> {
  if (bucket.orderMetric && isSortable(bucket.orderMetric))
    return orderOfMetric(bucket.orderMetric, orderName, bucket.direction)
  if (bucket.orderBy === 'key') return { _key: bucket.direction }
  const index = metrics.findIndex(({ id }) => id === bucket.orderBy)
  const metric = metrics[index]
  if (!metric || !isSortable(metric)) return { _count: bucket.direction }
  return orderOfMetric(metric, metricName(index), bucket.direction)
}

function orderOfMetric(metric: MetricSpec, name: string, direction: 'asc' | 'desc'): Record<string, string> {
  if (metric.type === 'count') return { [isFiltered(metric) ? name : '_count']: direction }
  const path = isFiltered(metric) ? `${name}>value` : name
  return { [`${path}${sortKey(metric)}`]: direction }
}

/** Which of an aggregation's several numbers orders groups. */
function sortKey(metric: MetricSpec): string {
  if (metric.type === 'percentiles') return `.${metric.percent ?? 50}`
  if (metric.type === 'percentile_ranks') return `.${metric.rankOf ?? 0}`
  return metric.type === 'standard_deviation' ? '.std_deviation' : ''
}

function bucketBody(
  bucket: BucketSpec,
  metrics: readonly MetricSpec[],
  context: AggregationContext,
): Record<string, unknown> {
  switch (bucket.type) {
    case 'terms': {
      if (bucket.also?.length) return multiTermsBody(bucket, metrics, context)
      const { field, size, include, exclude, matching, notMatching, missingLabel, rareMax } = bucket
      const missing = missingLabel !== undefined && isText(context.types.get(field)) ? { missing: missingKey } : {}
      const wanted = matching ?? (include?.length ? include : undefined)
      const unwanted = notMatching ?? (exclude?.length ? exclude : undefined)
      const chosen = { ...(wanted ? { include: wanted } : {}), ...(unwanted ? { exclude: unwanted } : {}) }
      if (rareMax !== undefined) return { rare_terms: { field, max_doc_count: rareMax, ...missing, ...chosen } }
      return { terms: { field, size, order: orderOf(bucket, metrics), ...missing, ...chosen } }
    }
    case 'significant_terms':
      return { significant_terms: { field: bucket.field, size: bucket.size } }
    case 'date_histogram': {
      const interval = intervalOf(bucket.interval, context.range.toMs - context.range.fromMs)
      const { fromMs: min, toMs: max } = context.range
      const empty = bucket.dense ? { min_doc_count: 0, extended_bounds: { min, max } } : { min_doc_count: 1 }
      return { date_histogram: { ...dateHistogram(bucket.field, interval), ...empty } }
    }
    case 'histogram':
      return { histogram: { field: bucket.field, interval: bucket.interval ?? 1, min_doc_count: 1 } }
    case 'range':
      return { range: { field: bucket.field, ranges: bucket.ranges.map(({ label: _shown, ...range }) => range) } }
    case 'date_range':
    case 'ip_range':
      return { [bucket.type]: { field: bucket.field, ranges: bucket.ranges } }
    case 'geo_grid': {
      const { grid, field, precision, size } = bucket
      return { [`${grid}_grid`]: { field, precision, size } }
    }
    case 'filters': {
      const filters = bucket.filters.map(
        ({ query }, index) => [String(index), languageClause(query, context.types) ?? { match_all: {} }] as const,
      )
      return { filters: { filters: Object.fromEntries(filters) } }
    }
  }
}

function multiTermsBody(
  bucket: BucketSpec & { type: 'terms' },
  metrics: readonly MetricSpec[],
  { types }: AggregationContext,
): Record<string, unknown> {
  const terms = fieldsOfTerms(bucket).map((field) => {
    const isKept = bucket.missingLabel !== undefined && isText(types.get(field))
    return { field, ...(isKept ? { missing: missingKey } : {}) }
  })
  return { multi_terms: { terms, size: bucket.size, order: orderOf(bucket, metrics) } }
}

/** The fields whose values make the groups of a level. */
export function fieldsOfTerms({ field, also = [] }: { field: string; also?: readonly string[] | undefined }): string[] {
  return [field, ...also]
}

function isText(type: string | undefined): boolean {
  return type === undefined || type === 'keyword' || type === 'constant_keyword' || type === 'wildcard'
}
