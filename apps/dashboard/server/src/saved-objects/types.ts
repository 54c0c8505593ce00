import type { SavedObject } from '@logstack/contracts'

/** A type of saved object that may be kept, and what management shows of it. */
export interface SavedObjectType {
  readonly icon: string
  /** The attribute that is the object's title. */
  readonly titleField: string
}

const titled = (icon: string): SavedObjectType => ({ icon, titleField: 'title' })

/** All types that can be kept, imported and exported; others are `unsupported_type`. */
export const savedObjectTypes: Readonly<Record<string, SavedObjectType>> = {
  'canvas-workpad': { icon: 'canvasApp', titleField: 'name' },
  config: { icon: 'gear', titleField: 'buildNum' },
  dashboard: titled('dashboardApp'),
  'event-annotation-group': titled('flag'),
  'graph-workspace': titled('graphApp'),
  'index-pattern': titled('indexPatternApp'),
  lens: titled('lensApp'),
  links: titled('link'),
  map: titled('gisApp'),
  query: titled('search'),
  search: titled('discoverApp'),
  tag: { icon: 'tag', titleField: 'name' },
  'timelion-sheet': titled('timelionApp'),
  url: { icon: 'link', titleField: 'url' },
  visualization: titled('visualizeApp'),
}

/** The attributes that are titles, of all types. */
export const titleFields: readonly string[] = [
  ...new Set(Object.values(savedObjectTypes).map(({ titleField }) => titleField)),
]

/** The title people see; the id when the object has none. */
export function titleOf(object: Pick<SavedObject, 'type' | 'id' | 'attributes'>): string {
  const title = object.attributes[savedObjectTypes[object.type]?.titleField ?? 'title']
  return typeof title === 'string' && title !== '' ? title : object.id
}

/** What management and import answers say of an object. */
export function metaOf(object: Pick<SavedObject, 'type' | 'id' | 'attributes'>): { title: string; icon: string } {
  return { title: titleOf(object), icon: savedObjectTypes[object.type]?.icon ?? 'document' }
}
