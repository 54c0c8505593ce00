import type { SavedObject } from '@logstack/contracts'
import { type Json, jsonArray, jsonObject, number, text, texts } from '../../../kibana/saved-json.ts'
import type { FieldFilter } from '../../../url-state/field-filters.ts'
import { type DataSource, dataSourceOf, type ObjectMap } from './objects.ts'
import type { PanelModel } from './panel-model.ts'

/** One control of a dashboard: its reader chooses values of a field, or a range of them. */
export interface ControlModel extends DataSource {
  readonly id: string
  readonly label: string
  readonly kind: 'list' | 'range'
  readonly field: string
  /** Whether several values may be chosen. */
  readonly multiple: boolean
  /** Values offered. */
  readonly size: number
  /** Controls whose choice narrows what this one offers. */
  readonly parents: readonly string[]
  /** The choice the control was saved with. */
  readonly saved: FieldFilter | undefined
}

const listSize = 100

/** The controls above a dashboard (Kibana 8 and 9). In a hierarchy each narrows those after it. Kinds without a field are left out. */
export function controlGroupOf(dashboard: SavedObject, objects: ObjectMap): ControlModel[] {
  const group = jsonObject(dashboard.attributes['controlGroupInput'])
  const isChained = group['chainingSystem'] !== 'NONE'
  const panels = Object.entries(jsonObject(group['panelsJSON']))
    .map(([id, panel]) => ({ id, panel: jsonObject(panel) }))
    .sort((left, right) => (number(left.panel['order']) ?? 0) - (number(right.panel['order']) ?? 0))
  return panels.flatMap(({ id, panel }, at) => {
    const input = jsonObject(panel['explicitInput'])
    const kind = groupKinds[text(panel['type']) ?? '']
    const field = text(input['fieldName'])
    if (!kind || field === undefined) return []
    const reference = dashboard.references.find(({ name }) => name.startsWith(`controlGroup_${id}:`))
    const pattern = reference?.id ?? text(input['dataViewId'])
    return [
      {
        ...dataSourceOf(pattern, objects),
        id,
        label: text(input['title']) || field,
        kind,
        field,
        multiple: input['singleSelect'] !== true,
        size: listSize,
        parents: isChained ? panels.slice(0, at).map((before) => before.id) : [],
        saved: savedChoice(kind, field, input),
      },
    ]
  })
}

const groupKinds: Readonly<Record<string, ControlModel['kind']>> = {
  optionsListControl: 'list',
  rangeSliderControl: 'range',
}

function savedChoice(kind: ControlModel['kind'], field: string, input: Json): FieldFilter | undefined {
  const negate = input['exclude'] === true ? { negate: true } : {}
  if (kind === 'list') {
    const values = texts(input['selectedOptions'])
    if (values.length > 0) return { field, values, ...negate }
    return input['existsSelected'] === true ? { field, ...negate } : undefined
  }
  const [from, to] = Array.isArray(input['value']) ? input['value'].map(number) : []
  const range = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lte: to }) }
  return Object.keys(range).length > 0 ? { field, range } : undefined
}

/** The controls of a legacy input-controls panel; a list may name one other as its parent. */
export function inputControlsOf(panel: PanelModel, objects: ObjectMap): ControlModel[] {
  const saved = jsonObject(panel.attributes['savedVis'] ?? panel.attributes['visState'])
  return jsonArray(jsonObject(saved['params'])['controls']).flatMap((control, at) => {
    const field = text(control['fieldName'])
    if (field === undefined || field === '') return []
    const options = jsonObject(control['options'])
    const referenceName = text(control['indexPatternRefName'])
    const pattern = panel.references.find(({ name }) => name === referenceName)?.id ?? text(control['indexPattern'])
    const parent = text(control['parent'])
    return [
      {
        ...dataSourceOf(pattern, objects),
        id: text(control['id']) ?? `${panel.id}-${at}`,
        label: text(control['label']) || field,
        kind: control['type'] === 'range' ? ('range' as const) : ('list' as const),
        field,
        multiple: options['multiselect'] !== false,
        // A list that looks its values up while its reader types says so and holds more than its size.
        size: options['dynamicOptions'] === true ? listSize : (number(options['size']) ?? listSize),
        parents: parent ? [parent] : [],
        saved: undefined,
      },
    ]
  })
}
