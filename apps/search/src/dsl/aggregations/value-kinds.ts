import { pipelines } from '../pipelines/index.ts'
import { aggregations } from './index.ts'

const ordered = ['boolean', 'date', 'numeric']
const groupable = ['boolean', 'date', 'ip', 'keyword', 'numeric']
const points = ['geopoint']

/** What kinds of values the fields of an aggregation have; those that look at no field, or at more than one, are `other`. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  auto_date_histogram: ['date'],
  avg: ordered,
  boxplot: ordered,
  cardinality: groupable,
  date_histogram: ['date'],
  date_range: ['date'],
  extended_stats: ordered,
  geo_bounds: points,
  geo_centroid: points,
  geo_distance: points,
  geohash_grid: points,
  geotile_grid: points,
  histogram: ordered,
  ip_prefix: ['ip'],
  ip_range: ['ip'],
  max: ordered,
  median_absolute_deviation: ordered,
  min: ordered,
  missing: groupable,
  percentile_ranks: ordered,
  percentiles: ordered,
  range: ordered,
  rare_terms: groupable,
  significant_terms: groupable,
  stats: ordered,
  string_stats: ['keyword'],
  sum: ordered,
  terms: groupable,
  value_count: groupable,
}

/** The aggregations with the kinds of values they take, as `_nodes/aggregations` shows them; pipelines work on no values. */
export function aggregationKinds(): Record<string, { types: readonly string[] }> {
  const pipelineNames = new Set(pipelines.map(({ name }) => name))
  return Object.fromEntries(
    [...aggregations.values()]
      .filter(({ name }) => !pipelineNames.has(name))
      .map(({ name }) => [name, { types: kinds[name] ?? ['other'] }] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
