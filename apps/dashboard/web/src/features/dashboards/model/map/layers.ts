import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../../kibana/saved-json.ts'
import { messages } from '../../messages.ts'
import { dataSourceOf, type ObjectMap } from '../objects.ts'
import type { PanelModel } from '../panel-model.ts'
import { queriesOf } from '../saved-queries.ts'
import type { MetricSpec, TableRequest } from '../table.ts'
import { boundariesNote } from './boundaries.ts'
import { columnsOfStyle, type LayerStyle, layerStyle } from './style.ts'

/** One layer of a map that is drawn: what it asks for and what its rows are. */
export interface MapLayer {
  readonly label: string
  readonly shape: 'points' | 'cells' | 'heat' | 'lines' | 'regions'
  readonly request: TableRequest
  readonly style: LayerStyle
  /** The columns that a tip tells. */
  readonly told: readonly string[]
  /** The column with a feature's place: a point, a cell's key or a country. */
  readonly place: string
  /** Of a line, the column where it begins. */
  readonly from?: string
  /** The column by whose value a click filters. */
  readonly filterBy?: string | undefined
  /** What is drawn otherwise than it was saved. */
  readonly note?: string
}

/** The layers of a map, and sentences about those that are not drawn. */
export interface MapLayers {
  readonly layers: readonly MapLayer[]
  readonly notes: readonly string[]
}

interface Surroundings {
  readonly panel: PanelModel
  readonly objects: ObjectMap
  readonly zoom: number
}

const cellsMax = 10_000
const documentsMax = 5_000
// Kibana calls the precision of cells by how fine they look; ours hold while somebody zooms in.
const finer: Readonly<Record<string, number>> = { COARSE: 3, FINE: 4, MOST_FINE: 5, SUPER_FINE: 8 }

/** Reads the layers of a map, lowest first; those that are hidden are left out. */
export function mapLayers(panel: PanelModel, objects: ObjectMap, zoom: number): MapLayers {
  const saved = jsonArray(panel.attributes['layerListJSON'])
  const hidden = hiddenLayers(saved, panel.config)
  const layers: MapLayer[] = []
  const notes: string[] = []
  for (const layer of saved) {
    if (hidden.has(text(layer['id']) ?? '')) continue
    const read = readLayer(layer, { panel, objects, zoom })
    if ('note' in read) notes.push(...(read.note === '' ? [] : [read.note]))
    else layers.push(read)
  }
  return { layers, notes }
}

function hiddenLayers(saved: readonly Json[], config: Json): ReadonlySet<string> {
  // A panel may say anew which layers are shown.
  const own = Array.isArray(config['hiddenLayers']) ? new Set(texts(config['hiddenLayers'])) : undefined
  const ids = saved.flatMap((layer) => {
    const id = text(layer['id']) ?? ''
    return (own ? own.has(id) : layer['visible'] === false) ? [id] : []
  })
  const hidden = new Set(ids)
  for (const layer of saved) if (hidden.has(text(layer['parent']) ?? '')) hidden.add(text(layer['id']) ?? '')
  return hidden
}

type Read = MapLayer | { readonly note: string }

function readLayer(layer: Json, around: Surroundings): Read {
  const source = jsonObject(layer['sourceDescriptor'])
  switch (source['type']) {
    case 'EMS_TMS':
      return { note: '' }
    case 'ES_GEO_GRID':
      return gridLayer(layer, source, around)
    case 'ES_PEW_PEW':
      return lineLayer(layer, source, around)
    case 'ES_SEARCH':
      return documentLayer(layer, source, around)
    case 'EMS_FILE':
      return regionLayer(layer, source, around)
    default:
      if (layer['type'] === 'LAYER_GROUP') return { note: '' }
      return { note: messages.map.unknownLayer(labelOf(layer), text(source['type']) ?? text(layer['type']) ?? '?') }
  }
}

function gridLayer(layer: Json, source: Json, around: Surroundings): Read {
  const field = text(source['geoField']) ?? ''
  const metrics = metricsOf(jsonArray(source['metrics']))
  const precision = cellPrecision(source, around.zoom)
  const centre: MetricSpec = { id: 'centroid', label: field, type: 'geo_centroid', field }
  const isHeat = layer['type'] === 'HEATMAP' || source['requestType'] === 'heatmap'
  const isCells = source['requestType'] === 'grid' || source['requestType'] === 'hex'
  return {
    label: labelOf(layer),
    shape: isHeat ? 'heat' : isCells ? 'cells' : 'points',
    request: {
      ...sourceRequest(layer, source, around),
      buckets: [{ id: 'cell', label: field, type: 'geo_grid', grid: 'geotile', field, precision, size: cellsMax }],
      metrics: [...metrics, centre],
    },
    style: layerStyle(layer, (name) => name),
    told: metrics.map(({ id }) => id),
    place: isCells ? 'cell' : 'centroid',
    ...(source['requestType'] === 'hex' ? { note: messages.map.squares(labelOf(layer)) } : {}),
  }
}

