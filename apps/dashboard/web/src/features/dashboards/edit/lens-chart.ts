import { type Json, jsonArray, jsonObject, number, sameJson, text } from '../../../kibana/saved-json.ts'
import type { NewPanel } from './draft.ts'

/** The shapes the chart builder offers. */
export const chartShapes = ['bar', 'line', 'area', 'pie', 'metric', 'table'] as const
export type ChartShape = (typeof chartShapes)[number]

/** What can be counted. All but `count` need a field. */
export const chartMetrics = ['count', 'unique_count', 'average', 'sum', 'min', 'max', 'median', 'last_value'] as const
export type ChartMetric = (typeof chartMetrics)[number]

/** A chart as its builder's form holds it. */
export interface LensChart {
  readonly shape: ChartShape
  readonly patternId: string
  readonly timeField: string | undefined
  readonly metric: ChartMetric
  readonly metricField: string | undefined
  /** What lies on the x axis, or what the slices, rows and tiles are: time, or the most frequent values of a field. */
  readonly by:
    | { readonly type: 'time' }
    | { readonly type: 'values'; readonly field: string; readonly size: number }
    | undefined
  /** A second field whose values split the first. */
  readonly split: { readonly field: string; readonly size: number } | undefined
  /** KQL. */
  readonly query: string
}

const layerId = 'layer1'
const sizes: Readonly<Record<ChartShape, { w: number; h: number }>> = {
  bar: { w: 24, h: 15 },
  line: { w: 24, h: 15 },
  area: { w: 24, h: 15 },
  pie: { w: 16, h: 15 },
  metric: { w: 12, h: 8 },
  table: { w: 24, h: 15 },
}
const metricWords: Readonly<Record<ChartMetric, string>> = {
  count: 'Count of records',
  unique_count: 'Unique count of',
  average: 'Average of',
  sum: 'Sum of',
  min: 'Minimum of',
  max: 'Maximum of',
  median: 'Median of',
  last_value: 'Last value of',
}

/** The panel by value that Kibana 8 would have saved for the chart. */
export function lensPanel(chart: LensChart, title: string): NewPanel {
  const columns = columnsOf(chart)
  const references = [{ type: 'index-pattern', id: chart.patternId, name: `indexpattern-datasource-layer-${layerId}` }]
  const attributes = {
    title: '',
    type: 'lens',
    visualizationType: visualizationTypes[chart.shape],
    references,
    state: {
      query: { query: chart.query, language: 'kuery' },
      filters: [],
      internalReferences: [],
      adHocDataViews: {},
      datasourceStates: {
        formBased: {
          layers: { [layerId]: { columns, columnOrder: Object.keys(columns), incompleteColumns: {}, sampling: 1 } },
        },
      },
      visualization: visualizationOf(chart),
    },
  }
  return { type: 'lens', title, config: { attributes }, size: sizes[chart.shape], references }
}

const visualizationTypes: Readonly<Record<ChartShape, string>> = {
  bar: 'lnsXY',
  line: 'lnsXY',
  area: 'lnsXY',
  pie: 'lnsPie',
  metric: 'lnsMetric',
  table: 'lnsDatatable',
}

/** The order of columns is the order of nesting: a split is the outer level of a series over time, the inner one of everything else. */
function columnsOf(chart: LensChart): Json {
  const by = byColumn(chart)
  const split = chart.split && chart.by ? { split: termsColumn(chart.split.field, chart.split.size) } : {}
  const isOuter = chart.by?.type === 'time'
  const groups = isOuter ? { ...split, ...by } : { ...by, ...split }
  return { ...groups, metric: metricColumn(chart) }
}

function byColumn({ by, timeField }: LensChart): Json {
  if (by === undefined) return {}
  if (by.type === 'values') return { by: termsColumn(by.field, by.size) }
  const params = { interval: 'auto', includeEmptyRows: true, dropPartials: false }
  const label = timeField ?? '@timestamp'
  const column = { label, dataType: 'date', operationType: 'date_histogram', sourceField: label, isBucketed: true }
  return { by: { ...column, scale: 'interval', params } }
}

function termsColumn(field: string, size: number): Json {
  const params = {
    size,
    orderBy: { type: 'column', columnId: 'metric' },
    orderDirection: 'desc',
    otherBucket: false,
    missingBucket: false,
    parentFormat: { id: 'terms' },
  }
  const column = { label: field, dataType: 'string', operationType: 'terms', sourceField: field, isBucketed: true }
  return { ...column, customLabel: true, scale: 'ordinal', params }
}

