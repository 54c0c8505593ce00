import type { KeptObject } from '../dashboard-page.ts'

type Json = Readonly<Record<string, unknown>>

/** The id of the dashboard. */
export const dashboardId = 'all-kinds'
/** The id of the index pattern. */
export const view = 'web-pattern'
const index = 'web-events'
const layerName = 'indexpattern-datasource-layer-l'

/** Columns of Lens layers. */
export const count = {
  operationType: 'count',
  sourceField: '___records___',
  isBucketed: false,
  label: 'Events',
  params: {},
}
const failures = { ...count, label: 'Failures', filter: { query: 'http.status >= 500', language: 'kuery' } }
export const hosts = {
  operationType: 'terms',
  sourceField: 'host.name',
  isBucketed: true,
  label: 'Host',
  params: { size: 5, orderBy: { type: 'column', columnId: 'n' }, orderDirection: 'desc', otherBucket: false },
}
const statuses = { ...hosts, sourceField: 'http.status', label: 'Status' }
const pairs = {
  ...hosts,
  label: 'Host and status',
  params: { ...hosts.params, size: 10, secondaryFields: ['http.status'] },
}
export const minutes = (interval: string): Json => ({
  operationType: 'date_histogram',
  sourceField: '@timestamp',
  isBucketed: true,
  label: 'Time',
  params: { interval },
})

/** A panel by value, as dashboards are made of here. */
export interface Panel {
  readonly id: string
  readonly title: string
  readonly type: 'lens' | 'visualization' | 'links' | 'search'
  readonly config: Json
}

/** A Lens panel with one layer, `l`. */
export function lens(
  id: string,
  title: string,
  kind: string,
  columns: Json,
  visualization: Json,
  more: Json = {},
): Panel {
  const layers = { l: { columns, columnOrder: Object.keys(columns) }, ...(more['layers'] as Json | undefined) }
  const names = [layerName, ...(more['layers'] ? ['indexpattern-datasource-layer-r'] : [])]
  const attributes = {
    title,
    visualizationType: kind,
    references: names.map((name) => ({ type: 'index-pattern', id: view, name })),
    state: {
      query: { query: '', language: 'kuery' },
      filters: [],
      datasourceStates: { formBased: { layers } },
      visualization,
    },
  }
  return { id, title, type: 'lens', config: { attributes, ...(more['config'] as Json | undefined) } }
}

/** A legacy visualization. */
export function vis(id: string, title: string, type: string, params: Json, aggs: readonly Json[] = []): Panel {
  const searchSource = { index: view, query: { query: '', language: 'kuery' }, filter: [] }
  return {
    id,
    title,
    type: 'visualization',
    config: { savedVis: { type, title, params, data: { aggs, searchSource } } },
  }
}

function tsvb(id: string, title: string, type: string, series: Json, more: Json = {}): Panel {
  const whole = type === 'timeseries' ? {} : { time_range_mode: 'entire_time_range' }
  const shared = { id, type, index_pattern: index, time_field: '@timestamp', interval: '10m', show_legend: 1, ...whole }
  return vis(id, title, 'metrics', { ...shared, series: [{ id: 's', split_mode: 'everything', ...series }], ...more })
}

const byHost = { split_mode: 'terms', terms_field: 'host.name', terms_order_by: 'c' }
const counted = { metrics: [{ id: 'c', type: 'count' }] }
const metricOf = (type: string, field: string): Json => ({ metrics: [{ id: 'm', type, field }] })

const drilldowns = {
  enhancements: {
    dynamicActions: {
      events: [
        {
          eventId: 'd1',
          triggers: ['FILTER_TRIGGER'],
          action: {
            factoryId: 'DASHBOARD_TO_DASHBOARD_DRILLDOWN',
            name: 'One host',
            config: { useCurrentDateRange: true, useCurrentFilters: true },
          },
        },
        {
          eventId: 'd2',
          triggers: ['CONTEXT_MENU_TRIGGER'],
          action: {
            factoryId: 'URL_DRILLDOWN',
            name: 'Elsewhere',
            config: {
              url: { template: 'https://example.org/{{context.panel.title}}?from={{context.panel.timeRange.from}}' },
            },
          },
        },
      ],
    },
  },
}

