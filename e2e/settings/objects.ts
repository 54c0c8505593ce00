import type { KeptObject } from '../dashboard-page.ts'
import { startMs } from '../kinds/events.ts'
import { count, hosts, lens, minutes, type Panel, view, vis } from '../kinds/objects.ts'

type Json = Readonly<Record<string, unknown>>

/** The id of the dashboard. */
export const dashboardId = 'all-settings'

const at = (minute: number): string => new Date(startMs + minute * 60_000).toISOString()
const counted = { id: '1', type: 'count', schema: 'metric', params: {} }
const byHost = (more: Json = {}, schema = 'bucket'): Json => ({
  id: '2',
  type: 'terms',
  schema,
  params: { field: 'host.name', orderBy: '1', order: 'desc', size: 10, ...more },
})
const overTime = {
  id: '3',
  type: 'date_histogram',
  schema: 'segment',
  params: { field: '@timestamp', interval: '10m' },
}
const sum = { operationType: 'sum', sourceField: 'bytes', isBucketed: false, label: 'Size', params: {} }
const table = (columns: readonly Json[]): Json => ({ layerId: 'l', columns })
const onXy = { layerId: 'l', layerType: 'data', seriesType: 'line', xAccessor: 't', accessors: ['n'] }
const inSteps = {
  name: 'custom',
  params: {
    rangeType: 'number',
    stops: [
      { color: '#00ff00', stop: 15 },
      { color: '#ff0000', stop: 99 },
    ],
  },
}

const legacy: readonly Panel[] = [
  vis('calculated', 'Calculated fields', 'table', {}, [
    counted,
    { id: '5', type: 'sum', schema: 'metric', params: { field: 'tenfold' } },
    { id: '6', type: 'max', schema: 'metric', params: { field: 'doubled' } },
    { ...byHost(), params: { field: 'outcome', orderBy: '_key', order: 'asc', size: 10 } },
  ]),
  vis('included', 'Some hosts', 'table', {}, [counted, byHost({ include: 'web-[12]', exclude: 'web-2' })]),
  vis('ordered', 'By another number', 'table', {}, [
    counted,
    byHost({
      orderBy: 'custom',
      size: 1,
      order: 'asc',
      orderAgg: { id: '2-o', type: 'max', schema: 'orderAgg', params: { field: 'bytes' } },
    }),
  ]),
  vis('sums', 'So far', 'line', { seriesParams: [{ data: { id: '4' }, type: 'line' }] }, [
    {
      id: '4',
      type: 'cumulative_sum',
      schema: 'metric',
      params: { metricAgg: 'custom', customMetric: { id: '4-m', type: 'count', params: {} } },
    },
    overTime,
  ]),
  vis(
    'means',
    'Mean of ten minutes',
    'metric',
    { metric: { labels: { show: true }, style: { subText: 'in ten minutes' } } },
    [
      {
        id: '5',
        type: 'avg_bucket',
        schema: 'metric',
        params: {
          customBucket: { id: '5-b', type: 'date_histogram', params: { field: '@timestamp', interval: '10m' } },
          customMetric: { id: '5-m', type: 'sum', params: { field: 'bytes' } },
        },
      },
      {
        id: '6',
        type: 'filtered_metric',
        schema: 'metric',
        params: {
          customBucket: {
            id: '6-b',
            type: 'filter',
            params: { filter: { query: 'http.status >= 500', language: 'kuery' } },
          },
          customMetric: { id: '6-m', type: 'count', params: {} },
        },
      },
    ],
  ),
  vis('totals', 'Shares', 'table', { showTotal: true, totalFunc: 'max', percentageCol: 'Count' }, [counted, byHost()]),
  vis('pies', 'A pie a host', 'pie', { addLegend: false }, [
    counted,
    byHost({}, 'split'),
    {
      id: '7',
      type: 'terms',
      schema: 'segment',
      params: { field: 'http.status', orderBy: '1', order: 'desc', size: 5 },
    },
  ]),
  vis('charts', 'A chart a host', 'histogram', {}, [counted, byHost({}, 'split'), overTime]),
  vis('sizes', 'Sizes', 'table', {}, [
    counted,
    {
      id: '8',
      type: 'range',
      schema: 'bucket',
      params: { field: 'bytes', ranges: [{ from: 0, to: 200 }, { from: 200 }] },
    },
  ]),
  vis('odd', 'What nobody knows', 'metric', {}, [{ id: '9', type: 'quasar', schema: 'metric', params: {} }]),
]

