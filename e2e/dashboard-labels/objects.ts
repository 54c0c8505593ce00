import type { KeptObject } from '../dashboard-page.ts'
import { count, hosts, lens, minutes, type Panel, view, vis } from '../kinds/objects.ts'

type Json = Readonly<Record<string, unknown>>

/** The id of the dashboard. */
export const dashboardId = 'all-labels'

const bytes = { operationType: 'sum', sourceField: 'bytes', isBucketed: false, label: 'Bytes', params: {} }
const trend = {
  layers: { r: { columns: { t: minutes('10m'), g: hosts, m: count }, columnOrder: ['g', 't', 'm'] } },
}
const aggs = [
  { id: '1', type: 'count', schema: 'metric', params: {} },
  { id: '4', type: 'max', schema: 'metric', params: { field: 'bytes' } },
  {
    id: '2',
    type: 'terms',
    schema: 'bucket',
    params: { field: 'host.name', orderBy: '1', order: 'desc', size: 10 },
  },
  { id: '3', type: 'date_histogram', schema: 'bucket', params: { field: '@timestamp', interval: 'auto' } },
]

const panels: readonly Panel[] = [
  {
    id: 'links',
    title: 'Links',
    type: 'links',
    config: {
      attributes: {
        layout: 'vertical',
        links: [
          { id: 'a', order: 0, type: 'dashboardLink', destinationRefName: 'link_a_dashboard', label: '' },
          {
            id: 'b',
            order: 1,
            type: 'dashboardLink',
            destinationRefName: 'link_b_dashboard',
            label: 'Its own range and all',
            options: { useCurrentDateRange: false, useCurrentFilters: false, openInNewTab: true },
          },
          { id: 'c', order: 2, type: 'dashboardLink', destinationRefName: 'link_c_dashboard', label: 'Gone' },
          { id: 'd', order: 3, type: 'externalLink', destination: 'javascript:alert(1)', label: 'Runs' },
          { id: 'e', order: 4, type: 'externalLink', destination: 'https://example.org/', label: 'Elsewhere' },
          { id: 'f', order: 5, type: 'dashboardLink', destinationRefName: 'link_f_dashboard', label: 'Here' },
        ],
      },
    },
  },
  vis('named', 'Named', 'table', { perPage: 50, showTotal: true, percentageCol: 'Max How large' }, aggs),
  lens(
    'timed',
    'Timed',
    'lnsDatatable',
    { t: minutes('10m'), n: count },
    { layerId: 'l', columns: [{ columnId: 't' }, { columnId: 'n' }] },
  ),
  lens(
    'clicked',
    'Clicked',
    'lnsDatatable',
    { g: hosts, n: count },
    { layerId: 'l', columns: [{ columnId: 'g', oneClickFilter: true }, { columnId: 'n' }] },
  ),
  lens(
    'tiles',
    'Tiles',
    'lnsMetric',
    { g: hosts, n: count, b: bytes },
    {
      layerId: 'l',
      layerType: 'data',
      metricAccessor: 'n',
      breakdownByAccessor: 'g',
      secondaryMetricAccessor: 'b',
      subtitle: 'in half an hour',
      color: '#123456',
      trendlineLayerId: 'r',
      trendlineMetricAccessor: 'm',
      trendlineTimeAccessor: 't',
      trendlineBreakdownByAccessor: 'g',
    },
    trend,
  ),
  vis('series', 'Series', 'metrics', {
    id: 'series',
    type: 'metric',
    index_pattern: 'web-events',
    time_field: '@timestamp',
    time_range_mode: 'entire_time_range',
    series: [{ id: 's', split_mode: 'everything', metrics: [{ id: 'm', type: 'max', field: 'bytes' }] }],
  }),
  vis('empty', 'Empty', 'table', {}, [
    aggs[0] ?? {},
    { id: '2', type: 'terms', schema: 'bucket', params: { field: 'note', orderBy: '1', order: 'desc', size: 10 } },
  ]),
  lens(
    'lines',
    'Lines',
    'lnsXY',
    { t: minutes('10m'), g: hosts, n: count },
    {
      legend: { isVisible: true, position: 'right' },
      layers: [
        {
          layerId: 'l',
          layerType: 'data',
          seriesType: 'bar_stacked',
          xAccessor: 't',
          splitAccessor: 'g',
          accessors: ['n'],
        },
      ],
    },
  ),
  {
    id: 'rows',
    title: 'Rows',
    type: 'search',
    config: {
      attributes: {
        title: 'Rows',
        columns: ['host.name', 'http.status'],
        sort: [['@timestamp', 'desc']],
        kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify({ index: view }) },
      },
    },
  },
  lens(
    'pie',
    'Pie',
    'lnsPie',
    { g: hosts, n: count },
    {
      shape: 'donut',
      layers: [{ layerId: 'l', layerType: 'data', primaryGroups: ['g'], metrics: ['n'], legendDisplay: 'default' }],
    },
  ),
  lens(
    'lying',
    'Lying',
    'lnsXY',
    { g: hosts, n: count },
    {
      layers: [{ layerId: 'l', layerType: 'data', seriesType: 'bar_horizontal', xAccessor: 'g', accessors: ['n'] }],
    },
  ),
  vis('bars', 'Bars', 'histogram', { addLegend: true, seriesParams: [{ data: { id: '1' }, type: 'histogram' }] }, [
    aggs[0] ?? {},
    { id: '3', type: 'date_histogram', schema: 'segment', params: { field: '@timestamp', interval: 'auto' } },
  ]),
  vis('slices', 'Slices', 'pie', { addLegend: true, labels: { show: true, values: true, truncate: 100 } }, [
    aggs[0] ?? {},
    {
      id: '2',
      type: 'terms',
      schema: 'segment',
      params: { field: 'host.name', orderBy: '1', order: 'desc', size: 10 },
    },
  ]),
]

