import type { SavedObject, SavedObjectReference } from '@logstack/contracts'
import { type Json, jsonArray, jsonObject, text } from '../../../kibana/saved-json.ts'
import type { TimeRange } from '../../../time/time-range.ts'
import { type ControlModel, controlGroupOf } from './controls.ts'
import type { ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'
import { type SavedNarrowing, savedNarrowings } from './saved-narrowing.ts'
import { savedPlace } from './saved-place.ts'
import { laidOutWithSections } from './sections.ts'
import { type TimeSliderModel, timeSliderOf } from './time-slice.ts'
import { type VariableControlModel, variableControlsOf } from './variable-controls.ts'

/** A dashboard, ready to be drawn. */
export interface DashboardModel {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The range it was saved with, if it restores one. */
  readonly range: TimeRange | undefined
  /** The query and the filters it was saved with. */
  readonly narrowings: readonly SavedNarrowing[]
  readonly controls: readonly ControlModel[]
  readonly variables: readonly VariableControlModel[]
  readonly timeSlider: TimeSliderModel | undefined
  readonly panels: readonly PanelModel[]
  /** Whether what it was saved with says nothing of its panels that can be read: it may have some. */
  readonly isUnreadable: boolean
}

/** Reads a dashboard object of Kibana 5 to 9. */
export function dashboardOf(object: SavedObject, objects: ObjectMap): DashboardModel {
  const { attributes } = object
  const options = jsonObject(attributes['optionsJSON'])
  const source = jsonObject(jsonObject(attributes['kibanaSavedObjectMeta'])['searchSourceJSON'])
  const from = text(attributes['timeFrom'])
  const to = text(attributes['timeTo'])
  return {
    id: object.id,
    title: text(attributes['title']) ?? object.id,
    description: text(attributes['description']) ?? '',
    range: attributes['timeRestore'] === true && from && to ? { from, to } : undefined,
    narrowings: savedNarrowings(source),
    controls: controlGroupOf(object, objects),
    variables: variableControlsOf(object),
    timeSlider: timeSliderOf(object),
    isUnreadable: !isListOfPanels(attributes['panelsJSON']),
    panels: laidOutWithSections(
      jsonArray(attributes['panelsJSON']).map((panel, index) => ({
        panel: panelOf(panel, index, object, objects, options),
        section: text(jsonObject(panel['gridData'])['sectionId']),
      })),
      attributes['sections'],
    ),
  }
}

function isListOfPanels(saved: unknown): boolean {
  if (saved === undefined || saved === '' || Array.isArray(saved)) return true
  try {
    return typeof saved === 'string' && Array.isArray(JSON.parse(saved))
  } catch {
    return false
  }
}

function panelOf(panel: Json, index: number, dashboard: SavedObject, objects: ObjectMap, options: Json): PanelModel {
  const id = text(panel['panelIndex']) ?? String(index)
  const config = jsonObject(panel['embeddableConfig'])
  const own = dashboard.references
    .filter(({ name }) => name.startsWith(`${id}:`))
    .map((reference) => ({ ...reference, name: reference.name.slice(id.length + 1) }))
  const drawn = byValue(panel, config) ?? byReference(panel, own, dashboard, objects)
  const title = text(panel['title']) ?? text(config['title']) ?? text(drawn.attributes['title']) ?? ''
  const hidden =
    config['hidePanelTitles'] === true || config['hide_title'] === true || options['hidePanelTitles'] === true
  return {
    id,
    kind: drawn.kind,
    title: hidden ? '' : title,
    place: savedPlace(panel, index),
    attributes: drawn.attributes,
    config,
    references: [...own, ...drawn.references],
  }
}

interface Drawn {
  readonly kind: string
  readonly attributes: Json
  readonly references: readonly SavedObjectReference[]
}

function byValue(panel: Json, config: Json): Drawn | undefined {
  const type = text(panel['type']) ?? ''
  const savedVis = jsonObject(config['savedVis'])
  if (Object.keys(savedVis).length > 0) {
    return { kind: text(savedVis['type']) ?? 'visualization', attributes: { title: '', savedVis }, references: [] }
  }
  if (config['attributes'] === undefined) return undefined
  const attributes = jsonObject(config['attributes'])
  return { kind: kindOf(type, attributes), attributes, references: referencesIn(attributes['references']) }
}

function byReference(
  panel: Json,
  own: readonly SavedObjectReference[],
  dashboard: SavedObject,
  objects: ObjectMap,
): Drawn {
  const refName = text(panel['panelRefName'])
  const reference =
    own.find(({ name }) => name === refName || name === 'savedObjectRef') ??
    dashboard.references.find(({ name }) => name === refName)
  const type = reference?.type ?? text(panel['type']) ?? 'unknown'
  const id = reference?.id ?? text(panel['id'])
  const object = objects.get(`${type}:${id}`)
  if (!object) return { kind: 'missing', attributes: { type, id: id ?? refName ?? '' }, references: [] }
  return { kind: kindOf(type, object.attributes), attributes: object.attributes, references: object.references }
}

function kindOf(type: string, attributes: Json): string {
  if (type === 'lens' || type === 'vis') return lensKind(attributes)
  if (type === 'visualization' || type === 'legacy_vis') {
    return text(jsonObject(attributes['visState'])['type']) ?? 'visualization'
  }
  return type === 'discover_session' ? 'search' : type
}

// Until Kibana 8.4 `lnsMetric` was what is called `lnsLegacyMetric` since.
function lensKind(attributes: Json): string {
  const kind = text(attributes['visualizationType']) ?? 'lens'
  const visualization = jsonObject(jsonObject(attributes['state'])['visualization'])
  return kind === 'lnsMetric' && visualization['accessor'] !== undefined ? 'lnsLegacyMetric' : kind
}

function referencesIn(value: unknown): SavedObjectReference[] {
  return jsonArray(value).map((reference) => ({
    name: text(reference['name']) ?? '',
    type: text(reference['type']) ?? '',
    id: text(reference['id']) ?? '',
  }))
}
