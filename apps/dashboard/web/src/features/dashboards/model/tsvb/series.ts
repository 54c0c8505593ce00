import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../../kibana/saved-json.ts'
import type { ValueFormat } from '../../../../kibana/value-format.ts'
import type { LanguageQuery } from '../../../../query/build-query.ts'
import { automaticInterval, type Interval, intervalOf } from '../../../../time/interval.ts'
import type { ResolvedRange } from '../../../../time/time-range.ts'
import { labelledFilter } from '../lens.ts'
import { type DataSource, dataSourceOf, type ObjectMap } from '../objects.ts'
import type { PanelModel } from '../panel-model.ts'
import { queriesOf } from '../saved-queries.ts'
import type { BucketSpec, MetricSpec, TableRequest } from '../table.ts'
import { visParams } from '../vis-params.ts'
import { seriesFormat } from './format.ts'
import { seriesLabel } from './metric-label.ts'
import { type SeriesMetrics, seriesMetrics } from './metrics.ts'

/** One series: its request, and how it looks. */
export interface TsvbSeries {
  readonly request: TableRequest
  readonly label: string
  readonly color: string | undefined
  /** The columns that are shown. */
  readonly values: readonly string[]
  /** The column that splits the series into several. */
  readonly split: string | undefined
  /** The column of time buckets; absent where one number of the whole range is shown. */
  readonly time: string | undefined
  readonly format: ValueFormat | undefined
  readonly saved: Json
}

/** A TSVB visualization. */
export interface TsvbModel {
  readonly type: string
  readonly params: Json
  readonly series: readonly TsvbSeries[]
  /** Whether the last time bucket, which is not over yet, is left out of "the last value". */
  readonly dropsLast: boolean
  /** What of it is not known: kinds of metrics, scripts. */
  readonly unknown: readonly string[]
}

const bucketsWanted = 100
const splitId = 'split'
const timeId = 'time'

/** Reads a TSVB visualization. The range decides how wide its time buckets are. */
export function tsvbModel(panel: PanelModel, objects: ObjectMap, range: ResolvedRange): TsvbModel {
  const params = visParams(panel)
  const type = text(params['type']) ?? 'timeseries'
  const shown = jsonArray(params['series']).filter((series) => series['hidden'] !== true)
  const read = shown.map((series) => readSeries(series, { type, params, panel, objects, range }))
  return {
    type,
    params,
    series: read.map(({ series }) => series),
    dropsLast: number(params['drop_last_bucket']) !== 0,
    unknown: [...new Set(read.flatMap(({ unknown }) => unknown))],
  }
}

interface Surroundings {
  readonly type: string
  readonly params: Json
  readonly panel: PanelModel
  readonly objects: ObjectMap
  readonly range: ResolvedRange
}

function readSeries(saved: Json, around: Surroundings): { series: TsvbSeries; unknown: readonly string[] } {
  const { type, params } = around
  const source = sourceOf(saved, around)
  const timeField = source.timeField ?? '@timestamp'
  const label = text(saved['label']) || seriesLabel(saved['metrics'], (field) => source.names?.[field] ?? field)
  const found = seriesMetrics(jsonArray(saved['metrics']), label, timeField)
  const format = seriesFormat(saved['formatter'], saved['value_template'])
  const split = splitOf(saved, params, type, found.metrics)
  const isWhole =
    type !== 'timeseries' && (saved['time_range_mode'] ?? params['time_range_mode']) === 'entire_time_range'
  const goesAlong = found.derived.some(({ calculation }) => calculation.type === 'sequence')
  const time = isWhole && !goesAlong ? undefined : timeBucket(saved, params, timeField, around.range)
  const series: TsvbSeries = {
    request: requestOf({ saved, params, source, found, format, buckets: [...split, ...(time ? [time] : [])] }),
    label,
    color: text(saved['color']),
    values: found.values,
    split: split.length > 0 && found.collapse === undefined ? splitId : undefined,
    time: time ? timeId : undefined,
    format,
    saved,
  }
  return { series, unknown: found.unknown }
}

