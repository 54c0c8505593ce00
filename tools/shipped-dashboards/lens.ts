/** Where a panel's data lives. A view of its own (`adHoc`) is known to its panel alone and stands in no list of index patterns. */
export interface View {
  readonly id: string
  readonly title: string
  readonly timeField: string
  readonly adHoc: boolean
}

/** What is measured; without one, events are counted. */
interface Measure {
  readonly label: string
  readonly operation: 'count' | 'unique_count' | 'average' | 'max' | 'sum' | 'last_value'
  readonly field?: string
  /** KQL: only these events. */
  readonly query?: string
  readonly format?: 'percent' | 'bytes'
}

/** The most frequent values of a field. */
interface Values {
  readonly field: string
  readonly label: string
  /** 5 unless told. */
  readonly size?: number
  /** Whether all further values stand together as “Other”. */
  readonly other?: boolean
  /** Whether documents without the field are a group of their own. */
  readonly missing?: boolean
}

/** A panel on its row. */
export interface Panel {
  readonly title: string
  /** Columns of 48. */
  readonly width: number
  readonly content: LensContent | EventsContent | TextContent
}

/** A Lens chart: the attributes that Kibana 8 saves. */
interface LensContent {
  readonly kind: 'lens'
  readonly attributes: Readonly<Record<string, unknown>>
  readonly references: readonly Reference[]
}

/** A saved search. */
interface EventsContent {
  readonly kind: 'events'
  readonly view: View
  readonly query: string
  readonly columns: readonly string[]
}

/** Words in Markdown. */
interface TextContent {
  readonly kind: 'text'
  readonly markdown: string
}

/** A name in a saved object's JSON and the object it stands for. */
export interface Reference {
  readonly type: string
  readonly id: string
  readonly name: string
}

interface Asked {
  readonly view: View
  readonly width: number
  /** KQL. */
  readonly query?: string
}

type Column = Readonly<Record<string, unknown>>

const layerId = 'layer1'
const countAll: Measure = { label: 'Events', operation: 'count' }

/** One big number. */
export function number(title: string, { measure = countAll, ...asked }: Asked & { measure?: Measure }): Panel {
  return lens(title, asked, 'lnsMetric', { m: measureColumn(measure) }, { metricAccessor: 'm' })
}

/** How often over time, split by the values of a field. */
export function overTime(
  title: string,
  {
    split,
    measure = countAll,
    series = 'bar_stacked',
    ...asked
  }: Asked & {
    split?: Values
    measure?: Measure
    series?: 'bar_stacked' | 'line' | 'area_stacked'
  },
): Panel {
  const columns = {
    ...(split ? { s: valuesColumn(split) } : {}),
    t: timeColumn(asked.view.timeField),
    m: measureColumn(measure),
  }
  const accessors = { xAccessor: 't', accessors: ['m'], ...(split ? { splitAccessor: 's' } : {}) }
  return lens(title, asked, 'lnsXY', columns, xy(series, accessors))
}

/** The most frequent values as bars from left to right, the longest on top. */
export function ranking(title: string, { by, split, ...asked }: Asked & { by: Values; split?: Values }): Panel {
  const columns = {
    b: valuesColumn(by),
    ...(split ? { s: valuesColumn(split) } : {}),
    m: measureColumn(countAll),
  }
  const accessors = { xAccessor: 'b', accessors: ['m'], ...(split ? { splitAccessor: 's' } : {}) }
  return lens(title, asked, 'lnsXY', columns, xy('bar_horizontal_stacked', accessors))
}

/** The shares of the most frequent values. */
export function shares(title: string, { by, ...asked }: Asked & { by: Values }): Panel {
  const look = { numberDisplay: 'percent', categoryDisplay: 'default', legendDisplay: 'default' }
  const layers = [{ layerId, layerType: 'data', primaryGroups: ['b'], metrics: ['m'], ...look }]
  const columns = { b: valuesColumn({ other: true, ...by }), m: measureColumn(countAll) }
  return lens(title, asked, 'lnsPie', columns, { shape: 'donut', layers })
}

