import type { Mapping } from './mapping.ts'

/** A data stream's own lifecycle, as `PUT /_data_stream/{name}/_lifecycle` and templates have it. */
export interface DataStreamLifecycle {
  readonly enabled: boolean
  /** A time value (`30d`); absent: kept for ever. */
  readonly data_retention?: string
}

export interface DataStreamMeta {
  readonly name: string
  readonly timestampField: '@timestamp'
  /** Names of the backing indices, oldest first; the last is written to. */
  readonly indices: readonly string[]
  readonly generation: number
  readonly template: string
  readonly hidden: boolean
  readonly lifecycle?: DataStreamLifecycle
}

/** Every setting of an index under its full flat name without the `index.` prefix, values as text as Elasticsearch shows them. */
export type IndexSettings = Readonly<Record<string, string>>

export interface AliasMeta {
  readonly filter?: unknown
  readonly is_write_index?: boolean
  readonly is_hidden?: boolean
  readonly index_routing?: string
  readonly search_routing?: string
}

/** One index in the catalogue. Backing indices of data streams are indices too. */
export interface IndexMeta {
  /** Numeric id, never reused: the `_index` column. */
  readonly id: number
  readonly name: string
  readonly uuid: string
  /** The physical table that holds the rows of all indices of this family. */
  readonly table: number
  /** The partition of the table that new rows go to. */
  readonly slot: number
  readonly state: 'open' | 'close'
  readonly createdAtMs: number
  readonly settings: IndexSettings
  readonly mapping: Mapping
  /** Rises with every mapping change. */
  readonly mappingVersion: number
  readonly aliases: Readonly<Record<string, AliasMeta>>
  readonly hidden: boolean
  /** The data stream this index backs. */
  readonly dataStream?: string
}
