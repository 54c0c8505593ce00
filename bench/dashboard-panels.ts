// The dashboard that `dashboard.ts` measures: thirty panels as people build them in Lens, over the documents of the bench.
import type { SavedObject } from '@logstack/contracts'

/** The id of the dashboard. */
export const dashboardId = 'bench-thirty-panels'
/** What it is called in the list. */
export const dashboardTitle = 'Thirty panels'
/** How many panels it has. */
export const panelCount = 30

type Json = Readonly<Record<string, unknown>>

const pattern = 'logs-*'
const layerId = 'layer1'

const column = (operationType: string, sourceField: string, isBucketed: boolean, params: Json = {}): Json => ({
  label: `${operationType} ${sourceField}`,
  operationType,
  sourceField,
  isBucketed,
  params,
})
const count = column('count', '___records___', false)
const metric = (operation: string, field: string): Json => column(operation, field, false)
const time = column('date_histogram', '@timestamp', true, { interval: 'auto' })
const values = (field: string, size: number, otherBucket = false): Json =>
  column('terms', field, true, {
    size,
    orderBy: { type: 'column', columnId: 'm' },
    orderDirection: 'desc',
    otherBucket,
    missingBucket: false,
  })

interface Built {
  readonly title: string
  readonly kind: string
  readonly columns: Json
  readonly visualization: Json
  readonly query?: string
  readonly size: { readonly w: number; readonly h: number }
}

const layer = { layerId, layerType: 'data' }
const tile = { w: 12, h: 7 }
const chart = { w: 24, h: 12 }
const small = { w: 16, h: 12 }

function number(title: string, m: Json, query = ''): Built {
  return {
    title,
    kind: 'lnsMetric',
    columns: { m },
    visualization: { ...layer, metricAccessor: 'm' },
    query,
    size: tile,
  }
}

function overTime(title: string, seriesType: string, m: Json, split?: Json, query = ''): Built {
  const look = { ...layer, seriesType, xAccessor: 'x', accessors: ['m'], ...(split ? { splitAccessor: 's' } : {}) }
  const columns = { ...(split ? { s: split } : {}), x: time, m }
  return {
    title,
    kind: 'lnsXY',
    columns,
    visualization: { layers: [look], legend: { isVisible: true } },
    query,
    size: chart,
  }
}

function slices(title: string, by: Json): Built {
  const look = { ...layer, primaryGroups: ['g'], metrics: ['m'], numberDisplay: 'percent' }
  const visualization = { shape: 'donut', layers: [look] }
  return { title, kind: 'lnsPie', columns: { g: by, m: count }, visualization, size: small }
}

function rows(title: string, columns: Json): Built {
  const shown = Object.keys(columns).map((columnId) => ({ columnId }))
  const visualization = { ...layer, columns: shown, paging: { enabled: true, size: 10 } }
  return { title, kind: 'lnsDatatable', columns, visualization, size: small }
}

const panels: readonly Built[] = [
  number('Events', count),
  number('Hosts', metric('unique_count', 'host.name')),
  number('Agents', metric('unique_count', 'agent.id')),
  number('Mean size', metric('average', 'metrics.size')),
  number('Largest', metric('max', 'metrics.size')),
  number('sshd', count, 'process.name: sshd'),
  number('kernel', count, 'process.name: kernel'),
  number('Regions in the east', metric('unique_count', 'cloud.region'), 'cloud.region: *east*'),
  overTime('Events over time', 'bar_stacked', count),
  overTime('By process', 'bar_stacked', count, values('process.name', 7)),
  overTime('By region', 'area_stacked', count, values('cloud.region', 5, true)),
  overTime('Mean size over time', 'line', metric('average', 'metrics.size')),
  overTime('Mean size by process', 'line', metric('average', 'metrics.size'), values('process.name', 5)),
  overTime('Hosts over time', 'bar', metric('unique_count', 'host.name')),
  overTime('sshd by region', 'bar_stacked', count, values('cloud.region', 5), 'process.name: sshd'),
  overTime('cron by region', 'bar_stacked', count, values('cloud.region', 5), 'process.name: cron'),
  slices('Processes', values('process.name', 5, true)),
  slices('Regions', values('cloud.region', 8, true)),
  slices('Agents’ versions', values('agent.version', 5)),
  rows('Busiest hosts', { g: values('host.name', 20), m: count }),
  rows('Busiest streams', { g: values('aws.cloudwatch.log_stream', 20), m: count }),
  rows('Events by id', { g: values('event.id', 50), m: count }),
  rows('Hosts and their sizes', { g: values('host.name', 10), m: count, a: metric('average', 'metrics.size') }),
  rows('Region and process', { g: values('cloud.region', 10), h: values('process.name', 5), m: count }),
  rows('Files', { g: values('log.file.path', 10), m: count }),
  overTime('nginx', 'line', count, undefined, 'process.name: nginx'),
  overTime('dockerd', 'line', count, undefined, 'process.name: dockerd'),
  overTime('Sum of sizes', 'area', metric('sum', 'metrics.size')),
  overTime('Median size', 'line', metric('median', 'metrics.size')),
  overTime('tmin by process', 'line', metric('max', 'metrics.tmin'), values('process.name', 3)),
]

/** The objects to import: the index pattern and the dashboard. */
export function dashboardObjects(): SavedObject[] {
  if (panels.length !== panelCount) throw new Error('BUG: the bench promises thirty panels')
  const attributes = {
    title: dashboardTitle,
    description: '',
    timeRestore: false,
    panelsJSON: JSON.stringify(placed(panels)),
    optionsJSON: '{}',
    kibanaSavedObjectMeta: { searchSourceJSON: '{}' },
  }
  const view = { title: pattern, name: pattern, timeFieldName: '@timestamp' }
  return [
    { type: 'index-pattern', id: pattern, attributes: view, references: [] },
    { type: 'dashboard', id: dashboardId, attributes, references: [] },
  ]
}

/** The panels from left to right on the grid of 48 columns, a new row where one is full or of another height. */
function placed(all: readonly Built[]): Json[] {
  let [x, y, height] = [0, 0, 0]
  return all.map((built, at) => {
    const { w, h } = built.size
    if (x + w > 48 || (height !== 0 && h !== height)) [x, y] = [0, y + height]
    height = h
    const gridData = { x, y, w, h, i: String(at) }
    x += w
    return {
      type: 'lens',
      panelIndex: String(at),
      gridData,
      title: built.title,
      embeddableConfig: { attributes: lens(built) },
    }
  })
}

function lens({ kind, columns, visualization, query = '' }: Built): Json {
  const layers = { [layerId]: { columns, columnOrder: Object.keys(columns), indexPatternId: pattern } }
  return {
    title: '',
    visualizationType: kind,
    references: [{ type: 'index-pattern', id: pattern, name: `indexpattern-datasource-layer-${layerId}` }],
    state: {
      query: { query, language: 'kuery' },
      filters: [],
      datasourceStates: { formBased: { layers } },
      visualization,
    },
  }
}
