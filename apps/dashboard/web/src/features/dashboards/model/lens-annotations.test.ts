import { expect, test } from 'vitest'
import { chartTheme } from '../../../charts/palette.ts'
import type { Json } from '../../../kibana/saved-json.ts'
import { eventSeries } from '../draw/xy-marks.ts'
import { annotationMarks, eventLayers, eventMarks } from './lens-annotations.ts'
import type { PanelModel } from './panel-model.ts'

const found = {
  id: 'a1',
  type: 'query',
  label: 'Failed',
  key: { type: 'point_in_time' },
  filter: { type: 'kibana_query', query: 'event.outcome: failure', language: 'kuery' },
  timeField: 'event.created',
  textField: 'host.name',
  textVisibility: true,
  extraFields: ['user.name', 'host.name'],
  icon: 'bolt',
  color: '#c75a72',
  lineStyle: 'dashed',
  lineWidth: 2,
}
const manual = { type: 'manual', label: 'Deployed', key: { type: 'point_in_time', timestamp: '2026-03-01T12:15:00Z' } }
const layered = (annotations: readonly Json[], more: Json = {}): Json => ({
  layers: [{ layerId: 'a', layerType: 'annotations', annotations, ...more }],
})
const panel: PanelModel = {
  id: 'p',
  kind: 'lnsXY',
  title: '',
  place: { x: 0, y: 0, w: 1, h: 1 },
  attributes: {},
  config: {},
  references: [{ name: 'xy-visualization-layer-a', type: 'index-pattern', id: 'events' }],
}
const pattern = {
  id: 'events',
  type: 'index-pattern',
  attributes: { title: 'ev-*', timeFieldName: 't' },
  references: [],
}
const objects = new Map([['index-pattern:events', pattern]])

test('events that a query finds are asked for by the time of a bar, with what there is to say of them', () => {
  const [layer, ...others] = eventLayers(layered([found, manual]), panel, objects)
  expect(others).toEqual([])
  expect(layer?.request).toMatchObject({
    index: 'ev-*',
    timeField: 'event.created',
    queries: [{ language: 'kuery', query: 'event.outcome: failure' }],
    buckets: [{ type: 'date_histogram', field: 'event.created', interval: 'auto' }],
    metrics: [
      { type: 'min', field: 'event.created' },
      { type: 'count' },
      { type: 'last_value', field: 'host.name', sortField: 'event.created', combine: 'concat' },
      { type: 'last_value', field: 'user.name' },
    ],
    alone: false,
  })
})

test('the layer says whether the dashboard’s filters concern it, and hidden events are not asked for', () => {
  const [layer] = eventLayers(layered([found], { ignoreGlobalFilters: true }), panel, objects)
  expect(layer?.request.alone).toBe(true)
  expect(eventLayers(layered([{ ...found, isHidden: true }]), panel, objects)).toEqual([])
  const [byPattern] = eventLayers(layered([{ ...found, timeField: undefined }]), panel, objects)
  expect(byPattern?.request.timeField).toBe('t')
})

test('a mark stands at its first event and tells of all of them', () => {
  const first = Date.parse('2026-03-01T12:03:00Z')
  const rows = [
    { time: 0, first, count: 2, 'host.name': 'web-1, web-2', 'user.name': null },
    { time: 1, first: null, count: 0, 'host.name': null, 'user.name': null },
  ]
  const [mark, ...others] = eventMarks(found, { columns: [], rows })
  expect(others).toEqual([])
  expect(mark).toMatchObject({ at: first, along: 'time', label: 'web-1, web-2', color: '#c75a72', style: 'dashed' })
  expect(mark).toMatchObject({ width: 2, icon: 'bolt', name: 'Failed' })
  expect(mark?.detail).toMatch(/:03:00 · 2 events · host.name: web-1, web-2$/)
  expect(eventMarks({ ...found, textVisibility: false }, { columns: [], rows })[0]?.label).toBe('')
})

test('the tooltip of an event says what its mark knows', () => {
  const marks = eventMarks(found, { columns: [], rows: [{ first: 5, count: 1, 'host.name': '<b>', 'user.name': 'u' }] })
  const [series, ...others] = eventSeries(
    [...marks, ...annotationMarks(layered([manual]))],
    { horizontal: false, axis: 1 },
    chartTheme('light'),
  )
  expect(others).toEqual([])
  expect(series).toMatchObject({ name: 'Failed', yAxisIndex: 1, data: [{ value: [5, 0] }] })
  const tooltip = series?.['tooltip']
  const { valueFormatter } = tooltip as { valueFormatter: (value: unknown, at: number) => string }
  expect(valueFormatter(0, 0)).toContain('host.name: <b> · user.name: u')
  expect(valueFormatter(0, 7)).toBe('')
})

test('what people marked themselves is drawn as it was', () => {
  expect(annotationMarks(layered([found, manual]))).toEqual([
    expect.objectContaining({ at: Date.parse('2026-03-01T12:15:00Z'), until: undefined, label: 'Deployed' }),
  ])
})
