import { z } from 'zod'
import { durationSchema } from '../rule-values/duration.ts'
import type { WindowAnswer, WindowQuery } from './define-rule-type.ts'

const metricTypes = ['min', 'max', 'avg', 'sum', 'cardinality', 'value_count', 'percentiles'] as const

/** Options of every rule type that asks search for aggregations of a window. */
export const windowOptions = {
  bucket_interval: durationSchema.optional(),
  sync_bucket_interval: z.boolean().default(false),
  use_run_every_query_size: z.boolean().default(false),
  allow_buffer_time_overlap: z.boolean().default(false),
  min_doc_count: z.number().int().min(1).default(1),
  terms_size: z.number().int().min(1).max(10_000).default(50),
} as const

/** Options that `metric_aggregation` and `spike_aggregation` share. */
export const metricOptions = {
  metric_agg_key: z.string().min(1),
  metric_agg_type: z.enum(metricTypes),
  percentile_range: z.number().min(0).max(100).optional(),
  metric_agg_script: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  metric_format_string: z.string().optional(),
} as const

type MetricRules = z.output<z.ZodObject<typeof metricOptions>>
type WindowRules = z.output<z.ZodObject<typeof windowOptions>>

/** Why the options of a window cannot be used together; undefined when they can. */
export function checkWindow(options: Partial<WindowRules>, bufferMs: number): string | undefined {
  const { bucket_interval: bucketMs, use_run_every_query_size: useRunEvery } = options
  if (bucketMs === undefined || useRunEvery) return undefined
  return bufferMs % bucketMs === 0 ? undefined : 'buffer_time must be a multiple of bucket_interval'
}

/** Why the options of a metric cannot be used together; undefined when they can. */
export function checkMetric({ metric_agg_type: type, percentile_range: percent }: MetricRules): string | undefined {
  return type === 'percentiles' && percent === undefined
    ? 'metric_agg_type percentiles needs percentile_range'
    : undefined
}

/** What to ask of every window. */
export function windowQueryOf(aggs: WindowQuery['aggs'], options: WindowRules): WindowQuery {
  return {
    aggs,
    ...(options.bucket_interval === undefined ? {} : { bucketMs: options.bucket_interval }),
    syncBuckets: options.sync_bucket_interval,
    overlap: options.allow_buffer_time_overlap,
    useRunEverySize: options.use_run_every_query_size,
    termsMinCount: options.min_doc_count,
  }
}

/** The aggregation of a metric, under the name ElastAlert gives it. */
export function metricAggs(options: MetricRules): WindowQuery['aggs'] {
  const { metric_agg_type: type, metric_agg_script: script, percentile_range: percent } = options
  const of = script === undefined ? { field: options.metric_agg_key } : typeof script === 'string' ? { script } : script
  return { [metricName(options)]: { [type]: { ...of, ...(type === 'percentiles' ? { percents: [percent] } : {}) } } }
}

/** `metric_<field>_<type>`: the aggregation's name, and the field of the match. */
export function metricName({ metric_agg_key: key, metric_agg_type: type }: MetricRules): string {
  return `metric_${key}_${type}`
}

/** The metric's value in an answer; undefined when there were no events. */
export function metricValue(options: MetricRules, { aggregations }: WindowAnswer): number | undefined {
  const found = aggregations[metricName(options)] as
    | { readonly value?: number | null; readonly values?: Readonly<Record<string, number | null>> }
    | undefined
  const value = found?.values ? Object.values(found.values)[0] : found?.value
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined
}

/** A number by a format of ElastAlert's: Python's `{:.2f}`, `{:,.1%}` or `%.2f`; the plain number for any other. */
export function formatNumberAs(format: string | undefined, value: number): string {
  const parts =
    /^(?<before>[^{%]*)(?:\{:?(?<comma>,)?(?:\.(?<digits>\d+))?(?<kind>[f%]?)\}|%(?:\.(?<printf>\d+))?f)(?<after>.*)$/u.exec(
      format ?? '',
    )
  if (!parts?.groups) return String(value)
  const { before = '', after = '', kind, comma, digits, printf } = parts.groups
  const shown = kind === '%' ? value * 100 : value
  const fraction = digits ?? printf
  const text =
    fraction === undefined
      ? kind === 'f' || kind === '%'
        ? shown.toFixed(6)
        : String(shown)
      : shown.toFixed(Number(fraction))
  const grouped = comma ? text.replace(/^-?\d+/u, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/gu, ',')) : text
  return `${before}${grouped}${kind === '%' ? '%' : ''}${after}`
}
