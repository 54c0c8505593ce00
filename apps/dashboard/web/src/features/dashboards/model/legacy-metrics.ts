import { type Json, jsonObject, number, text } from '../../../kibana/saved-json.ts'
import { unitNames } from '../../../kibana/value-pattern.ts'
import { messages } from '../messages.ts'
import type { SequenceName } from './derived/sequences.ts'
import { legacyBucket } from './legacy-buckets.ts'
import { queriesOf } from './saved-queries.ts'
import type { DerivedSpec, MetricSpec } from './table.ts'

/** The numbers of a legacy visualization: what search is asked, what is calculated from it, and the columns that only serve that. */
export interface LegacyMetrics {
  readonly metrics: readonly MetricSpec[]
  readonly derived: readonly DerivedSpec[]
  readonly hidden: readonly string[]
}

/** What people call a field. */
type NameOf = (field: string) => string

/** Reads the metrics of a legacy visualization, in order. */
export function legacyMetrics(aggs: readonly Json[], nameOf: NameOf): LegacyMetrics {
  const parts = aggs.map((agg) => partOf(agg, aggs, nameOf))
  return {
    metrics: parts.flatMap(({ metrics }) => metrics),
    derived: parts.flatMap(({ derived }) => derived),
    hidden: parts.flatMap(({ hidden }) => hidden),
  }
}

/** The first number of one aggregation that search can order by. */
export function orderingMetric(agg: Json, nameOf: NameOf): MetricSpec | undefined {
  return partOf(agg, [], nameOf).metrics[0]
}

const plain: Readonly<Record<string, MetricSpec['type']>> = {
  count: 'count',
  value_count: 'value_count',
  cardinality: 'cardinality',
  avg: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  median: 'percentiles',
  single_percentile: 'percentiles',
  top_hits: 'last_value',
  top_metrics: 'last_value',
  std_dev: 'standard_deviation',
}
const words: Readonly<Record<string, string>> = {
  value_count: 'Count of',
  cardinality: 'Unique count of',
  avg: 'Average',
  sum: 'Sum of',
  min: 'Min',
  max: 'Max',
  median: 'Median',
  single_percentile: 'Percentile of',
  std_dev: 'Standard deviation of',
}

const combinations: Readonly<Record<string, MetricSpec['combine']>> = {
  average: 'average',
  sum: 'sum',
  min: 'min',
  max: 'max',
  concat: 'concat',
}

/** Calculations along the groups of the chart. */
const alongGroups: Readonly<Record<string, readonly [name: SequenceName, words: string]>> = {
  derivative: ['differences', 'Derivative of'],
  serial_diff: ['differences', 'Serial diff of'],
  cumulative_sum: ['cumulative_sum', 'Cumulative sum of'],
  moving_avg: ['moving_average', 'Moving avg of'],
}
/** One number of the numbers of groups that are not shown. */
const acrossGroups: Readonly<Record<string, readonly [type: MetricSpec['type'], words: string]>> = {
  avg_bucket: ['avg_bucket', 'Overall average of'],
  sum_bucket: ['sum_bucket', 'Overall sum of'],
  min_bucket: ['min_bucket', 'Overall min of'],
  max_bucket: ['max_bucket', 'Overall max of'],
}
// Where points lie is read by maps themselves.
const ofMaps = ['geo_centroid', 'geo_bounds']
const nothing: LegacyMetrics = { metrics: [], derived: [], hidden: [] }

function partOf(agg: Json, all: readonly Json[], nameOf: NameOf): LegacyMetrics {
  const type = text(agg['type']) ?? ''
  const params = jsonObject(agg['params'])
  const id = text(agg['id']) ?? type
  const label = text(params['customLabel'])
  if (ofMaps.includes(type)) return nothing
  if (type === 'percentiles' || type === 'percentile_ranks') return only(...percentilesOf(agg, type, params, nameOf))
  if (plain[type]) return only(plainMetric(agg, type, params, nameOf))
  const across = acrossGroups[type]
  if (across) {
    const of = innerMetric(params['customMetric'], all, nameOf)
    const over = legacyBucket(jsonObject(params['customBucket']), {
      nameOf,
      orderOf: (by) => orderingMetric(by, nameOf),
    })
    return only({ id, label: label || `${across[1]} ${of.label}`, type: across[0], over, of })
  }
  const along = alongGroups[type]
  if (along) return sequenceOf({ id, label, along, params }, all, nameOf)
  if (type === 'filtered_metric') {
    const of = innerMetric(params['customMetric'], all, nameOf)
    const [filter] = queriesOf(jsonObject(jsonObject(params['customBucket'])['params'])['filter'])
    return only({ ...of, id, label: label || `Filtered ${of.label}`, filter })
  }
  if (type === 'rate') return rateOf(id, label, params, nameOf)
  throw new Error(messages.unknownAggregation(type))
}

