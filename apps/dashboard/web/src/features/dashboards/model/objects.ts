import type { SavedObject, SavedObjectReference } from '@logstack/contracts'
import { noteCalculated } from '../../../api/calculated-fields.ts'
import { request } from '../../../api/client.ts'
import { fieldFormatsOf } from '../../../kibana/field-formats.ts'
import { type FieldNames, fieldNamesOf } from '../../../kibana/field-names.ts'
import { type RuntimeFields, runtimeFieldsOf } from '../../../kibana/runtime-fields.ts'
import { text } from '../../../kibana/saved-json.ts'
import { sourceFiltersOf } from '../../../kibana/source-filters.ts'
import type { FieldFormats } from '../../../kibana/value-format.ts'

/** Saved objects by `type:id`. */
export type ObjectMap = ReadonlyMap<string, SavedObject>

const depthMax = 4
// Links point at other dashboards: their titles are needed, what is on them is not.
const leafTypes = new Set(['dashboard', 'index-pattern', 'tag'])

/** Loads everything a dashboard points at, however deep, in as few requests as there are levels. */
export async function loadReferenced(dashboard: SavedObject, signal?: AbortSignal): Promise<ObjectMap> {
  const objects = new Map<string, SavedObject>()
  let next: readonly SavedObjectReference[] = dashboard.references
  for (let depth = 0; depth < depthMax && next.length > 0; depth++) {
    const keys = [...new Map(next.map(({ type, id }) => [`${type}:${id}`, { type, id }])).entries()]
      .filter(([key]) => !objects.has(key))
      .map(([, key]) => key)
    if (keys.length === 0) break
    const answer = await request<{ saved_objects: (SavedObject & { error?: unknown })[] }>(
      'api/saved_objects/_bulk_get',
      { method: 'POST', json: keys, signal },
    )
    const found = answer.saved_objects.filter((object) => object.error === undefined)
    noteCalculated(found.flatMap(calculatedBy))
    for (const object of found) objects.set(`${object.type}:${object.id}`, object)
    next = found.filter((object) => !leafTypes.has(object.type)).flatMap((object) => object.references)
  }
  return objects
}

function calculatedBy({ type, id, attributes }: SavedObject): { id: string; title: string; runtime: RuntimeFields }[] {
  const title = type === 'index-pattern' ? text(attributes['title']) : undefined
  return title === undefined ? [] : [{ id, title, runtime: runtimeFieldsOf(attributes) }]
}

/** Where a panel's data lives. */
export interface DataSource {
  readonly index: string
  readonly timeField: string | undefined
  readonly formats?: FieldFormats
  readonly names?: FieldNames
  /** Fields that documents are shown without, with wildcards. */
  readonly leavesOut?: readonly string[]
}

/** The index pattern with an id. One that is not stored is taken literally, so that a dashboard without its pattern still draws. */
export function dataSourceOf(id: string | undefined, objects: ObjectMap): DataSource {
  const pattern = id === undefined ? undefined : objects.get(`index-pattern:${id}`)
  if (!pattern) return { index: id ?? 'logs-*', timeField: '@timestamp' }
  const formats = fieldFormatsOf(pattern.attributes)
  const names = fieldNamesOf(pattern.attributes)
  const leavesOut = sourceFiltersOf(pattern.attributes)
  return {
    index: text(pattern.attributes['title']) ?? pattern.id,
    timeField: text(pattern.attributes['timeFieldName']),
    ...(formats ? { formats } : {}),
    ...(names ? { names } : {}),
    ...(leavesOut.length > 0 ? { leavesOut } : {}),
  }
}
