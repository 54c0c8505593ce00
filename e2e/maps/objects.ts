import type { KeptObject } from '../dashboard-page.ts'

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
]

/** The objects to import: a pattern, and the dashboard with a panel of each kind of map. */
export function mapObjects(): KeptObject[] {
  const empty = { searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }) }
  const panelsJSON = panels.map(({ id, title, type, config }, at) => ({
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
