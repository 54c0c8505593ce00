import type { ReactElement } from 'react'
import { expect, test } from 'vitest'
import type { XyChart } from '../draw/xy-option.ts'
import type { DashboardContext } from '../model/panel.ts'
import type { PanelModel } from '../model/panel-model.ts'
import type { Table } from '../model/table.ts'
import { lnsXY } from './lnsXY.tsx'
import { histogram } from './xy.tsx'

const table: Table = {
  columns: [
    { id: 't', label: 'Time per 30 minutes', role: 'bucket', type: 'date', intervalMs: 1_800_000 },
    { id: 'h', label: 'Host', role: 'bucket', type: 'text' },
    { id: 'n', label: 'Events', role: 'metric', type: 'number' },
    { id: 'b', label: 'Bytes', role: 'metric', type: 'number' },
  ],
  rows: [{ t: 0, h: 'web-1', n: 3, b: 9 }],
}
const context = { objects: new Map(), range: { fromMs: 0, toMs: 86_400_000 }, onZoom: () => undefined }

/** The chart that a panel draws of the table. */
function chartOf(kind: typeof lnsXY, attributes: Json, config: Json = {}): XyChart {
  const panel = { id: 'p', kind: 'any', title: 'Any', attributes, config, references: [] } as unknown as PanelModel
  if (!('prepare' in kind)) throw new Error('no data panel')
  const prepared = kind.prepare({ panel, context: context as unknown as DashboardContext })
  return (prepared.draw([table]) as ReactElement<{ chart: XyChart }>).props.chart
}

type Json = Readonly<Record<string, unknown>>

const lens = (visualization: Json, layer: Json): Json => ({
  state: {
    datasourceStates: { formBased: { layers: { l: { columns: {}, columnOrder: [] } } } },
    visualization: {
      layers: [{ layerId: 'l', layerType: 'data', seriesType: 'bar', xAccessor: 't', accessors: ['n'], ...layer }],
      ...visualization,
    },
  },
})

const split = { splitAccessor: 'h' }

test('Lens: axes say what is measured along them, unless their author named or hid them', () => {
  const right = { yConfig: [{ forAccessor: 'b', axisMode: 'right' }], accessors: ['n', 'b'] }
  expect(chartOf(lnsXY, lens({}, right)).axes).toMatchObject({
    left: { title: 'Events' },
    right: { title: 'Bytes' },
    along: { title: 'Time per 30 minutes' },
  })
  expect(chartOf(lnsXY, lens({ xTitle: 'When', yTitle: 'How many' }, {})).axes).toMatchObject({
    left: { title: 'How many' },
    along: { title: 'When' },
  })
  const hidden = { axisTitlesVisibilitySettings: { x: false, yLeft: false, yRight: true } }
  const { left, along } = chartOf(lnsXY, lens({ ...hidden, yTitle: 'How many' }, {})).axes ?? {}
  expect([left?.title, along?.title]).toEqual([undefined, undefined])
})

test('Lens: a legend stands where several series may be, or where one was wanted for one', () => {
  const legend = (more: Json) => ({ legend: { isVisible: true, position: 'right', ...more } })
  expect(chartOf(lnsXY, lens(legend({}), {})).legend).toBe(false)
  expect(chartOf(lnsXY, lens(legend({ showSingleSeries: true }), {})).legend).toBe(true)
  expect(chartOf(lnsXY, lens(legend({}), split)).legend).toBe(true)
  expect(chartOf(lnsXY, lens(legend({ isVisible: false }), split)).legend).toBe(false)
})

const legacy = (params: Json): Json => ({
  savedVis: {
    type: 'histogram',
    params: {
      seriesParams: [{ data: { id: 'n' }, valueAxis: 'V' }],
      valueAxes: [{ id: 'V', position: 'left' }],
      ...params,
    },
    data: {
      aggs: [
        { id: 'n', type: 'count', schema: 'metric' },
        { id: 't', type: 'date_histogram', schema: 'segment', params: { field: '@timestamp' } },
      ],
      searchSource: {},
    },
  },
})

test('legacy charts of Kibana 5, which saved no axes, have their titles, too', () => {
  expect(chartOf(histogram, legacy({ valueAxes: [], seriesParams: [] })).axes?.left?.title).toBe('Events')
})

test('legacy charts: the same, and a legend of one series, unless somebody folded it', () => {
  const chart = chartOf(histogram, legacy({}))
  expect(chart.axes).toMatchObject({ left: { title: 'Events' }, along: { title: 'Time per 30 minutes' } })
  expect(chart.legend).toBe(true)
  const named = { categoryAxes: [{ title: { text: 'When' } }], valueAxes: [{ id: 'V', title: { text: 'How many' } }] }
  expect(chartOf(histogram, legacy(named)).axes).toMatchObject({
    left: { title: 'How many' },
    along: { title: 'When' },
  })
  expect(chartOf(histogram, legacy({ addLegend: false })).legend).toBe(false)
  expect(chartOf(histogram, legacy({}), { vis: { legendOpen: false } }).legend).toBe(false)
})