const share = {
  share: {
    operationType: 'formula',
    label: 'Share',
    references: ['x2'],
    params: { format: { id: 'percent', params: { decimals: 1 } } },
  },
  x0: failures,
  x1: count,
  x2: {
    operationType: 'math',
    references: ['x0', 'x1'],
    params: { tinymathAst: { type: 'function', name: 'divide', args: ['x0', 'x1'] } },
  },
}
const limit = { k: { operationType: 'static_value', label: 'Limit', isBucketed: false, params: { value: '15' } } }
const onPie = (shape: string): Json => ({
  shape,
  layers: [{ layerId: 'l', layerType: 'data', primaryGroups: ['g', 'h'], metrics: ['n'] }],
})
const onXy = { layerId: 'l', layerType: 'data', seriesType: 'line', xAccessor: 't' }

const panels: readonly Panel[] = [
  tsvb('series', 'TSVB series', 'timeseries', {
    ...byHost,
    ...counted,
    label: 'on {{key}}',
    chart_type: 'bar',
    stacked: 'stacked',
  }),
  tsvb('metric', 'TSVB metric', 'metric', { ...metricOf('avg', 'bytes'), label: 'Mean size', formatter: '0.0' }),
  tsvb('gauge', 'TSVB gauge', 'gauge', { ...metricOf('max', 'bytes'), label: 'Largest' }, { gauge_max: '1000' }),
  tsvb('top', 'TSVB top', 'top_n', { ...byHost, ...counted }),
  tsvb(
    'table',
    'TSVB table',
    'table',
    { ...metricOf('sum', 'bytes'), label: 'Bytes' },
    { pivot_id: 'host.name', pivot_label: 'Host' },
  ),
  tsvb(
    'words',
    'TSVB words',
    'markdown',
    { ...counted, label: 'All Events' },
    { markdown: '# {{ all_events.last.formatted }} events' },
  ),
  tsvb('rate', 'TSVB rate', 'timeseries', {
    metrics: [
      { id: 'm', type: 'max', field: 'sent' },
      { id: 'd', type: 'derivative', field: 'm', unit: '1s' },
      { id: 'p', type: 'positive_only', field: 'd' },
    ],
  }),
  lens('share', 'Formula', 'lnsMetric', share, { layerId: 'l', layerType: 'data', metricAccessor: 'share' }),
  lens(
    'lines',
    'Lines',
    'lnsXY',
    {
      t: minutes('10m'),
      n: count,
      s: { operationType: 'cumulative_sum', references: ['n'], label: 'So far', isBucketed: false },
    },
    {
      layers: [
        { ...onXy, accessors: ['s'] },
        {
          layerId: 'r',
          layerType: 'referenceLine',
          accessors: ['k'],
          yConfig: [{ forAccessor: 'k', axisMode: 'left', color: '#c75a72', fill: 'above', textVisibility: true }],
        },
        {
          layerId: 'a',
          layerType: 'annotations',
          indexPatternId: view,
          annotations: [
            {
              type: 'manual',
              label: 'Deployed',
              key: { type: 'point_in_time', timestamp: '2026-03-01T12:15:00.000Z' },
            },
            {
              type: 'query',
              id: 'failures',
              label: 'Failures at web-2',
              key: { type: 'point_in_time' },
              filter: { type: 'kibana_query', query: 'http.status >= 500 and host.name: web-2', language: 'kuery' },
              timeField: '@timestamp',
              textField: 'host.name',
              textVisibility: true,
              extraFields: ['http.status'],
              icon: 'bolt',
              color: '#c75a72',
            },
          ],
        },
      ],
    },
    { layers: { r: { columns: limit, columnOrder: ['k'] } } },
  ),
  ...['treemap', 'mosaic', 'waffle'].map((shape) =>
    lens(shape, `A ${shape}`, 'lnsPie', { g: hosts, h: statuses, n: count }, onPie(shape)),
  ),
  lens(
    'rows',
    'Hosts',
    'lnsDatatable',
    { g: hosts, n: count },
    { layerId: 'l', columns: [{ columnId: 'g' }, { columnId: 'n' }] },
    { config: drilldowns },
  ),
  lens(
    'bars',
    'Bars',
    'lnsXY',
    { g: hosts, n: count },
    { layers: [{ ...onXy, seriesType: 'bar_horizontal', xAccessor: 'g', accessors: ['n'] }] },
  ),
  lens(
    'pairs',
    'Hosts and statuses',
    'lnsDatatable',
    { g: pairs, n: count },
    { layerId: 'l', columns: [{ columnId: 'g' }, { columnId: 'n' }] },
  ),
  lens(
    'before',
    'Ten minutes before',
    'lnsDatatable',
    { t: minutes('10m'), n: count, b: { ...count, label: 'Before', timeShift: '10m' } },
    { layerId: 'l', columns: [{ columnId: 't' }, { columnId: 'n' }, { columnId: 'b' }] },
  ),
  vis('percentiles', 'Percentiles', 'metric', { metric: {} }, [
    { id: '1', type: 'percentiles', schema: 'metric', params: { field: 'bytes', percents: [50] } },
    { id: '2', type: 'std_dev', schema: 'metric', params: { field: 'bytes' } },
  ]),
  tsvb('uncounted', 'TSVB of what is not known', 'timeseries', { metrics: [{ id: 'q', type: 'quasar' }] }),
  lens('nothing', 'Saved too early', 'lnsXY', {}, { layers: [{ ...onXy, accessors: [] }] }),
  vis('timelion', 'Timelion', 'timelion', { expression: `.es(index=${index}).label(events).bars()`, interval: '10m' }),
  vis('unknown', 'A map of nothing', 'hologram', {}),
]

