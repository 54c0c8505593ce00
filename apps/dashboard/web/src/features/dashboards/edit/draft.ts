import type { SavedObject, SavedObjectReference } from '@logstack/contracts'
import { type Json, jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'
import { filterClause } from '../../../query/build-query.ts'
import type { TimeRange } from '../../../time/time-range.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import type { GridPlace } from '../model/panel-model.ts'
import { onGridOfToday, savedPlace } from '../model/saved-place.ts'
import {
  apartPlaces,
  headingId,
  jointPlaces,
  type Members,
  type Sectioned,
  sectionAbove,
  sectionId,
  sectionsOf,
} from '../model/sections.ts'
import { compacted, freePlace, type Layout } from './layout.ts'

/** What a dashboard's reader sets of the dashboard itself. */
export interface DashboardSettings {
  readonly title: string
  readonly description: string
  /** KQL. */
  readonly query: string
  /** The range it opens with; without one it opens with the reader's. */
  readonly range: TimeRange | undefined
}

/** A panel to be added: its saved form without place and name, and what it refers to by names of its own. */
export interface NewPanel {
  readonly type: string
  readonly title?: string
  readonly config: Json
  readonly size: { readonly w: number; readonly h: number }
  /** The saved object that is drawn, for a panel by reference. */
  readonly object?: { readonly type: string; readonly id: string }
  readonly references: readonly SavedObjectReference[]
}

/** An empty dashboard. */
export function emptyDashboard(id: string, title: string): SavedObject {
  return {
    type: 'dashboard',
    id,
    references: [],
    attributes: {
      title,
      description: '',
      panelsJSON: '[]',
      optionsJSON: JSON.stringify({ useMargins: true, syncColors: false, hidePanelTitles: false }),
      timeRestore: false,
      version: 1,
      kibanaSavedObjectMeta: {
        searchSourceJSON: JSON.stringify({ query: { query: '', language: 'kuery' }, filter: [] }),
      },
    },
  }
}

/** The dashboard with its panels and headings of sections at these places; panels that are not named stay where they are. */
export function withLayout(dashboard: SavedObject, layout: Layout, members?: Members): SavedObject {
  const joint = new Map([...layoutOf(dashboard), ...layout])
  const sections = sectionsOf(dashboard.attributes['sections'])
  const apart = apartPlaces(joint, sectionedOf(dashboard), sections, members)
  const moved = withPanels(
    dashboard,
    panelsOf(dashboard).map((panel) => {
      const found = apart.panels.get(idOf(panel))
      if (!found || (sections.length === 0 && !layout.has(found.id))) return panel
      const { sectionId: _before, ...grid } = jsonObject(panel['gridData'])
      const section = found.section === undefined ? {} : { sectionId: found.section }
      return { ...onGridOfToday(panel), gridData: { ...grid, ...found.place, ...section } }
    }),
  )
  return withSections(moved, (section) => {
    const y = apart.sections.get(sectionId(section))
    const key = section['gridData'] === undefined && section['grid'] !== undefined ? 'grid' : 'gridData'
    return [{ ...section, [key]: { ...jsonObject(section[key]), y } }]
  })
}

/** Where the panels of a dashboard lie, and the headings of its sections, on one grid. */
export function layoutOf(dashboard: SavedObject): Map<string, GridPlace> {
  return jointPlaces(sectionedOf(dashboard), sectionsOf(dashboard.attributes['sections']))
}

function sectionedOf(dashboard: SavedObject): Sectioned[] {
  return panelsOf(dashboard).map((panel, index) => {
    const section = text(jsonObject(panel['gridData'])['sectionId'])
    return { id: idOf(panel), place: savedPlace(panel, index), section }
  })
}

/** The dashboard with each of its sections replaced; one without any stays as it is. */
function withSections(dashboard: SavedObject, replaced: (section: Json) => Json[]): SavedObject {
  const sections = jsonArray(dashboard.attributes['sections'])
  if (sections.length === 0) return dashboard
  return { ...dashboard, attributes: { ...dashboard.attributes, sections: sections.flatMap(replaced) } }
}

/** The dashboard with another title for a section, by the id of its heading. */
export function withSectionTitle(dashboard: SavedObject, heading: string, title: string): SavedObject {
  return withSections(dashboard, (section) => [
    headingId(sectionId(section)) === heading ? { ...section, title } : section,
  ])
}

/** The dashboard without a section: its panels stay where they are, outside of all sections. */
export function withoutSection(dashboard: SavedObject, heading: string): SavedObject {
  const layout = layoutOf(dashboard)
  layout.delete(heading)
  const left = withSections(dashboard, (section) => (headingId(sectionId(section)) === heading ? [] : [section]))
  const freed = sectionedOf(dashboard).filter(({ section }) => section !== undefined && headingId(section) === heading)
  return withLayout(left, compacted(layout), new Map(freed.map(({ id }) => [id, undefined])))
}

/** A new panel belongs to the section that it is put into. */
function memberAt(dashboard: SavedObject, id: string, { y }: GridPlace): Members {
  return new Map([[id, sectionAbove(layoutOf(dashboard), sectionsOf(dashboard.attributes['sections']), y)]])
}

/** The dashboard with one more panel, in the first free place. `id` is the panel's own. */
export function withPanel(dashboard: SavedObject, panel: NewPanel, id: string): SavedObject {
  const place = freePlace(layoutOf(dashboard), panel.size)
  const refName = `panel_${id}`
  const saved: Json = {
    type: panel.type,
    panelIndex: id,
    gridData: { ...place, i: id },
    ...(panel.title === undefined ? {} : { title: panel.title }),
    embeddableConfig: { ...panel.config, enhancements: {} },
    ...(panel.object ? { panelRefName: refName } : {}),
  }
  const references = [
    ...(panel.object ? [{ ...panel.object, name: `${id}:${refName}` }] : []),
    ...panel.references.map((reference) => ({ ...reference, name: `${id}:${reference.name}` })),
  ]
  const added = {
    ...withPanels(dashboard, [...panelsOf(dashboard), saved]),
    references: [...dashboard.references, ...references],
  }
  return withLayout(added, new Map([[id, place]]), memberAt(dashboard, id, place))
}

/** The dashboard with what one panel is replaced by; it keeps its place and what was set of the panel itself. */
export function withReplaced(dashboard: SavedObject, id: string, panel: NewPanel): SavedObject {
  const before = panelsOf(dashboard).find((one) => idOf(one) === id)
  const config = { ...jsonObject(before?.['embeddableConfig']), ...panel.config }
  const added = withPanel(withoutPanel(dashboard, id, { close: false }), { ...panel, config }, id)
  return withPanels(
    added,
    panelsOf(added).map((one) => (before && idOf(one) === id ? atPlaceOf(before, one) : one)),
  )
}

/** A panel of today in the place of one that may be of an older grid. */
function atPlaceOf(before: Json, panel: Json): Json {
  return { ...panel, gridData: { ...jsonObject(before['gridData']), ...savedPlace(before, 0) } }
}

/** The dashboard without a panel and its references; those below it rise unless the gap shall stay. */
export function withoutPanel(dashboard: SavedObject, id: string, options: { close?: boolean } = {}): SavedObject {
  const left = {
    ...withPanels(
      dashboard,
      panelsOf(dashboard).filter((panel) => idOf(panel) !== id),
    ),
    references: dashboard.references.filter(({ name }) => !name.startsWith(`${id}:`)),
  }
  return options.close === false ? left : withLayout(left, compacted(layoutOf(left)))
}

/** The dashboard with a second panel like one of its own. */
export function withCopy(dashboard: SavedObject, id: string, newId: string): SavedObject {
  const panel = panelsOf(dashboard).find((one) => idOf(one) === id)
  const place = layoutOf(dashboard).get(id)
  if (!panel || !place) return dashboard
  const free = freePlace(layoutOf(dashboard), place)
  const refName = text(panel['panelRefName'])
  // 7.x names the reference without the panel's id; the copy gets the newer form.
  const own = dashboard.references.filter(({ name }) => name.startsWith(`${id}:`) || name === refName)
  const renamed = (name: string): string =>
    (name.startsWith(`${id}:`) ? name.slice(id.length + 1) : name).replaceAll(id, newId)
  const copy = {
    ...panel,
    panelIndex: newId,
    gridData: { ...free, i: newId },
    ...(refName === undefined ? {} : { panelRefName: renamed(refName) }),
  }
  const references = own.map((reference) => ({ ...reference, name: `${newId}:${renamed(reference.name)}` }))
  const added = {
    ...withPanels(dashboard, [...panelsOf(dashboard), copy]),
    references: [...dashboard.references, ...references],
  }
  return withLayout(added, new Map([[newId, free]]), memberAt(dashboard, newId, free))
}

/** The dashboard with another title above one panel; an empty one hides it. */
export function withPanelTitle(dashboard: SavedObject, id: string, title: string): SavedObject {
  return withPanels(
    dashboard,
    panelsOf(dashboard).map((panel) => {
      if (idOf(panel) !== id) return panel
      const config = { ...jsonObject(panel['embeddableConfig']), hidePanelTitles: title === '' }
      return { ...panel, title, embeddableConfig: config }
    }),
  )
}

/** What the dashboard is set to. */
export function settingsOf(dashboard: SavedObject): DashboardSettings {
  const { attributes } = dashboard
  const query = jsonObject(searchSourceOf(dashboard)['query'])
  const [from, to] = [text(attributes['timeFrom']), text(attributes['timeTo'])]
  return {
    title: text(attributes['title']) ?? '',
    description: text(attributes['description']) ?? '',
    query: text(query['query']) ?? '',
    range: attributes['timeRestore'] === true && from && to ? { from, to } : undefined,
  }
}

/** The dashboard with other settings, and with filters of its own added. */
export function withSettings(
  dashboard: SavedObject,
  settings: DashboardSettings,
  filters: readonly FieldFilter[] = [],
): SavedObject {
  const source = searchSourceOf(dashboard)
  const before = jsonObject(source['query'])
  // A Lucene query that nobody touched stays one.
  const query = before['query'] === settings.query ? before : { query: settings.query, language: 'kuery' }
  const filter = [...jsonArray(source['filter']), ...filters.map(savedFilter)]
  const { timeFrom: _from, timeTo: _to, ...attributes } = dashboard.attributes
  return {
    ...dashboard,
    attributes: {
      ...attributes,
      title: settings.title,
      description: settings.description,
      timeRestore: settings.range !== undefined,
      ...(settings.range ? { timeFrom: settings.range.from, timeTo: settings.range.to } : {}),
      kibanaSavedObjectMeta: { searchSourceJSON: JSON.stringify({ ...source, query, filter }) },
    },
  }
}

function savedFilter(filter: FieldFilter): Json {
  const { negate = false, disabled = false, pinned: _pinned, ...positive } = filter
  const meta = { key: filter.field, negate, disabled, alias: null, type: 'custom' }
  return { meta, query: filterClause(positive), $state: { store: 'appState' } }
}

function searchSourceOf(dashboard: SavedObject): Json {
  return jsonObject(jsonObject(dashboard.attributes['kibanaSavedObjectMeta'])['searchSourceJSON'])
}

// Panels of 7.x may lack an index; their place in the list is their id, as it is when they are drawn.
function panelsOf(dashboard: SavedObject): Json[] {
  return jsonArray(dashboard.attributes['panelsJSON']).map((panel, at) =>
    text(panel['panelIndex']) === undefined ? { ...panel, panelIndex: String(at) } : panel,
  )
}

function idOf(panel: Json): string {
  return text(panel['panelIndex']) ?? ''
}

function withPanels(dashboard: SavedObject, panels: readonly Json[]): SavedObject {
  return { ...dashboard, attributes: { ...dashboard.attributes, panelsJSON: JSON.stringify(panels) } }
}
