import { buildQuery, type LanguageQuery } from '../../../../query/build-query.ts'
import { dateHistogram, type Interval } from '../../../../time/interval.ts'
import type { ResolvedRange } from '../../../../time/time-range.ts'
import type { DashboardContext } from '../../model/panel.ts'
import { TimelionError } from '../language/tree.ts'

/** What one `.es()` asks for. */
export interface EsQuestion {
  readonly index: string
  /** Undefined for the index pattern's own. */
  readonly timeField: string | undefined
  /** In Lucene's language; each makes series of its own. */
  readonly queries: readonly string[]
  readonly splits: readonly Split[]
  readonly metrics: readonly Metric[]
  readonly interval: Interval
  /** Where its documents lie: the chart's range, or as far from it as the offset says. */
  readonly range: ResolvedRange
  /** Whether the dashboard's query, filters and controls hold for it. */
  readonly isInDashboard: boolean
}

interface Split {
  readonly field: string
  readonly size: number
}

/** A number for each bucket of time. */
export interface Metric {
  readonly type: string
  /** Undefined of the number of documents. */
  readonly field: string | undefined
  readonly percents: readonly number[] | undefined
}

const metricTypes = ['count', 'avg', 'sum', 'min', 'max', 'cardinality', 'value_count', 'percentiles']
const splitSizeMax = 10_000

/** Reads `count`, `avg:bytes` or `percentiles:bytes:5,95`; `\:` is a colon of a field's name. Throws `TimelionError` for what is no metric. */
export function readMetric(text: string): Metric {
  const [type = '', field = '', percents] = partsOf(text)
  if (type === 'count') return { type, field: undefined, percents: undefined }
  if (!metricTypes.includes(type) || field === '')
    throw new TimelionError(
      `“${text}” is no metric: count, avg:FIELD, sum, min, max, cardinality, value_count and percentiles:FIELD:5,95 are`,
    )
  const numbers = type === 'percentiles' && percents ? percents.split(',').map(Number) : undefined
  if (numbers?.some((one) => !(one >= 0 && one <= 100)))
    throw new TimelionError(`“${percents}” are no percents: numbers from 0 to 100 are, with commas between them`)
  return { type, field, percents: numbers }
}

/** Reads `host.name:5`. Throws `TimelionError` for what is no split. */
export function readSplit(text: string): Split {
  const [field = '', size = ''] = partsOf(text)
  if (field === '' || !/^\d+$/.test(size) || Number(size) < 1 || Number(size) > splitSizeMax)
    throw new TimelionError(
      `“${text}” is no split: FIELD:NUMBER is, such as host.name:5, with at most ${splitSizeMax} values`,
    )
  return { field, size: Number(size) }
}

function partsOf(text: string): string[] {
  return text.split(/(?<!\\):/).map((part) => part.replaceAll('\\:', ':').trim())
}

type Shared = Pick<DashboardContext, 'queries' | 'filters'>
type Aggregations = Record<string, Record<string, unknown>>

/** The names of aggregations: by query, by split from the outermost, over time, and the numbers. */
export const names = {
  queries: 'q',
  split: (level: number): string => `s${level}`,
  time: 't',
  metric: (at: number): string => `m${at}`,
} as const

/** The search of a question; `types` are of the fields of its index. Throws what the dashboard's own query may be refused with. */
export function searchBody(
  question: EsQuestion & { readonly timeField: string },
  shared: Shared,
  types: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const { timeField, range, queries, isInDashboard } = question
  const lucene = (query: string): LanguageQuery => ({ language: 'lucene', query })
  // One query narrows the documents; of several each has a part of the answer.
  const own = queries.length === 1 ? queries.map(lucene) : []
  const query = buildQuery({
    timeField,
    range,
    queries: [...(isInDashboard ? shared.queries : []), ...own],
    filters: isInDashboard ? shared.filters : [],
    types,
  })
  const inner = splitAggregations(question, 0)
  const filters = queries.map((one) => buildQuery({ queries: [lucene(one)] }))
  const aggs = queries.length === 1 ? inner : { [names.queries]: { filters: { filters }, aggs: inner } }
  return { size: 0, track_total_hits: true, query, aggs }
}

function splitAggregations(question: EsQuestion & { readonly timeField: string }, level: number): Aggregations {
  const split = question.splits[level]
  if (!split) return timeAggregation(question)
  return { [names.split(level)]: { terms: { ...split }, aggs: splitAggregations(question, level + 1) } }
}

function timeAggregation({
  timeField,
  interval,
  range,
  metrics,
}: EsQuestion & { readonly timeField: string }): Aggregations {
  const aggs: Aggregations = {}
  for (const [at, { type, field, percents }] of metrics.entries())
    if (field !== undefined) aggs[names.metric(at)] = { [type]: { field, ...(percents ? { percents } : {}) } }
  const width = dateHistogram(timeField, interval)
  const bounds = { min_doc_count: 0, extended_bounds: { min: range.fromMs, max: range.toMs } }
  return {
    [names.time]: { date_histogram: { ...width, ...bounds }, ...(Object.keys(aggs).length > 0 ? { aggs } : {}) },
  }
}
