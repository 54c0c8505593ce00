import { expect, test } from 'vitest'
import { layerScene } from '../../draw/layer-scene.ts'
import type { PanelModel } from '../panel-model.ts'
import { aggregationsOf } from '../to-search.ts'
import { tableOf } from '../to-table.ts'
import { mapLayers } from './layers.ts'
import { inhabited, savedMapView } from './view.ts'

const range = { fromMs: 0, toMs: 3_600_000 }
const view = { type: 'index-pattern', id: 'v', attributes: { title: 'web-*', timeFieldName: 'time' }, references: [] }
const objects = new Map([['index-pattern:v', view]])

function panelOf(layers: readonly unknown[], more: Partial<PanelModel> = {}, state: unknown = {}): PanelModel {
  return {
    id: 'm',
    kind: 'map',
    title: 'Map',
    place: { x: 0, y: 0, w: 24, h: 15 },
    attributes: { layerListJSON: JSON.stringify(layers), mapStateJSON: JSON.stringify(state) },
    config: {},
    references: [{ type: 'index-pattern', id: 'v', name: 'layer_1_source_index_pattern' }],
    ...more,
  }
}

const grid = {
  id: 'g',
  label: 'Clusters',
  type: 'GEOJSON_VECTOR',
  query: { query: 'a: 1', language: 'kuery' },
  sourceDescriptor: {
    type: 'ES_GEO_GRID',
    indexPatternRefName: 'layer_1_source_index_pattern',
    geoField: 'at',
    requestType: 'point',
    resolution: 'COARSE',
    metrics: [{ type: 'count' }, { type: 'avg', field: 'bytes' }],
  },
  style: {
    properties: {
      fillColor: {
        type: 'DYNAMIC',
        options: {
          field: { name: 'doc_count', origin: 'source' },
          useCustomColorRamp: true,
          customColorRamp: [{ color: '#000000' }, { color: '#ffffff' }],
        },
      },
      iconSize: { type: 'DYNAMIC', options: { field: { name: 'avg_of_bytes' }, minSize: 5, maxSize: 15 } },
    },
  },
}

test('a layer of clusters asks for cells, their middle and its metrics, and its rows are circles', () => {
  const { layers, notes } = mapLayers(panelOf([grid]), objects, 2.4)
  const [layer] = layers
  if (!layer) throw new Error('no layer')
  expect(notes).toEqual([])
  expect(layer.request).toMatchObject({ index: 'web-*', timeField: 'time', queries: [grid.query], alone: false })
  const context = { range, types: new Map<string, string>() }
  expect(aggregationsOf(layer.request, context)).toEqual({
    b0: {
      geotile_grid: { field: 'at', precision: 5, size: 10_000 },
      aggs: { m1: { avg: { field: 'bytes' } }, m2: { geo_centroid: { field: 'at' } } },
    },
  })
  const bucket = (key: string, doc_count: number, value: number, lat: number) => ({
    key,
    doc_count,
    m1: { value },
    m2: { location: { lat, lon: 10 } },
  })
  const buckets = [bucket('5/1/1', 9, 100, 50), bucket('5/2/1', 1, 0, 20)]
  const table = tableOf(layer.request, { aggregations: { b0: { buckets } }, total: 10 }, context)
  const scene = layerScene(layers, [table], { view: 'data', notes: [] })
  expect(scene.marks).toMatchObject([
    { at: [10, 50], radius: 15, color: '#ffffff', tip: ['Clusters', 'Count: 9', 'avg of bytes: 100'] },
    { at: [10, 20], radius: 5, color: '#000000' },
  ])
  expect(scene.legends).toMatchObject([{ title: 'Clusters · Count', ramp: { from: '1', to: '9' } }])
})

test('hidden layers, and those of hidden groups, are left out; what cannot be drawn is named', () => {
  const group = { id: 'group', type: 'LAYER_GROUP', visible: false }
  const layers = [
    { id: 'b', type: 'EMS_VECTOR_TILE', sourceDescriptor: { type: 'EMS_TMS' } },
    { ...grid, id: 'h', visible: false },
    group,
    { ...grid, id: 'i', parent: 'group' },
    { id: 'w', label: 'Weather', type: 'RASTER_TILE', sourceDescriptor: { type: 'WMS' } },
    { id: 's', label: 'States', type: 'VECTOR', sourceDescriptor: { type: 'EMS_FILE', id: 'usa_states' } },
  ]
  const read = mapLayers(panelOf(layers), objects, 1)
  expect(read.layers).toEqual([])
  expect(read.notes).toEqual([
    'The layer “Weather” (WMS) is not drawn.',
    'Only countries have outlines here; those of “usa_states” are not drawn.',
  ])
  // A panel says anew which are hidden.
  const shown = mapLayers(panelOf(layers, { config: { hiddenLayers: ['w', 's'] } }), objects, 1)
  expect(shown).toMatchObject({ layers: [{ label: 'Clusters' }, { label: 'Clusters' }], notes: [] })
})

test('documents ask for the fields they show, one of each thing where only the newest count', () => {
  const source = {
    type: 'ES_SEARCH',
    indexPatternRefName: 'layer_1_source_index_pattern',
    geoField: 'at',
    scalingType: 'TOP_HITS',
    topHitsSplitField: 'host',
    sortField: 'time',
    sortOrder: 'asc',
    tooltipProperties: ['user'],
    applyGlobalQuery: false,
    applyGlobalTime: false,
  }
  const { layers } = mapLayers(panelOf([{ id: 'd', type: 'VECTOR', sourceDescriptor: source }]), objects, 1)
  expect(layers).toMatchObject([
    {
      shape: 'points',
      filterBy: 'host',
      request: {
        timeField: undefined,
        alone: true,
        documents: { fields: ['at', 'user', 'host'], sort: { field: 'time', direction: 'asc' }, oneOf: 'host' },
      },
    },
  ])
})

test('the first view is the panel’s, the fixed one, the saved one, or that of the data', () => {
  const state = { zoom: 5, center: { lon: 10, lat: 50 } }
  const middle = (panel: PanelModel) => {
    const { bounds } = savedMapView(panel)
    return bounds === 'data' ? bounds : Math.round((bounds[0] + bounds[2]) / 2)
  }
  expect(middle(panelOf([], {}, state))).toBe(10)
  const fixed = { initialLocation: 'FIXED_LOCATION', fixedLocation: { lat: 0, lon: 20, zoom: 5 } }
  expect(middle(panelOf([], {}, { ...state, settings: fixed }))).toBe(20)
  const config = { mapCenter: { lat: 0, lon: 30, zoom: 5 } }
  expect(middle(panelOf([], { config }, { ...state, settings: fixed }))).toBe(30)
  expect(middle(panelOf([], {}, { ...state, settings: { autoFitToDataBounds: true } }))).toBe('data')
  expect(savedMapView(panelOf([], {}, { zoom: 1, center: { lon: 0, lat: 0 } })).bounds).toEqual(inhabited)
})
