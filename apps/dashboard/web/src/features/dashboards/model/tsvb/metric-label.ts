import { type Json, jsonArray, text } from '../../../../kibana/saved-json.ts'

/** What stands before the field or the metric that another metric is made of. */
const words: Readonly<Record<string, string>> = {
  avg: 'Average',
  avg_bucket: 'Overall Average',
  cardinality: 'Cardinality',
  cumulative_sum: 'Cumulative Sum',
  derivative: 'Derivative',
  max: 'Max',
  max_bucket: 'Overall Max',
  min: 'Min',
  min_bucket: 'Overall Min',
  moving_average: 'Moving Average',
  percentile: 'Percentile',
  percentile_rank: 'Percentile Rank',
  positive_only: 'Positive Only',
  positive_rate: 'Counter Rate',
  serial_diff: 'Serial Difference',
  std_deviation: 'Std. Deviation',
  sum: 'Sum',
  sum_bucket: 'Overall Sum',
  sum_of_squares: 'Sum of Sq.',
  top_hit: 'Top Hit',
  value_count: 'Value Count',
  variance: 'Variance',
}
/** Metrics that say nothing of a field. */
const alone: Readonly<Record<string, string>> = {
  calculation: 'Bucket Script',
  count: 'Count',
  filter_ratio: 'Filter Ratio',
  math: 'Math',
  static: 'Static Value',
}
const depthMax = 20

/** The name of a series whose author gave it none, by its last metric, as Kibana makes it: `Derivative of Max of bytes`. */
export function seriesLabel(metrics: unknown, nameOf: (field: string) => string): string {
  const all = jsonArray(metrics)
  return labelOf(all.at(-1), all, nameOf, 0)
}

function labelOf(
  metric: Json | undefined,
  all: readonly Json[],
  nameOf: (field: string) => string,
  depth: number,
): string {
  const type = text(metric?.['type']) ?? ''
  if (type === 'series_agg') return `Series Agg (${text(metric?.['function']) ?? 'sum'})`
  const field = text(metric?.['field'])
  const before = words[type]
  if (before === undefined || field === undefined) return alone[type] ?? before ?? type
  const other = all.find(({ id }) => id === field)
  const of = other && depth < depthMax ? labelOf(other, all, nameOf, depth + 1) : nameOf(field)
  return `${before} of ${of}`
}
