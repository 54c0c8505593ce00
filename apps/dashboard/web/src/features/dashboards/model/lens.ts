import type { SavedObject } from '@logstack/contracts'
import { formatNumber } from '../../../format/format.ts'
import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'
import type { ValueFormat } from '../../../kibana/value-format.ts'
import { patternFormat, unitNames } from '../../../kibana/value-pattern.ts'
import type { LanguageQuery } from '../../../query/build-query.ts'
import { intervalOf } from '../../../time/interval.ts'
import { messages } from '../messages.ts'
import { lensCalculations, needsEveryRow } from './lens-formula.ts'
import { dataSourceOf, type ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import { clausesOf } from './saved-filters.ts'
import { queriesOf } from './saved-queries.ts'
import type { BucketSpec, Collapse, MetricSpec, RangeSpec, TableRequest } from './table.ts'

/** The visualization part of a Lens panel. */
export function lensVisualization(panel: PanelModel): Json {
  return jsonObject(jsonObject(panel.attributes['state'])['visualization'])
}

/** What a layer asks for that is made of fields; undefined when the layer has no data of indices (annotations). Throws what cannot be drawn, in words. */
export function lensRequest(panel: PanelModel, layerId: string, objects: ObjectMap): TableRequest | undefined {
  const state = jsonObject(panel.attributes['state'])
  const sources = jsonObject(state['datasourceStates'])
  // `indexpattern` is what `formBased` was called before Kibana 8.6.
  const layers = jsonObject(jsonObject(sources['formBased'] ?? sources['indexpattern'])['layers'])
  if (layers[layerId] === undefined) return undefined
  const layer = jsonObject(layers[layerId])
  const columns = jsonObject(layer['columns'])
  const ids = texts(layer['columnOrder'])
  const order = ids.length > 0 ? ids : Object.keys(columns)
  const specs = order.map((id) => ({ id, column: jsonObject(columns[id]) }))
  const { derived, hidden } = lensCalculations(columns, formatOf)
  const dense = needsEveryRow(derived)
  const collapse = collapsesOf(lensVisualization(panel), layerId)
  return hoistSharedFilter({
    ...dataSourceOf(patternId(panel, layer, layerId), withAdHocViews(state, objects)),
    queries: [...queriesOf(state['query']), ...queriesOf(panel.config['query'])],
    filters: [...clausesOf(state['filters']), ...clausesOf(panel.config['filters'])],
    buckets: specs.flatMap(({ id, column }) => bucketOf(id, column)).map((bucket) => withEveryRow(bucket, dense)),
    metrics: specs.flatMap(({ id, column }) => metricOf(id, column)),
    ...(derived.length > 0 ? { derived, hidden } : {}),
    ...(layer['ignoreGlobalFilters'] === true ? { alone: true } : {}),
    ...(collapse.length > 0 ? { collapse } : {}),
  })
}

/** The groups of a layer whose rows become one; each kind of chart says so in a place of its own. */
export function collapsesOf(visualization: Json, layerId: string): Collapse[] {
  const layer = jsonArray(visualization['layers']).find((one) => one['layerId'] === layerId) ?? {}
  const named: readonly (readonly [unknown, unknown])[] = [
    [layer['splitAccessor'], layer['collapseFn']],
    [visualization['breakdownByAccessor'], visualization['collapseFn']],
    ...Object.entries(jsonObject(layer['collapseFns'])),
    ...jsonArray(visualization['columns']).map((column) => [column['columnId'], column['collapseFn']] as const),
  ]
  return named.flatMap(([id, name]) => {
    const bucket = text(id)
    const by = collapseFunctions.find((one) => one === name)
    return bucket !== undefined && by ? [{ bucket, by }] : []
  })
}

const collapseFunctions = ['sum', 'avg', 'min', 'max'] as const

function withEveryRow(bucket: BucketSpec, dense: boolean): BucketSpec {
  return dense && bucket.type === 'date_histogram' ? { ...bucket, dense } : bucket
}

/** A filter that all metrics share filters the whole search instead: fewer aggregations, and groups without a match fall away. */
export function hoistSharedFilter(request: TableRequest): TableRequest {
  const [first, ...others] = request.metrics
  const { filter } = first ?? {}
  const isShared = filter && others.every((metric) => JSON.stringify(metric.filter) === JSON.stringify(filter))
  if (!isShared) return request
  const metrics = request.metrics.map(({ filter: _hoisted, ...metric }) => metric)
  return { ...request, queries: [...request.queries, filter], metrics }
}

function patternId(panel: PanelModel, layer: Json, layerId: string): string | undefined {
  const name = `indexpattern-datasource-layer-${layerId}`
  const internal = jsonArray(jsonObject(panel.attributes['state'])['internalReferences'])
  const found = panel.references.find((reference) => reference.name === name)
  const adHoc = internal.find((reference) => reference['name'] === name)
  return found?.id ?? text(adHoc?.['id']) ?? text(layer['indexPatternId'])
}

/** The objects of a dashboard with the index patterns that a panel holds itself. */
export function withAdHocViews(state: Json, objects: ObjectMap): ObjectMap {
  const views = Object.entries(jsonObject(state['adHocDataViews']))
  if (views.length === 0) return objects
  const added = views.map(([id, view]) => {
    const object: SavedObject = { type: 'index-pattern', id, attributes: jsonObject(view), references: [] }
    return [`index-pattern:${id}`, object] as const
  })
  return new Map([...objects, ...added])
}

function bucketOf(id: string, column: Json): BucketSpec[] {
  const base = { id, label: text(column['label']) ?? id }
  const params = jsonObject(column['params'])
  const field = text(column['sourceField']) ?? ''
  switch (column['operationType']) {
    case 'terms':
      if (jsonObject(params['orderBy'])['type'] === 'significant')
        return [{ ...base, type: 'significant_terms', field, size: number(params['size']) ?? 5 }]
      return [{ ...base, type: 'terms', field, ...termsOf(params) }]
    case 'significant_terms':
      return [{ ...base, type: 'significant_terms', field, size: number(params['size']) ?? 10 }]
    case 'date_histogram':
      return [
        {
          ...base,
          type: 'date_histogram',
          field,
          interval: text(params['interval']),
          namesWidth: true,
          ...(params['dropPartials'] === true ? { whole: true } : {}),
        },
      ]
    case 'range': {
      const ranges = jsonArray(params['ranges']).map((range) => rangeOf(range, arrowLabel))
      if (params['type'] === 'range') return [{ ...base, type: 'range', field, ranges }]
      return [{ ...base, type: 'histogram', field, interval: undefined, barsMax: number(params['maxBars']) }]
    }
    case 'filters':
      return [{ ...base, type: 'filters', filters: jsonArray(params['filters']).map(labelledFilter) }]
    default:
      return []
  }
}

type TermsParameters = Omit<Extract<BucketSpec, { type: 'terms' }>, 'id' | 'label' | 'type' | 'field'>

function termsOf(params: Json): TermsParameters {
  const orderBy = jsonObject(params['orderBy'])
  const [orderMetric] = orderBy['type'] === 'custom' ? metricOf('order', jsonObject(params['orderAgg'])) : []
  return {
    ...(orderMetric ? { orderMetric } : {}),
    ...(orderBy['type'] === 'rare' ? { rareMax: number(orderBy['maxDocCount']) ?? 1 } : {}),
    size: number(params['size']) ?? 5,
    orderBy: orderBy['type'] === 'alphabetical' ? 'key' : (text(orderBy['columnId']) ?? 'count'),
    direction: params['orderDirection'] === 'asc' ? 'asc' : 'desc',
    otherBucket: params['otherBucket'] === true,
    otherLabel: 'Other',
    also: texts(params['secondaryFields']),
    missingLabel: params['missingBucket'] === true ? '(missing value)' : undefined,
    include: params['includeIsRegex'] === true ? undefined : texts(params['include']),
    exclude: params['excludeIsRegex'] === true ? undefined : texts(params['exclude']),
    matching: params['includeIsRegex'] === true ? texts(params['include']).join('|') || undefined : undefined,
    notMatching: params['excludeIsRegex'] === true ? texts(params['exclude']).join('|') || undefined : undefined,
  }
}

/** One range of a range bucket, from the saved form; without a label of its author's it has that of its ends. */
export function rangeOf(range: Json, labelOf: (from: string | undefined, to: string | undefined) => string): RangeSpec {
  const from = number(range['from'])
  const to = number(range['to'])
  const shown = (value: number | undefined): string | undefined =>
    value === undefined ? undefined : formatNumber(value)
  return {
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    label: text(range['label']) || labelOf(shown(from), shown(to)),
  }
}

const arrowLabel = (from = '-∞', to = '+∞'): string => `${from} → ${to}`

/** One filter of a filters bucket; without a label its query is the label. */
export function labelledFilter(filter: Json): { label: string; query: LanguageQuery } {
  const [query] = queriesOf(filter['input'])
  const label = text(filter['label'])
  return { label: label || String(query?.query ?? '*'), query: query ?? { language: 'kuery', query: '' } }
}

const metricTypes: Readonly<Record<string, MetricSpec['type']>> = {
  count: 'count',
  unique_count: 'cardinality',
  cardinality: 'cardinality',
  average: 'avg',
  avg: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  median: 'percentiles',
  percentile: 'percentiles',
  percentile_rank: 'percentile_ranks',
  standard_deviation: 'standard_deviation',
  last_value: 'last_value',
  static_value: 'static_value',
}

function metricOf(id: string, column: Json): MetricSpec[] {
  const type = metricTypes[text(column['operationType']) ?? '']
  if (!type) return []
  const params = jsonObject(column['params'])
  const field = text(column['sourceField'])
  const isFieldCount = type === 'count' && field !== undefined && field !== '___records___'
  const [filter] = queriesOf(column['filter'])
  return [
    {
      id,
      label: text(column['label']) ?? id,
      type: isFieldCount ? 'value_count' : type,
      field: type === 'count' && !isFieldCount ? undefined : field,
      percent: number(params['percentile']) ?? 50,
      rankOf: number(params['value']),
      sortField: text(params['sortField']),
      ...(params['showArrayValues'] === true ? { allValues: true } : {}),
      staticValue: number(params['value']) ?? 0,
      filter,
      lastMs: durationMs(column['reducedTimeRange']),
      shift: shiftOf(column['timeShift']),
      format: formatOf(params['format']),
    },
  ]
}

/** Milliseconds of a span like `15m`; undefined for none. */
function durationMs(value: unknown): number | undefined {
  const span = text(value)
  return span === undefined || !/^\d+[smhdwMy]$/.test(span) ? undefined : intervalOf(span, 0).ms
}

/** A time shift: a span, or `previous`; of an instant (`startAt(…)`) nothing is drawn rather than something else. */
function shiftOf(value: unknown): MetricSpec['shift'] {
  const shift = text(value)
  if (shift === undefined || shift === '') return undefined
  const found = shift === 'previous' ? shift : durationMs(shift)
  if (found === undefined) throw new Error(messages.unknownShift(shift))
  return found
}

/** A Lens format; undefined for the plain one. */
export function formatOf(value: unknown): ValueFormat | undefined {
  const format = jsonObject(value)
  const params = jsonObject(format['params'])
  const shown = { decimals: number(params['decimals']), suffix: text(params['suffix']) || undefined }
  switch (format['id']) {
    case 'number':
    case 'bytes':
    case 'bits':
    case 'percent':
      return { id: format['id'], ...shown, ...(params['compact'] === true ? { compact: true } : {}) }
    case 'duration': {
      const to = text(params['toUnit']) ?? ''
      const unitMs = unitNames[text(params['fromUnit']) ?? 'seconds']?.ms ?? 1_000
      return { id: 'duration', unitMs, to: unitNames[to.replace(/^as/, '').toLowerCase()]?.short, ...shown }
    }
    case 'custom': {
      const pattern = patternFormat(text(params['pattern']) ?? '')
      return pattern && { ...pattern, suffix: shown.suffix }
    }
    default:
      return undefined
  }
}
