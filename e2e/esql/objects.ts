import type { KeptObject } from '../dashboard-page.ts'

type Json = Readonly<Record<string, unknown>>

/** The id of the dashboard. */
export const dashboardId = 'in-esql'
const view = 'web-pattern'
const index = 'web-events'

interface Panel {
  readonly id: string
  readonly title: string
  readonly attributes: Json
}

/** Columns of a layer by their ids: the name in the answer, `#` before that of a number to show. */
type Columns = Readonly<Record<string, string>>

function layerOf(esql: string, columns: Columns, more: Json = {}): Json {
  return {
    index: 'ad-hoc',
    timeField: '@timestamp',
    query: { esql },
    columns: Object.entries(columns).map(([columnId, name]) =>
      name.startsWith('#')
        ? { columnId, fieldName: name.slice(1), meta: { type: 'number' }, inMetricDimension: true }
        : { columnId, fieldName: name, meta: { type: 'string' } },
    ),
    ...more,
  }
}

function lens(id: string, title: string, kind: string, layer: Json, visualization: Json): Panel {
  const adHocDataViews = { 'ad-hoc': { id: 'ad-hoc', title: index, timeFieldName: '@timestamp', type: 'esql' } }
  const state = {
    query: layer['query'],
    filters: [],
    datasourceStates: { textBased: { layers: { l: layer } }, formBased: { layers: {} } },
    visualization,
    adHocDataViews,
    internalReferences: [],
  }
  return { id, title, attributes: { title, visualizationType: kind, references: [], state } }
}

const byHost = `FROM ${index}\n| STATS n = COUNT(*), total = SUM(bytes) BY host.name\n| SORT n DESC`
const hostColumns = { h: 'host.name', n: '#n', t: '#total' }
const table = { layerId: 'l', columns: [{ columnId: 'h' }, { columnId: 'n' }, { columnId: 't' }] }
const inRange = `FROM ${index} | WHERE @timestamp >= ?_tstart AND @timestamp <= ?_tend | STATS n = COUNT(*)`

function xy(layer: Json): Json {
  return { legend: { isVisible: true }, layers: [{ layerId: 'l', layerType: 'data', ...layer }] }
}

const panels: readonly Panel[] = [
  lens(
    'time',
    'Bytes over time',
    'lnsXY',
    layerOf(`FROM ${index} | STATS bytes = SUM(bytes) BY @timestamp, host.name`, {
      x: '@timestamp',
      s: 'host.name',
      y: '#bytes',
    }),
    xy({ seriesType: 'bar_stacked', xAccessor: 'x', splitAccessor: 's', accessors: ['y'] }),
  ),
  lens(
    'lines',
    'Largest so far',
    'lnsXY',
    layerOf(`FROM ${index} | STATS sent = MAX(sent) BY @timestamp`, { x: '@timestamp', y: '#sent' }),
    xy({ seriesType: 'line', xAccessor: 'x', accessors: ['y'] }),
  ),
  lens(
    'bars',
    'Events by host',
    'lnsXY',
    layerOf(byHost, hostColumns),
    xy({ seriesType: 'bar_horizontal', xAccessor: 'h', accessors: ['n'] }),
  ),
  lens('table', 'Hosts', 'lnsDatatable', layerOf(byHost, hostColumns), table),
  lens('metric', 'Bytes', 'lnsMetric', layerOf(`FROM ${index} | STATS bytes = SUM(bytes)`, { m: '#bytes' }), {
    layerId: 'l',
    metricAccessor: 'm',
  }),
  lens('pie', 'Shares', 'lnsPie', layerOf(byHost, hostColumns), {
    shape: 'treemap',
    layers: [{ layerId: 'l', layerType: 'data', primaryGroups: ['h'], metrics: ['n'] }],
  }),
  lens(
    'heat',
    'Hosts and statuses',
    'lnsHeatmap',
    layerOf(`FROM ${index} | STATS n = COUNT(*) BY host.name, http.status`, {
      h: 'host.name',
      s: 'http.status',
      n: '#n',
    }),
    { layerId: 'l', xAccessor: 's', yAccessor: 'h', valueAccessor: 'n', gridConfig: { isCellLabelVisible: true } },
  ),
  lens('gauge', 'Largest', 'lnsGauge', layerOf(`FROM ${index} | STATS most = MAX(bytes)`, { m: '#most' }), {
    layerId: 'l',
    shape: 'arc',
    metricAccessor: 'm',
  }),
  lens('tags', 'Names', 'lnsTagcloud', layerOf(byHost, hostColumns), {
    layerId: 'l',
    tagAccessor: 'h',
    valueAccessor: 'n',
  }),
  lens('range', 'Of the range', 'lnsMetric', layerOf(inRange, { n: '#n' }), { layerId: 'l', metricAccessor: 'n' }),
  lens(
    'buckets',
    'Ten minutes each',
    'lnsXY',
    layerOf(`FROM ${index} | STATS n = COUNT(*) BY time = BUCKET(@timestamp, 3, ?_tstart, ?_tend)`, {
      x: 'time',
      y: '#n',
    }),
    xy({ seriesType: 'bar', xAccessor: 'x', accessors: ['y'] }),
  ),
  lens(
    'chosen',
    'As chosen',
    'lnsDatatable',
    layerOf(
      `FROM ${index} | WHERE host.name == ?host | STATS n = COUNT(*) BY g = ??by, t = BUCKET(@timestamp, ?every)`,
      {
        g: 'g',
        t: 't',
        n: '#n',
      },
    ),
    { layerId: 'l', columns: [{ columnId: 'g' }, { columnId: 't' }, { columnId: 'n' }] },
  ),
  lens('wrong', 'A mistake', 'lnsMetric', layerOf(`FROM ${index} | STATS n = MAX(no_such_field)`, { n: '#n' }), {
    layerId: 'l',
    metricAccessor: 'n',
  }),
]