function metricColumn({ metric, metricField, timeField }: LensChart): Json {
  const isCount = metric === 'count'
  return {
    label: isCount ? metricWords.count : `${metricWords[metric]} ${metricField ?? ''}`,
    dataType: 'number',
    operationType: metric,
    sourceField: isCount ? '___records___' : (metricField ?? ''),
    isBucketed: false,
    scale: 'ratio',
    params: metric === 'last_value' ? { sortField: timeField ?? '@timestamp' } : {},
  }
}

function visualizationOf({ shape, by, split }: LensChart): Json {
  const hasSplit = split !== undefined && by !== undefined
  const layer = { layerId, layerType: 'data' }
  if (shape === 'metric') return { ...layer, metricAccessor: 'metric', ...(by ? { breakdownByAccessor: 'by' } : {}) }
  if (shape === 'pie') {
    const primaryGroups = [...(by ? ['by'] : []), ...(hasSplit ? ['split'] : [])]
    const look = { numberDisplay: 'percent', categoryDisplay: 'default', legendDisplay: 'default' }
    return { shape: 'donut', layers: [{ ...layer, ...look, primaryGroups, metrics: ['metric'] }] }
  }
  if (shape === 'table') {
    const ids = [...(by ? ['by'] : []), ...(hasSplit ? ['split'] : []), 'metric']
    return { ...layer, columns: ids.map((columnId) => ({ columnId })), paging: { enabled: true, size: 10 } }
  }
  const seriesType = { bar: 'bar_stacked', line: 'line', area: 'area_stacked' }[shape]
  const accessors = {
    accessors: ['metric'],
    ...(by ? { xAccessor: 'by' } : {}),
    ...(hasSplit ? { splitAccessor: 'split' } : {}),
  }
  return {
    preferredSeriesType: seriesType,
    legend: { isVisible: true, position: 'right' },
    layers: [{ ...layer, seriesType, ...accessors }],
  }
}

/** The form of a chart; undefined for one of which the form would lose anything: it must build what is saved. */
export function lensChartOf(attributes: Json): LensChart | undefined {
  const chart = readChart(attributes)
  if (!chart) return undefined
  const built = jsonObject(lensPanel(chart, '').config['attributes'])
  return sameJson(built['state'], attributes['state']) ? chart : undefined
}

function readChart(attributes: Json): LensChart | undefined {
  const state = jsonObject(attributes['state'])
  const layers = jsonObject(jsonObject(jsonObject(state['datasourceStates'])['formBased'])['layers'])
  if (Object.keys(layers).join() !== layerId) return undefined
  const columns = jsonObject(jsonObject(layers[layerId])['columns'])
  const [by, split, metric] = ['by', 'split', 'metric'].map((id) => jsonObject(columns[id]))
  const shape = shapeOf(attributes, state)
  const patternId = text(jsonArray(attributes['references'])[0]?.['id'])
  const operation = chartMetrics.find((name) => name === metric?.['operationType'])
  if (!shape || patternId === undefined || !operation) return undefined
  const splitField = text(split?.['sourceField'])
  return {
    shape,
    patternId,
    timeField: text(by?.['operationType'] === 'date_histogram' ? by['sourceField'] : sortFieldOf(metric)),
    metric: operation,
    metricField: operation === 'count' ? undefined : text(metric?.['sourceField']),
    by: byOf(by ?? {}),
    split: splitField === undefined ? undefined : { field: splitField, size: sizeOf(split ?? {}) },
    query: text(jsonObject(state['query'])['query']) ?? '',
  }
}

function sortFieldOf(metric: Json | undefined): unknown {
  return jsonObject(metric?.['params'])['sortField']
}

function byOf(column: Json): LensChart['by'] {
  if (column['operationType'] === 'date_histogram') return { type: 'time' }
  const field = text(column['sourceField'])
  return field === undefined ? undefined : { type: 'values', field, size: sizeOf(column) }
}

function sizeOf(column: Json): number {
  return number(jsonObject(column['params'])['size']) ?? 5
}

function shapeOf(attributes: Json, state: Json): ChartShape | undefined {
  const series = text(jsonArray(jsonObject(state['visualization'])['layers'])[0]?.['seriesType']) ?? ''
  const candidates = chartShapes.filter((shape) => visualizationTypes[shape] === attributes['visualizationType'])
  return candidates.length === 1 ? candidates[0] : candidates.find((shape) => series.startsWith(shape))
}

/** Whether everything the chart needs is chosen. */
export function isComplete(chart: LensChart): boolean {
  if (chart.patternId === '') return false
  if (chart.metric !== 'count' && !chart.metricField) return false
  if (chart.by?.type === 'values' && chart.by.field === '') return false
  return chart.split?.field !== ''
}
