import type { KeptObject } from '../dashboard-page.ts'
import { barsSpec, loadingSpec, marksSpec, scriptSpec } from './vega.ts'

type Json = Readonly<Record<string, unknown>>

/** The id of the dashboard. */
export const dashboardId = 'all-maps'
/** The index that its pattern means. */
export const index = 'map-connections'
const view = 'map-pattern'

const countries = {
  id: '2',
  type: 'terms',
  schema: 'segment',
  params: { field: 'source.geo.country_iso_code', size: 50, orderBy: '1', order: 'desc', customLabel: 'Country' },
}
const count = { id: '1', type: 'count', schema: 'metric', params: {} }

interface Panel {
  readonly id: string
  readonly title: string
  readonly type: 'lens' | 'visualization' | 'map'
  readonly config: Json
}

function vis(id: string, title: string, type: string, params: Json, aggs: readonly Json[]): Panel {
  const searchSource = { index: view, query: { query: '', language: 'kuery' }, filter: [] }
  return {
    id,
    title,
    type: 'visualization',
    config: { savedVis: { type, title, params, data: { aggs, searchSource } } },
  }
}

function choropleth(): Panel {
  const columns = {
    r: {
      operationType: 'terms',
      sourceField: 'source.geo.country_name',
      isBucketed: true,
      label: 'Country',
      params: { size: 50, orderBy: { type: 'column', columnId: 'n' }, orderDirection: 'desc' },
    },
    n: { operationType: 'count', sourceField: '___records___', isBucketed: false, label: 'Connections', params: {} },
  }
  const attributes = {
    title: 'Choropleth',
    visualizationType: 'lnsChoropleth',
    references: [{ type: 'index-pattern', id: view, name: 'indexpattern-datasource-layer-l' }],
    state: {
      query: { query: '', language: 'kuery' },
      filters: [],
      datasourceStates: { formBased: { layers: { l: { columns, columnOrder: ['r', 'n'] } } } },
      visualization: {
        layerId: 'l',
        layerType: 'data',
        regionAccessor: 'r',
        valueAccessor: 'n',
        emsLayerId: 'world_countries',
        emsField: 'name',
      },
    },
  }
  return { id: 'choropleth', title: 'Choropleth', type: 'lens', config: { attributes } }
}

const worldCountries = { layerId: 'elastic_maps_service.World Countries', name: 'World Countries', isEMS: true }
const regionParams = { colorSchema: 'Greens', mapCenter: [0, 0], mapZoom: 2, selectedJoinField: { name: 'iso2' } }

const query = { query: '', language: 'kuery' }
const ref = (name: string): Json => ({ name, type: 'index-pattern', id: view })
const source = (type: string, at: number, more: Json): Json => ({
  type,
  indexPatternRefName: `layer_${at}_source_index_pattern`,
  applyGlobalQuery: true,
  applyGlobalTime: true,
  ...more,
})
const fixed = (color: string): Json => ({ type: 'STATIC', options: { color } })
const byField = (name: string, more: Json): Json => ({
  type: 'DYNAMIC',
  options: { field: { name, origin: 'source' }, ...more },
})

function kibanaMap(id: string, title: string, layers: readonly Json[], state: Json): Panel {
  const attributes = {
    title,
    layerListJSON: JSON.stringify([
      { id: 'base', type: 'EMS_VECTOR_TILE', sourceDescriptor: { type: 'EMS_TMS', isAutoSelect: true } },
      ...layers,
    ]),
    mapStateJSON: JSON.stringify(state),
    references: [1, 2, 3].map((at) => ref(`layer_${at}_source_index_pattern`)),
  }
  return { id, title, type: 'map', config: { attributes, hiddenLayers: ['hidden'] } }
}

