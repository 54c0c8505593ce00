import type { Panel, Reference, View } from './lens.ts'

/** One dashboard that is shipped. */
export interface ShippedDashboard {
  readonly folder: 'search' | 'endpoint'
  /** The name of its file and, after `logstack-`, its id. */
  readonly name: string
  readonly title: string
  readonly description: string
  /** The range it opens with, back from now: `24h`. */
  readonly last: string
  /** The rows, each with its height in cells; the widths of a row's panels make 48. */
  readonly rows: readonly { readonly height: number; readonly panels: readonly Panel[] }[]
}

interface SavedObject {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly references: readonly Reference[]
}

const columns = 48
const savedAt = '2026-11-22T00:00:00.000Z'
const typeVersions: Readonly<Record<string, string>> = {
  dashboard: '10.2.0',
  search: '10.5.0',
  'index-pattern': '8.0.0',
}

/** The export file of a dashboard: the index patterns and saved searches it needs, itself, and the summary. */
export function exportOf(dashboard: ShippedDashboard): string {
  const placed = dashboard.rows.flatMap(({ height, panels }, row) => {
    const width = panels.reduce((sum, panel) => sum + panel.width, 0)
    if (width !== columns) throw new Error(`row ${row} of ${dashboard.name} is ${width} wide, not ${columns}`)
    const y = dashboard.rows.slice(0, row).reduce((sum, above) => sum + above.height, 0)
    return panels.map((panel, at) => {
      const x = panels.slice(0, at).reduce((sum, left) => sum + left.width, 0)
      return { panel, id: `p${row}-${at}`, place: { x, y, w: panel.width, h: height } }
    })
  })
  const drawn = placed.map((one) => savedPanel(dashboard, one))
  const searches = drawn.flatMap(({ search }) => (search ? [search] : []))
  const references = drawn.flatMap((one) => one.references)
  const views = viewsOf([...references, ...searches.flatMap((search) => search.references)])
  const objects = [
    ...views,
    ...searches,
    dashboardObject(
      dashboard,
      drawn.map(({ saved }) => saved),
      references,
    ),
  ]
  const lines = objects.map((object) => JSON.stringify(withVersions(object)))
  const summary = { exportedCount: objects.length, missingRefCount: 0, missingReferences: [] }
  return `${[...lines, JSON.stringify({ ...summary, excludedObjects: [], excludedObjectsCount: 0 })].join('\n')}\n`
}

interface Placed {
  readonly panel: Panel
  readonly id: string
  readonly place: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
}

interface Drawn {
  readonly saved: Readonly<Record<string, unknown>>
  readonly references: readonly Reference[]
  readonly search?: SavedObject
}

function savedPanel(dashboard: ShippedDashboard, { panel, id, place }: Placed): Drawn {
  const { content, title } = panel
  const frame = { panelIndex: id, gridData: { ...place, i: id }, title }
  const inPanel = (reference: Reference): Reference => ({ ...reference, name: `${id}:${reference.name}` })
  if (content.kind === 'lens') {
    const { attributes, references } = content
    const saved = { type: 'lens', ...frame, embeddableConfig: { attributes, enhancements: {}, hidePanelTitles: false } }
    return { saved, references: references.map(inPanel) }
  }
  if (content.kind === 'text') {
    const data = { aggs: [], searchSource: { query: { query: '', language: 'kuery' }, filter: [] } }
    const params = { markdown: content.markdown, fontSize: 12, openLinksInNewTab: false }
    const savedVis = { title: '', description: '', type: 'markdown', params, uiState: {}, data }
    const config = { savedVis, enhancements: {}, hidePanelTitles: true }
    return { saved: { type: 'visualization', ...frame, embeddableConfig: config }, references: [] }
  }
  const search = searchObject(`logstack-${dashboard.name}-${id}`, title, content)
  const saved = { type: 'search', ...frame, panelRefName: `panel_${id}`, embeddableConfig: { enhancements: {} } }
  return { saved, references: [inPanel({ type: 'search', id: search.id, name: `panel_${id}` })], search }
}

function searchObject(
  id: string,
  title: string,
  { view, query, columns: shown }: { readonly view: View; readonly query: string; readonly columns: readonly string[] },
): SavedObject {
  const indexRefName = 'kibanaSavedObjectMeta.searchSourceJSON.index'
  const source = { query: { query, language: 'kuery' }, filter: [], indexRefName }
  const attributes = {
    title,
    description: '',
    columns: shown,
    sort: [[view.timeField, 'desc']],
    grid: {},
    hideChart: false,
    isTextBasedQuery: false,
    timeRestore: false,
    usesAdHocDataView: false,
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
  }
  return { type: 'search', id, attributes, references: [{ type: 'index-pattern', id: view.id, name: indexRefName }] }
}

function dashboardObject(
  { name, title, description, last }: ShippedDashboard,
  panels: readonly unknown[],
  references: readonly Reference[],
): SavedObject {
  const options = { useMargins: true, syncColors: false, syncCursor: true, syncTooltips: false, hidePanelTitles: false }
  const source = { query: { query: '', language: 'kuery' }, filter: [] }
  const attributes = {
    title,
    description,
    version: 1,
    timeRestore: true,
    timeFrom: `now-${last}`,
    timeTo: 'now',
    refreshInterval: { pause: true, value: 60_000 },
    optionsJSON: JSON.stringify(options),
    panelsJSON: JSON.stringify(panels),
    kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify(source) },
  }
  return { type: 'dashboard', id: `logstack-${name}`, attributes, references }
}

function viewsOf(references: readonly Reference[]): SavedObject[] {
  const ids = new Set(references.filter(({ type }) => type === 'index-pattern').map(({ id }) => id))
  return [...ids].map((id) => {
    const empty = { fields: '[]', fieldAttrs: '{}', fieldFormatMap: '{}', runtimeFieldMap: '{}', sourceFilters: '[]' }
    const attributes = { title: id, name: id, timeFieldName: '@timestamp', allowNoIndex: true, ...empty }
    return { type: 'index-pattern', id, attributes, references: [] }
  })
}

function withVersions(object: SavedObject): Readonly<Record<string, unknown>> {
  const versions = { coreMigrationVersion: '8.8.0', typeMigrationVersion: typeVersions[object.type] }
  return { ...object, managed: false, ...versions, created_at: savedAt, updated_at: savedAt }
}