const linked = ['a', 'b', 'f'].map((id) => ({
  type: 'dashboard',
  id: id === 'f' ? dashboardId : 'other',
  name: `links:link_${id}_dashboard`,
}))

function dashboard(id: string, title: string, of: readonly unknown[], references: readonly Json[]): KeptObject {
  return {
    type: 'dashboard',
    id,
    attributes: {
      title,
      description: '',
      panelsJSON: JSON.stringify(of),
      optionsJSON: '{}',
      timeRestore: false,
      version: 1,
      kibanaSavedObjectMeta: { searchSourceJSON: '{}' },
    },
    references,
  }
}

/** The objects to import: a pattern that names a field, the dashboard, and the one its links lead to. */
export function labelsObjects(): KeptObject[] {
  const panelsJSON = panels.map(({ id, title, type, config }, at) => ({
    type,
    panelIndex: id,
    title,
    gridData: { x: (at % 3) * 16, y: Math.floor(at / 3) * 12, w: 16, h: 12, i: id },
    embeddableConfig: config,
  }))
  return [
    {
      type: 'index-pattern',
      id: view,
      attributes: {
        title: 'web-events',
        name: 'web-events',
        timeFieldName: '@timestamp',
        fields: JSON.stringify([
          { name: 'twice', type: 'number', scripted: true, lang: 'painless', script: "doc['absent'].value * 2" },
        ]),
        sourceFilters: JSON.stringify([{ value: 'http.*' }]),
        fieldAttrs: JSON.stringify({ 'host.name': { customLabel: 'Machine' }, bytes: { customLabel: 'How large' } }),
      },
      references: [],
    },
    dashboard(dashboardId, 'All labels', panelsJSON, [
      { type: 'index-pattern', id: view, name: 'pattern' },
      ...linked,
      { type: 'dashboard', id: 'gone', name: 'links:link_c_dashboard' },
    ]),
    dashboard('other', 'The other one', [], []),
  ]
}