function only(...metrics: MetricSpec[]): LegacyMetrics {
  return { ...nothing, metrics }
}

function innerMetric(saved: unknown, all: readonly Json[], nameOf: NameOf): MetricSpec {
  const [metric] = partOf(jsonObject(saved), all, nameOf).metrics
  return metric ?? { id: 'count', label: 'Count', type: 'count' }
}

function sequenceOf(
  agg: { id: string; label: string | undefined; along: readonly [SequenceName, string]; params: Json },
  all: readonly Json[],
  nameOf: NameOf,
): LegacyMetrics {
  const { id, label, params } = agg
  const [name, prefix] = agg.along
  const referred = text(params['metricAgg']) ?? 'custom'
  const other = all.find((agg) => agg['id'] === referred)
  const own = other ? undefined : partOf(jsonObject(params['customMetric']), all, nameOf)
  const source = `${id}-of`
  const [metric] = own?.metrics ?? []
  const of = other ? partOf(other, all, nameOf) : undefined
  const sourceLabel = metric?.label ?? of?.metrics[0]?.label ?? of?.derived[0]?.label ?? 'Count'
  const from = other ? referred : metric || own?.derived.length === 0 ? source : (own?.derived.at(-1)?.id ?? source)
  const added = other ? [] : [{ ...(metric ?? { label: 'Count', type: 'count' as const }), id: source }]
  const derived: DerivedSpec = {
    id,
    label: label || `${prefix} ${sourceLabel}`,
    calculation: {
      type: 'sequence',
      name,
      of: from,
      window: number(params['window']) ?? (name === 'moving_average' ? 5 : 1),
    },
  }
  return { metrics: added, derived: [derived], hidden: added.map((one) => one.id) }
}

/** How many, or how much of a field, in each unit of time. */
function rateOf(id: string, label: string | undefined, params: Json, nameOf: NameOf): LegacyMetrics {
  const field = text(params['field'])
  const unit = text(params['unit']) ?? 'second'
  const shown = label || (field ? `Rate of ${nameOf(field)} per ${unit}` : `Rate per ${unit}`)
  const metric: MetricSpec = { id, label: shown, type: field ? 'sum' : 'count', field }
  const calculation = { type: 'rate', of: id, unitMs: unitNames[`${unit}s`]?.ms ?? 1_000 } as const
  return { metrics: [metric], derived: [{ id, label: shown, calculation }], hidden: [] }
}

function plainMetric(agg: Json, name: string, params: Json, nameOf: NameOf): MetricSpec {
  const type = plain[name] ?? 'count'
  const field = text(params['field'])
  const automatic = type === 'count' ? 'Count' : `${wordsOf(name, params)} ${nameOf(field ?? '')}`
  return {
    id: text(agg['id']) ?? name,
    label: text(params['customLabel']) || automatic,
    type,
    field,
    ...(name === 'single_percentile' ? { percent: number(params['percentile']) ?? 50 } : {}),
    sortField: text(params['sortField']),
    sortDirection: params['sortOrder'] === 'asc' ? 'asc' : 'desc',
    hits: number(params['size']),
    combine: combinations[text(params['aggregate']) ?? ''],
  }
}

/** What stands before the field; of documents which end of their order, and how many of several. */
function wordsOf(name: string, params: Json): string {
  if (name !== 'top_hits' && name !== 'top_metrics') return words[name] ?? name
  const end = params['sortOrder'] === 'asc' ? 'First' : 'Last'
  const hits = number(params['size']) ?? 1
  return hits > 1 ? `${end} ${hits}` : end
}

/** One aggregation of several numbers is as many metrics, named as Kibana names them: `1.50`. */
function percentilesOf(
  agg: Json,
  type: 'percentiles' | 'percentile_ranks',
  params: Json,
  nameOf: NameOf,
): MetricSpec[] {
  const wanted = params[type === 'percentiles' ? 'percents' : 'values']
  const values = (Array.isArray(wanted) ? wanted : []).flatMap((value) => number(value) ?? [])
  const field = text(params['field'])
  // The author's words stand for the field, not for all of the label.
  const of = text(params['customLabel']) || nameOf(field ?? '')
  return values.map((value) => {
    const label =
      type === 'percentiles' ? `${ordinal(value)} percentile of ${of}` : `Percentile rank ${value} of "${of}"`
    const own = type === 'percentiles' ? { percent: value } : { rankOf: value }
    return { id: `${text(agg['id'])}.${value}`, label, type, field, ...own }
  })
}

function ordinal(value: number): string {
  const isTeen = value % 100 > 10 && value % 100 < 14
  const ending = isTeen ? 'th' : ({ 1: 'st', 2: 'nd', 3: 'rd' }[value % 10] ?? 'th')
  return `${value}${ending}`
}