const inLens: readonly Panel[] = [
  lens(
    'window',
    'Its own range',
    'lnsMetric',
    { n: count },
    { layerId: 'l', layerType: 'data', metricAccessor: 'n' },
    {
      config: { timeRange: { from: at(0), to: at(5) } },
    },
  ),
  lens(
    'turned',
    'Turned',
    'lnsDatatable',
    { g: hosts, h: { ...hosts, sourceField: 'http.status', label: 'Status' }, n: count },
    table([
      { columnId: 'g' },
      { columnId: 'h', isTransposed: true },
      { columnId: 'n', summaryRow: 'sum', colorMode: 'cell', palette: inSteps, alignment: 'center' },
    ]),
  ),
  lens(
    'formats',
    'Formats',
    'lnsDatatable',
    {
      g: {
        ...hosts,
        params: {
          ...hosts.params,
          orderBy: { type: 'custom' },
          orderAgg: { operationType: 'max', sourceField: 'sent', params: {} },
          size: 1,
        },
      },
      s: sum,
      b: { ...sum, label: 'Bits', params: { format: { id: 'bits', params: { decimals: 1 } } } },
      d: {
        ...sum,
        label: 'Time',
        params: { format: { id: 'duration', params: { fromUnit: 'seconds', toUnit: 'asHours', decimals: 1 } } },
      },
      c: { ...sum, label: 'Short', params: { format: { id: 'custom', params: { pattern: '0.0a' } } } },
    },
    table(['g', 's', 'b', 'd', 'c'].map((columnId) => ({ columnId }))),
  ),
  lens(
    'goal',
    'Goal',
    'lnsMetric',
    {
      n: count,
      m: { operationType: 'static_value', label: 'Goal', isBucketed: false, params: { value: '120' } },
      s: sum,
    },
    {
      layerId: 'l',
      layerType: 'data',
      metricAccessor: 'n',
      maxAccessor: 'm',
      secondaryMetricAccessor: 's',
      secondaryPrefix: '',
      palette: inSteps,
    },
  ),
  lens(
    'ranges',
    'Ranges',
    'lnsDatatable',
    {
      r: {
        operationType: 'range',
        sourceField: 'bytes',
        isBucketed: true,
        label: 'Size',
        params: {
          type: 'range',
          ranges: [
            { from: 0, to: 200, label: 'small' },
            { from: 200, to: 1000, label: '' },
          ],
        },
      },
      n: count,
    },
    table([{ columnId: 'r' }, { columnId: 'n' }]),
  ),
  lens(
    'axes',
    'Axes',
    'lnsXY',
    { t: minutes('1m'), n: { ...sum, operationType: 'average', label: 'Mean size' } },
    {
      layers: [onXy],
      yLeftExtent: { mode: 'custom', lowerBound: 0, upperBound: 1000 },
      yTitle: 'Bytes of an answer',
      xTitle: 'Time of day',
      curveType: 'CURVE_MONOTONE_X',
      legend: { isVisible: true, position: 'bottom' },
    },
  ),
  lens(
    'parts',
    'Two numbers',
    'lnsPie',
    {
      g: hosts,
      n: count,
      f: { ...count, label: 'Failures', filter: { query: 'http.status >= 500', language: 'kuery' } },
    },
    {
      shape: 'treemap',
      layers: [
        { layerId: 'l', layerType: 'data', primaryGroups: ['g'], metrics: ['n', 'f'], allowMultipleMetrics: true },
      ],
    },
  ),
]

/** The panel that lies in a section of its own. */
const inSection = 'parts'

/** Says how values look, and what is calculated of them. */
const pattern: KeptObject = {
  type: 'index-pattern',
  id: view,
  attributes: {
    title: 'web-events',
    name: 'web-events',
    timeFieldName: '@timestamp',
    fieldFormatMap: JSON.stringify({
      bytes: { id: 'bytes', params: { pattern: '0,0.[00]b' } },
      'host.name': { id: 'url', params: { urlTemplate: '/app/dashboards#/view/of-{{value}}' } },
      'http.status': {
        id: 'color',
        params: { fieldType: 'number', colors: [{ range: '500:599', text: '#ffffff', background: '#cc0000' }] },
      },
      '@timestamp': { id: 'date', params: { pattern: 'D MMM YYYY, HH:mm:ss', timezone: 'Etc/GMT-2' } },
    }),
    runtimeFieldMap: JSON.stringify({
      outcome: {
        type: 'keyword',
        script: { source: "emit(doc['http.status'].value < 500 ? 'served' : 'broken')" },
        customLabel: 'How it ended',
        count: 3,
      },
    }),
    fields: JSON.stringify([
      { name: 'bytes', type: 'number', scripted: false },
      {
        name: 'tenfold',
        type: 'number',
        scripted: true,
        lang: 'painless',
        script: "if (doc['bytes'].size() == 0) { return null; }\ndoc['bytes'].value * 10",
      },
      { name: 'doubled', type: 'number', scripted: true, lang: 'expression', script: "doc['bytes'].value * 2" },
    ]),
  },
  references: [],
}

/** The objects to import: a pattern that says how sizes look, and the dashboard, saved with a query and two filters. */
export function settingsObjects(): KeptObject[] {
  const panels = [...legacy, ...inLens]
  const phrase = (value: string, more: Json): Json => ({
    meta: {
      type: 'phrase',
      key: 'host.name',
      params: { query: value },
      negate: false,
      disabled: false,
      alias: null,
      ...more,
    },
    query: { match_phrase: { 'host.name': { query: value } } },
    $state: { store: 'appState' },
  })
  const searchSourceJSON = JSON.stringify({
    query: { query: 'http.status: *', language: 'kuery' },
    filter: [phrase('web-0', { negate: true, disabled: true }), phrase('web-9', { negate: true })],
  })
  return [
    pattern,
    {
      type: 'dashboard',
      id: dashboardId,
      attributes: {
        title: 'All settings',
        description: '',
        panelsJSON: JSON.stringify(
          panels.map(({ id, title, type, config }, place) => ({
            type,
            panelIndex: id,
            title,
            gridData:
              id === inSection
                ? { x: 0, y: 0, w: 16, h: 12, i: id, sectionId: 'more' }
                : { x: (place % 3) * 16, y: Math.floor(place / 3) * 12, w: 16, h: 12, i: id },
            embeddableConfig: config,
          })),
        ),
        sections: [{ title: 'More', collapsed: true, gridData: { i: 'more', y: 99 } }],
        optionsJSON: '{}',
        timeRestore: false,
        version: 1,
        kibanaSavedObjectMeta: { searchSourceJSON },
      },
      references: [{ type: 'index-pattern', id: view, name: 'pattern' }],
    },
  ]
}