/** A control of a variable, as Kibana saves it. */
function variable(order: number, explicitInput: Json): Json {
  return { type: 'esqlControl', order, grow: false, width: 'medium', explicitInput }
}

const variables = {
  host: variable(1, {
    title: 'Host',
    variableName: 'host',
    variableType: 'values',
    controlType: 'VALUES_FROM_QUERY',
    esqlQuery: `FROM ${index} | STATS BY host.name | SORT host.name`,
    availableOptions: ['web-1'],
    selectedOptions: ['web-1'],
  }),
  by: variable(2, {
    title: 'By',
    variableName: 'by',
    variableType: 'fields',
    controlType: 'STATIC_VALUES',
    esqlQuery: '',
    availableOptions: ['http.status', 'host.name'],
    selectedOptions: ['host.name'],
  }),
  every: variable(3, {
    title: 'Every',
    variableName: 'every',
    variableType: 'time_literal',
    controlType: 'STATIC_VALUES',
    esqlQuery: '',
    availableOptions: ['10 minutes', '1 hour'],
    selectedOptions: ['1 hour'],
  }),
}

const controlGroupInput = {
  chainingSystem: 'HIERARCHICAL',
  controlStyle: 'oneLine',
  ignoreParentSettingsJSON: '{}',
  panelsJSON: JSON.stringify({
    status: {
      type: 'optionsListControl',
      order: 0,
      grow: false,
      width: 'medium',
      explicitInput: { id: 'status', title: 'Status', fieldName: 'http.status', dataViewId: view },
    },
    ...variables,
  }),
}

/** The objects to import: a pattern, and a dashboard of panels that ask in ES|QL. */
export function esqlObjects(): KeptObject[] {
  const empty = { searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }) }
  const panelsJSON = panels.map(({ id, title, attributes }, at) => ({
    type: 'lens',
    panelIndex: id,
    title,
    gridData: { x: (at % 3) * 16, y: Math.floor(at / 3) * 12, w: 16, h: 12, i: id },
    embeddableConfig: { attributes },
  }))
  return [
    {
      type: 'index-pattern',
      id: view,
      attributes: { title: index, name: index, timeFieldName: '@timestamp' },
      references: [],
    },
    {
      type: 'dashboard',
      id: dashboardId,
      attributes: {
        title: 'In ES|QL',
        description: '',
        controlGroupInput,
        panelsJSON: JSON.stringify(panelsJSON),
        optionsJSON: '{}',
        timeRestore: false,
        version: 1,
        kibanaSavedObjectMeta: empty,
      },
      references: [{ type: 'index-pattern', id: view, name: 'pattern' }],
    },
  ]
}