function requestOf(parts: {
  readonly saved: Json
  readonly params: Json
  readonly source: DataSource
  readonly found: SeriesMetrics
  readonly format: ValueFormat | undefined
  readonly buckets: readonly BucketSpec[]
}): TableRequest {
  const { saved, params, source, found, format, buckets } = parts
  const ids = [...found.metrics, ...found.derived].map(({ id }) => id)
  const formatted = <Spec extends { readonly id: string }>(spec: Spec): Spec => ({ ...spec, format })
  const isAlone = [saved, params].some(
    (one) => number(one['ignore_global_filter'] ?? one['ignore_global_filters']) === 1,
  )
  return {
    index: source.index,
    timeField: source.timeField,
    // By their field's own format where the author left it to that.
    ...(saved['formatter'] === 'default' && source.formats ? { formats: source.formats } : {}),
    queries: [...panelQueries(params['filter']), ...panelQueries(saved['filter'])],
    filters: [],
    buckets,
    metrics: found.metrics.map(formatted),
    derived: found.derived.map(formatted),
    hidden: [...new Set(ids.filter((id) => !found.values.includes(id)))],
    ...(found.collapse && buckets.some(({ id }) => id === splitId)
      ? { collapse: [{ bucket: splitId, by: found.collapse }] }
      : {}),
    ...(isAlone ? { alone: true } : {}),
  }
}

/** Before 7.0 a filter was a text, in Lucene. */
function panelQueries(filter: unknown): LanguageQuery[] {
  return queriesOf(typeof filter === 'string' ? { query: filter, language: 'lucene' } : filter)
}

function sourceOf(saved: Json, { params, panel, objects }: Surroundings): DataSource {
  const isOwn = number(saved['override_index_pattern']) === 1
  const [holder, prefix] = isOwn ? [saved, 'series_'] : [params, '']
  const refName = text(holder[`${prefix}index_pattern_ref_name`])
  const referred = panel.references.find(({ name }) => refName !== undefined && name === refName)?.id
  const pattern = holder[`${prefix}index_pattern`]
  const id = referred ?? text(jsonObject(pattern)['id'])
  const named = text(pattern) || text(params['default_index_pattern'])
  const source = id === undefined && named ? { index: named, timeField: undefined } : dataSourceOf(id, objects)
  const timeField = text(holder[`${prefix}time_field`]) || source.timeField || text(params['default_timefield'])
  return { ...source, timeField: timeField || '@timestamp' }
}

function splitOf(saved: Json, params: Json, type: string, metrics: readonly MetricSpec[]): BucketSpec[] {
  const pivot = type === 'table' ? (text(params['pivot_id']) ?? texts(params['pivot_id'])[0]) : undefined
  if (pivot) {
    const label = text(params['pivot_label']) || pivot
    return [terms(pivot, label, number(params['pivot_rows']) ?? 10, '_count', 'desc')]
  }
  const field = text(saved['terms_field']) ?? texts(saved['terms_field'])[0]
  switch (saved['split_mode']) {
    case 'terms': {
      if (!field) return []
      const saved_order = text(saved['terms_order_by']) ?? '_count'
      const order = metrics.some(({ id }) => id === saved_order) || saved_order.startsWith('_') ? saved_order : '_count'
      const direction = saved['terms_direction'] === 'asc' ? 'asc' : 'desc'
      const bucket = terms(field, field, number(saved['terms_size']) ?? 10, order, direction)
      const [include, exclude] = [text(saved['terms_include']), text(saved['terms_exclude'])]
      return [{ ...bucket, ...(include ? { matching: include } : {}), ...(exclude ? { notMatching: exclude } : {}) }]
    }
    case 'filters': {
      const filters = jsonArray(saved['split_filters']).map(({ filter, label }) => {
        const input = typeof filter === 'string' ? { query: filter, language: 'lucene' } : filter
        return labelledFilter({ label, input })
      })
      return [{ id: splitId, label: text(saved['label']) ?? '', type: 'filters', filters }]
    }
    default:
      return []
  }
}

function terms(
  field: string,
  label: string,
  size: number,
  order: string,
  direction: 'asc' | 'desc',
): Extract<BucketSpec, { type: 'terms' }> {
  const orderBy = order === '_count' ? 'count' : order === '_key' || order === '_term' ? 'key' : order
  return { id: splitId, label, type: 'terms', field, size, orderBy, direction, otherBucket: false, otherLabel: '' }
}

function timeBucket(saved: Json, params: Json, field: string, range: ResolvedRange): BucketSpec {
  const isOwn = number(saved['override_index_pattern']) === 1
  const wanted = text(isOwn ? saved['series_interval'] : params['interval']) ?? ''
  const { text: interval } = widthOf(wanted, range.toMs - range.fromMs)
  return { id: timeId, label: field, type: 'date_histogram', field, interval, dense: true }
}

/** `auto`, a width of one's own (`5m`), or the automatic one but no narrower than that (`>=5m`). */
function widthOf(wanted: string, rangeMs: number): Interval {
  const automatic = automaticInterval(rangeMs, bucketsWanted)
  if (wanted === '' || wanted === 'auto') return automatic
  const own = intervalOf(wanted.replace(/^>=\s*/, ''), rangeMs)
  return wanted.startsWith('>=') && own.ms < automatic.ms ? automatic : own
}
