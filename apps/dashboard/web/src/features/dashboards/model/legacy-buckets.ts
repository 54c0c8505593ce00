import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'
import { messages } from '../messages.ts'
import { labelledFilter, rangeOf } from './lens.ts'
import type { BucketSpec, MetricSpec } from './table.ts'

/** The kinds of aggregations of a legacy visualization that make groups. */
export function isLegacyBucket(agg: Json): boolean {
  return Object.hasOwn(readers, text(agg['type']) ?? '')
}

/** What the aggregations of one visualization share. */
export interface LegacyContext {
  /** Reads the metric that orders groups where that is not one of the chart's. */
  orderOf(agg: Json): MetricSpec | undefined
  /** What people call a field. */
  nameOf(field: string): string
}

/** The groups of one aggregation, named as Kibana names them. */
export function legacyBucket(agg: Json, { orderOf, nameOf }: LegacyContext): BucketSpec {
  const params = jsonObject(agg['params'])
  const field = text(params['field']) ?? ''
  const type = text(agg['type']) ?? ''
  const read = isLegacyBucket(agg) ? readers[type] : undefined
  if (!read) throw new Error(messages.unknownAggregation(type))
  const own = text(params['customLabel'])
  const label = own || (labels[type]?.(nameOf(field), params) ?? nameOf(field))
  const bucket = read({ id: text(agg['id']) ?? '', label, field }, params, orderOf)
  return bucket.type === 'date_histogram' && !own ? { ...bucket, namesWidth: true } : bucket
}

/** Names of groups that say more than their field. */
const labels: Readonly<Record<string, (field: string, params: Json) => string>> = {
  terms: (field, params) => `${field}: ${params['order'] === 'asc' ? 'Ascending' : 'Descending'}`,
  significant_terms: (field, params) => `Top ${number(params['size']) ?? 10} unusual terms in ${field}`,
  range: (field) => `${field} ranges`,
  date_range: (field) => `${field} date ranges`,
  ip_range: (field) => `${field} IP ranges`,
  filters: () => 'filters',
}

interface Base {
  readonly id: string
  readonly label: string
  readonly field: string
}

type Read = (base: Base, params: Json, orderOf: (agg: Json) => MetricSpec | undefined) => BucketSpec

const boundsLabel = (from?: string, to?: string): string =>
  [...(from === undefined ? [] : [`≥ ${from}`]), ...(to === undefined ? [] : [`< ${to}`])].join(' and ')

const readers: Readonly<Record<string, Read>> = {
  terms: (base, params, orderOf) => ({ ...base, type: 'terms', ...termsOf(params, orderOf) }),
  significant_terms: (base, params) => ({ ...base, type: 'significant_terms', size: number(params['size']) ?? 10 }),
  date_histogram: (base, params) => {
    const saved = text(params['interval'])
    const interval = saved === 'custom' ? text(params['customInterval']) : saved
    return {
      ...base,
      type: 'date_histogram',
      interval,
      ...(params['min_doc_count'] === 0 ? { dense: true } : {}),
      ...(params['drop_partials'] === true ? { whole: true } : {}),
    }
  },
  geohash_grid: (base, params) => ({
    ...base,
    type: 'geo_grid',
    grid: 'geohash',
    precision: number(params['precision']) ?? 3,
    size: 10_000,
  }),
  histogram: (base, params) => ({
    ...base,
    type: 'histogram',
    interval: number(params['interval']),
    ...(params['interval'] === 'auto' ? { barsMax: number(params['maxBars']) } : {}),
  }),
  range: (base, params) => ({
    ...base,
    type: 'range',
    ranges: jsonArray(params['ranges']).map((range) => rangeOf(range, boundsLabel)),
  }),
  date_range: (base, params) => ({ ...base, type: 'date_range', ranges: namedRanges(params['ranges'], '*') }),
  ip_range: (base, params) => {
    const ranges = jsonObject(params['ranges'])
    const type = text(params['ipRangeType']) ?? 'fromTo'
    return { ...base, type: 'ip_range', ranges: namedRanges(ranges[type], '*') }
  },
  filters: ({ id, label }, params) => ({
    id,
    label,
    type: 'filters',
    filters: jsonArray(params['filters']).map(labelledFilter),
  }),
}

/** Ranges in search's own words; ends that are left open are left out. */
function namedRanges(saved: unknown, open: string): Json[] {
  return jsonArray(saved).map((range) => {
    const { from, to, mask } = range
    if (text(mask)) return { mask, key: mask }
    const end = (value: unknown): string => text(value) || open
    return {
      ...(text(from) ? { from } : {}),
      ...(text(to) ? { to } : {}),
      key: `${end(from)} to ${end(to)}`,
    }
  })
}

type TermsParameters = Omit<Extract<BucketSpec, { type: 'terms' }>, 'id' | 'label' | 'type' | 'field'>

function termsOf(params: Json, orderOf: (agg: Json) => MetricSpec | undefined): TermsParameters {
  const orderBy = text(params['orderBy']) ?? 'count'
  const orderMetric = orderBy === 'custom' ? orderOf(jsonObject(params['orderAgg'])) : undefined
  const matching = pattern(params['include'])
  const notMatching = pattern(params['exclude'])
  return {
    size: number(params['size']) ?? 5,
    orderBy: orderBy === '_key' || orderBy === '_term' ? 'key' : orderBy,
    ...(orderMetric ? { orderMetric } : {}),
    direction: params['order'] === 'asc' ? 'asc' : 'desc',
    otherBucket: params['otherBucket'] === true,
    otherLabel: text(params['otherBucketLabel']) ?? 'Other',
    missingLabel: params['missingBucket'] === true ? (text(params['missingBucketLabel']) ?? 'Missing') : undefined,
    ...(matching ? { matching } : {}),
    ...(notMatching ? { notMatching } : {}),
    ...listed('include', params['include']),
    ...listed('exclude', params['exclude']),
  }
}

/** A regular expression, as text or (before Kibana 6) as `{pattern}`; nothing for none. */
function pattern(saved: unknown): string | undefined {
  return (text(saved) ?? text(jsonObject(saved)['pattern'])) || undefined
}

/** Values instead of an expression, as numeric fields have them. */
function listed(name: 'include' | 'exclude', saved: unknown): Partial<TermsParameters> {
  const values = Array.isArray(saved) ? texts(saved.map(String)) : []
  return values.length > 0 ? { [name]: values } : {}
}