/** The most frequent combinations of values, with numbers beside them. */
export function table(
  title: string,
  { by, measures = [countAll], ...asked }: Asked & { by: readonly Values[]; measures?: readonly Measure[] },
): Panel {
  const groups = by.map((values, at) => [`b${at}`, valuesColumn(values, 'm0')] as const)
  const numbers = measures.map((measure, at) => [`m${at}`, measureColumn(measure, asked.view.timeField)] as const)
  const ids = [...groups, ...numbers].map(([id]) => id)
  const look = { columns: ids.map((columnId) => ({ columnId })), paging: { enabled: true, size: 10 } }
  return lens(title, asked, 'lnsDatatable', Object.fromEntries([...groups, ...numbers]), look)
}

/** Values of one field across, of another down, the count as the colour. */
export function heat(title: string, { across, down, ...asked }: Asked & { across: Values; down: Values }): Panel {
  const columns = { x: valuesColumn(across), y: valuesColumn(down), m: measureColumn(countAll) }
  const palette = { name: 'negative', type: 'palette', params: { name: 'negative', stops: [] } }
  const accessors = { xAccessor: 'x', yAccessor: 'y', valueAccessor: 'm', palette }
  const grid = { isCellLabelVisible: true, isXAxisLabelVisible: true, isYAxisLabelVisible: true }
  return lens(title, asked, 'lnsHeatmap', columns, { ...accessors, gridConfig: grid, legend: { isVisible: true } })
}

/** The newest events with some of their fields. */
export function events(title: string, { columns, ...asked }: Asked & { columns: readonly string[] }): Panel {
  return { title, width: asked.width, content: { kind: 'events', view: asked.view, query: asked.query ?? '', columns } }
}

/** Words. */
export function text(markdown: string, width = 48): Panel {
  return { title: '', width, content: { kind: 'text', markdown } }
}

function lens(
  title: string,
  { view, width, query = '' }: Asked,
  type: string,
  columns: Readonly<Record<string, Column>>,
  visualization: Column,
): Panel {
  const layer = { columns, columnOrder: Object.keys(columns), sampling: 1, incompleteColumns: {} }
  const name = `indexpattern-datasource-layer-${layerId}`
  const own = { id: view.id, title: view.title, name: view.title, timeFieldName: view.timeField }
  const reference = { type: 'index-pattern', id: view.id, name }
  const attributes = {
    title: '',
    type: 'lens',
    visualizationType: type,
    references: view.adHoc ? [] : [reference],
    state: {
      visualization: { layerId, layerType: 'data', ...visualization },
      query: { query, language: 'kuery' },
      filters: [],
      datasourceStates: { formBased: { layers: { [layerId]: layer } }, textBased: { layers: {} } },
      internalReferences: view.adHoc ? [reference] : [],
      adHocDataViews: view.adHoc ? { [view.id]: own } : {},
    },
  }
  return { title, width, content: { kind: 'lens', attributes, references: view.adHoc ? [] : [reference] } }
}

function xy(seriesType: string, accessors: Column): Column {
  const layers = [{ layerId, layerType: 'data', seriesType, ...accessors }]
  return {
    preferredSeriesType: seriesType,
    legend: { isVisible: true, position: 'right' },
    valueLabels: 'hide',
    layers,
  }
}

function timeColumn(field: string): Column {
  const params = { interval: 'auto', includeEmptyRows: true, dropPartials: false }
  const column = { label: field, dataType: 'date', operationType: 'date_histogram', sourceField: field }
  return { ...column, isBucketed: true, scale: 'interval', params }
}

function valuesColumn({ field, label, size = 5, other = false, missing = false }: Values, orderBy = 'm'): Column {
  const params = {
    size,
    orderBy: { type: 'column', columnId: orderBy },
    orderDirection: 'desc',
    otherBucket: other,
    missingBucket: missing,
    parentFormat: { id: 'terms' },
  }
  const column = { label, customLabel: true, dataType: 'string', operationType: 'terms', sourceField: field }
  return { ...column, isBucketed: true, scale: 'ordinal', params }
}

function measureColumn({ label, operation, field, query, format }: Measure, timeField = '@timestamp'): Column {
  const params = {
    ...(operation === 'last_value' ? { sortField: timeField } : { emptyAsNull: operation !== 'count' }),
    ...(format ? { format: { id: format, params: { decimals: 1 } } } : {}),
  }
  return {
    label,
    customLabel: true,
    dataType: 'number',
    operationType: operation,
    isBucketed: false,
    scale: 'ratio',
    sourceField: field ?? '___records___',
    ...(query === undefined ? {} : { filter: { query, language: 'kuery' } }),
    params,
  }
}