const documentLayer: Json = {
  id: 'documents',
  label: 'Large connections',
  type: 'GEOJSON_VECTOR',
  query: { query: 'source.bytes > 2500', language: 'kuery' },
  sourceDescriptor: source('ES_SEARCH', 2, {
    geoField: 'source.geo.location',
    scalingType: 'LIMIT',
    tooltipProperties: ['source.geo.city_name', 'source.bytes'],
  }),
  style: {
    type: 'VECTOR',
    properties: {
      fillColor: byField('source.geo.city_name', { type: 'CATEGORICAL', colorCategory: 'palette_0' }),
      iconSize: { type: 'STATIC', options: { size: 9 } },
      labelText: byField('source.geo.city_name', {}),
    },
  },
}
const clusterLayer: Json = {
  id: 'clusters',
  label: 'Clusters',
  type: 'GEOJSON_VECTOR',
  alpha: 1,
  sourceDescriptor: source('ES_GEO_GRID', 1, {
    geoField: 'source.geo.location',
    requestType: 'point',
    resolution: 'COARSE',
    metrics: [{ type: 'count' }, { type: 'sum', field: 'source.bytes' }],
  }),
  style: {
    type: 'VECTOR',
    properties: {
      fillColor: byField('doc_count', {
        useCustomColorRamp: true,
        customColorRamp: [
          { stop: 0, color: '#101010' },
          { stop: 5, color: '#8a2be2' },
        ],
      }),
      iconSize: byField('doc_count', { minSize: 6, maxSize: 20 }),
    },
  },
}
const lineLayer: Json = {
  id: 'lines',
  label: 'Lines',
  type: 'GEOJSON_VECTOR',
  alpha: 1,
  sourceDescriptor: source('ES_PEW_PEW', 1, {
    sourceGeoField: 'source.geo.location',
    destGeoField: 'destination.geo.location',
    metrics: [{ type: 'count' }],
  }),
  style: {
    type: 'VECTOR',
    properties: { lineColor: fixed('#d11141'), lineWidth: byField('doc_count', { minSize: 3, maxSize: 8 }) },
  },
}
const joinLayer: Json = {
  id: 'join',
  label: 'Countries',
  type: 'GEOJSON_VECTOR',
  sourceDescriptor: { type: 'EMS_FILE', id: 'world_countries', tooltipProperties: ['name'] },
  joins: [
    {
      leftField: 'iso2',
      right: source('ES_TERM_SOURCE', 3, {
        id: 'j',
        term: 'source.geo.country_iso_code',
        metrics: [{ type: 'sum', field: 'source.bytes', label: 'Bytes' }],
      }),
    },
  ],
  style: {
    type: 'VECTOR',
    properties: { fillColor: byField('__kbnjoin__sum_of_source.bytes__j', { color: 'Greens', origin: 'join' }) },
  },
}
const heatLayer: Json = {
  id: 'heat',
  label: 'Heat',
  type: 'HEATMAP',
  sourceDescriptor: source('ES_GEO_GRID', 1, {
    geoField: 'source.geo.location',
    requestType: 'heatmap',
    resolution: 'FINE',
  }),
}
const unknownLayer: Json = {
  id: 'u',
  label: 'Streets',
  type: 'MVT_VECTOR',
  sourceDescriptor: { type: 'MVT_SINGLE_LAYER' },
}
const hiddenLayer: Json = { ...unknownLayer, id: 'hidden', label: 'Hidden' }
const world: Json = { zoom: 1.2, center: { lon: 0, lat: 20 }, settings: {}, query }
const fitted: Json = { ...world, settings: { autoFitToDataBounds: true } }
const grid = {
  id: '2',
  type: 'geohash_grid',
  schema: 'segment',
  params: { field: 'source.geo.location', autoPrecision: true },
}

const panels: readonly Panel[] = [
  vis('regions', 'Regions', 'region_map', { ...regionParams, selectedLayer: worldCountries }, [count, countries]),
  choropleth(),
  vis(
    'states',
    'States',
    'region_map',
    { ...regionParams, selectedLayer: { layerId: 'elastic_maps_service.USA States', name: 'USA States' } },
    [count, countries],
  ),
  vis('circles', 'Circles', 'tile_map', { mapType: 'Scaled Circle Markers', mapCenter: [15, 5], mapZoom: 2 }, [
    count,
    grid,
  ]),
  vis('cells', 'Cells', 'tile_map', { mapType: 'Shaded Geohash Grid', mapCenter: [15, 5], mapZoom: 2 }, [count, grid]),
  kibanaMap('layers', 'Layers', [joinLayer, clusterLayer, unknownLayer, hiddenLayer], world),
  kibanaMap('documents', 'Documents', [lineLayer, documentLayer], fitted),
  vis('bars', 'Bars', 'vega', { spec: barsSpec }, []),
  vis('squares', 'Squares', 'vega', { spec: marksSpec }, []),
  vis('loading', 'Loading', 'vega', { spec: loadingSpec }, []),
  vis('script', 'Script', 'vega', { spec: scriptSpec }, []),
  kibanaMap('heat', 'Heat', [heatLayer], world),
]

/** The objects to import: a pattern, and a dashboard with a panel of each kind of map, or of specifications. */
export function mapObjects(wanted: 'maps' | 'vega' = 'maps'): KeptObject[] {
  const empty = { searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }) }
  const isWanted = ({ config }: Panel): boolean =>
    JSON.stringify(config).includes('"type":"vega"') === (wanted === 'vega')
  const panelsJSON = panels.filter(isWanted).map(({ id, title, type, config }, at) => ({
    type,
    panelIndex: id,
    title,
    gridData: { x: (at % 2) * 24, y: Math.floor(at / 2) * 14, w: 24, h: 14, i: id },
    embeddableConfig: config,
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
        title: 'All maps',
        description: '',
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