function lineLayer(layer: Json, source: Json, around: Surroundings): Read {
  const [from, to] = [text(source['sourceGeoField']) ?? '', text(source['destGeoField']) ?? '']
  const metrics = metricsOf(jsonArray(source['metrics']))
  const precision = Math.min(7, cellPrecision({ resolution: 'FINE' }, around.zoom))
  const grid = { type: 'geo_grid', grid: 'geotile', precision } as const
  return {
    label: labelOf(layer),
    shape: 'lines',
    request: {
      ...sourceRequest(layer, source, around),
      buckets: [
        { ...grid, id: 'toCell', label: to, field: to, size: 500 },
        { ...grid, id: 'fromCell', label: from, field: from, size: 100 },
      ],
      metrics: [
        ...metrics,
        { id: 'to', label: to, type: 'geo_centroid', field: to },
        { id: 'from', label: from, type: 'geo_centroid', field: from },
      ],
    },
    style: layerStyle(layer, (name) => name),
    told: metrics.map(({ id }) => id),
    place: 'to',
    from: 'from',
  }
}

function documentLayer(layer: Json, source: Json, around: Surroundings): Read {
  const place = text(source['geoField']) ?? ''
  const style = layerStyle(layer, (name) => name)
  const told = texts(source['tooltipProperties'])
  const split = source['scalingType'] === 'TOP_HITS' ? text(source['topHitsSplitField']) : undefined
  const sortField = text(source['sortField'])
  const direction = source['sortOrder'] === 'asc' ? ('asc' as const) : ('desc' as const)
  const fields = [...new Set([place, ...told, ...columnsOfStyle(style), ...(split ? [split] : [])])]
  return {
    label: labelOf(layer),
    shape: 'points',
    request: {
      ...sourceRequest(layer, source, around),
      buckets: [],
      metrics: [],
      documents: {
        fields: fields.filter((name) => name !== ''),
        size: documentsMax,
        sort: sortField ? { field: sortField, direction } : undefined,
        oneOf: split,
      },
    },
    style,
    told: told.length > 0 ? told : split ? [split] : [],
    place,
    filterBy: split ?? told[0],
  }
}

/** Countries with the numbers of an index joined to them; without a join they are the land. */
function regionLayer(layer: Json, source: Json, around: Surroundings): Read {
  const [note = ''] = boundariesNote([text(source['id'])])
  const [join, ...others] = jsonArray(layer['joins'])
  const right = jsonObject(join?.['right'])
  const term = text(right['term'])
  if (note !== '' || term === undefined || right['type'] === 'ES_DISTANCE_SOURCE') {
    return {
      note: note !== '' || !join ? note : messages.map.unknownLayer(labelOf(layer), text(right['type']) ?? 'join'),
    }
  }
  const metrics = metricsOf(jsonArray(right['metrics']))
  const [first] = metrics
  return {
    label: labelOf(layer) + (others.length > 0 ? messages.map.firstJoin : ''),
    shape: 'regions',
    request: {
      ...sourceRequest({ query: right['whereQuery'] }, right, around),
      buckets: [
        {
          id: 'term',
          label: term,
          type: 'terms',
          field: term,
          size: number(right['size']) ?? 300,
          orderBy: first?.id ?? 'count',
          direction: 'desc',
          otherBucket: false,
          otherLabel: 'Other',
        },
      ],
      metrics,
    },
    style: layerStyle(layer, columnOfJoin),
    told: metrics.map(({ id }) => id),
    place: 'term',
    filterBy: 'term',
  }
}

/** `__kbnjoin__sum_of_bytes__ID` is the join's sum of bytes. */
function columnOfJoin(name: string): string {
  const metric = name.replace(/^__kbnjoin__/, '').replace(/(__.*|_groupby_.*)$/, '')
  return metric === 'count' ? 'doc_count' : metric
}

function labelOf(layer: Json): string {
  return text(layer['label']) || text(jsonObject(layer['sourceDescriptor'])['type']) || ''
}

type Source = Pick<TableRequest, 'index' | 'timeField' | 'queries' | 'filters' | 'alone'>

function sourceRequest(layer: Json, source: Json, { panel, objects }: Surroundings): Source {
  const name = text(source['indexPatternRefName'])
  const id = panel.references.find((reference) => reference.name === name)?.id ?? text(source['indexPatternId'])
  const { index, timeField } = dataSourceOf(id, objects)
  return {
    index,
    timeField: source['applyGlobalTime'] === false ? undefined : timeField,
    queries: queriesOf(layer['query']),
    filters: [],
    alone: source['applyGlobalQuery'] === false,
  }
}

const metricTypes: Readonly<Record<string, MetricSpec['type']>> = {
  count: 'count',
  avg: 'avg',
  sum: 'sum',
  min: 'min',
  max: 'max',
  cardinality: 'cardinality',
  unique_count: 'cardinality',
  percentile: 'percentiles',
}

/** The metrics of a layer under the names that its style calls them by; the count where it has none that is known. */
function metricsOf(saved: readonly Json[]): MetricSpec[] {
  const found = saved.flatMap((one): MetricSpec[] => {
    const kind = text(one['type']) ?? ''
    const type = metricTypes[kind]
    const field = text(one['field'])
    if (!type || (type !== 'count' && field === undefined)) return []
    const id = type === 'count' ? 'doc_count' : `${kind}_of_${field}`
    const automatic = type === 'count' ? 'Count' : `${kind} of ${field}`
    return [{ id, label: text(one['label']) || automatic, type, field, percent: number(one['percentile']) ?? 50 }]
  })
  return found.length > 0 ? found : [{ id: 'doc_count', label: 'Count', type: 'count' }]
}

function cellPrecision(source: Json, zoom: number): number {
  return Math.max(2, Math.min(15, Math.floor(zoom) + (finer[text(source['resolution']) ?? ''] ?? 3)))
}
