/** A pointer from one saved object to another; the object's own JSON holds only the name. */
export interface SavedObjectReference {
  readonly name: string
  readonly type: string
  readonly id: string
}

/** A saved object as Kibana's API and export files show it. Fields that the dashboard does not know are kept as they came. */
export interface SavedObject {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly references: readonly SavedObjectReference[]
  readonly namespaces?: readonly string[]
  /** ISO 8601 */
  readonly updated_at?: string
  readonly created_at?: string
  /** Opaque text for optimistic concurrency: base64 of `[seqNo, primaryTerm]`. */
  readonly version?: string
  readonly managed?: boolean
  readonly originId?: string
  readonly coreMigrationVersion?: string
  readonly typeMigrationVersion?: string
  readonly migrationVersion?: Readonly<Record<string, string>>
}

/** The namespace (Kibana's space) all objects are in until spaces exist. */
export const defaultNamespace = 'default'

/** A saved object's document in the hidden index; its `_id` is `<namespace>:<type>:<id>`. */
export interface SavedObjectDocument {
  readonly type: string
  readonly id: string
  readonly namespace: string
  /** The object's title, at most 1024 characters, for sorting. */
  readonly title: string
  readonly created_at: string
  readonly updated_at: string
  readonly references: readonly SavedObjectReference[]
  readonly attributes: Readonly<Record<string, unknown>>
  /** Version and origin fields of the export, kept so that an export gives them back. */
  readonly origin: Readonly<Record<string, unknown>>
}

/** The hidden index of saved objects; owned by the dashboard. Attributes are stored, not indexed. */
export const savedObjectsIndex = {
  name: '.logstack-saved-objects',
  version: 1,
  properties: {
    type: { type: 'keyword' },
    id: { type: 'keyword' },
    namespace: { type: 'keyword' },
    title: { type: 'keyword', ignore_above: 1024 },
    created_at: { type: 'date' },
    updated_at: { type: 'date' },
    references: {
      properties: { name: { type: 'keyword' }, type: { type: 'keyword' }, id: { type: 'keyword' } },
    },
    attributes: { type: 'object', enabled: false },
    origin: { type: 'object', enabled: false },
  },
} as const