const controlGroupInput = {
  chainingSystem: 'HIERARCHICAL',
  controlStyle: 'oneLine',
  ignoreParentSettingsJSON: '{}',
  panelsJSON: JSON.stringify({
    slider: { type: 'timeSlider', order: 0, grow: true, width: 'large', explicitInput: { id: 'slider' } },
  }),
}

/** The objects to import: a pattern, the dashboard with a panel of each kind, and the one its drilldown leads to. */
export function kindsObjects(): KeptObject[] {
  const empty = { searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }) }
  const panelsJSON = panels.map(({ id, title, type, config }, at) => ({
    type,
    panelIndex: id,
    title,
    gridData: { x: (at % 3) * 16, y: Math.floor(at / 3) * 12, w: 16, h: 12, i: id },
    embeddableConfig: config,
  }))
  const dashboard = (id: string, title: string, of: readonly unknown[], references: readonly Json[]): KeptObject => ({
    type: 'dashboard',
    id,
    attributes: {
      title,
      description: '',
      ...(id === dashboardId ? { controlGroupInput } : {}),
      panelsJSON: JSON.stringify(of),
      optionsJSON: '{}',
      timeRestore: false,
      version: 1,
      kibanaSavedObjectMeta: empty,
    },
    references,
  })
  const drilldown = {
    type: 'dashboard',
    id: 'one-host',
    name: 'rows:drilldown:DASHBOARD_TO_DASHBOARD_DRILLDOWN:d1:dashboardId',
  }
  return [
    {
      type: 'index-pattern',
      id: view,
      attributes: { title: index, name: index, timeFieldName: '@timestamp' },
      references: [],
    },
    dashboard(dashboardId, 'All kinds', panelsJSON, [{ type: 'index-pattern', id: view, name: 'pattern' }, drilldown]),
    dashboard('one-host', 'One host', [], []),
  ]
}
