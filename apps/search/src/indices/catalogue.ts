import type { Value, ValueType } from '@logstack/rules'
import type { AliasMeta, DataStreamLifecycle, DataStreamMeta, IndexMeta, IndexSettings } from '../model/index-meta.ts'
import type { Mapping, ResolvedField } from '../model/mapping.ts'
import type { Column, NeededColumn, TableMeta } from '../model/table.ts'
import type { Collection } from '../store/store.ts'
import type { CompiledMapping } from './compiled-mapping.ts'
import type { OwnDocument } from './field-types/define-field-type.ts'
import type { ResolvedIndex, ResolveOptions } from './resolve.ts'
import type { SimulatedTemplate, SimulateRequest } from './templates.ts'

/** Where a write to a name goes. */
export interface WriteTarget {
  readonly index: IndexMeta
  /** Set when the name is a data stream: only `create` is allowed, `@timestamp` is required. */
  readonly dataStream: string | undefined
}

/** A value ready for its column, and what was ignored on the way. */
export interface FieldValue {
  readonly field: ResolvedField & { readonly valueType: ValueType }
  /** One or more; several go to the `many` column. */
  readonly values: readonly Value[]
}

/** One parsed document against one mapping: column values, and the mapping it needs if it brought new fields. */
export interface MappedDocument {
  readonly timeMs: number | undefined
  readonly values: readonly FieldValue[]
  readonly ignored: readonly string[]
  /** The wider mapping, when dynamic mapping added fields. */
  readonly mapping: Mapping | undefined
}

/** What the texts of a document's errors name: its id, and the bytes its source was parsed from (for line and column); and its routing. */
export interface DocumentOrigin extends OwnDocument {
  readonly bytes?: Buffer | undefined
}

export interface CreateIndexRequest {
  readonly name: string
  readonly settings?: Readonly<Record<string, unknown>>
  readonly mappings?: Mapping
  readonly aliases?: Readonly<Record<string, AliasMeta>>
  readonly dataStream?: string
  /** False: as asked for and nothing else, whatever templates match its name. */
  readonly fromTemplates?: boolean
}

/** An index to be restored: what it was. */
export interface RestoredIndexRequest extends CreateIndexRequest {
  readonly createdAtMs: number
}

/**
 * Search's own catalogue: what indices, data streams, aliases, templates, tables and columns exist. Kept in lmdb below the indices it
 * describes; tables are reconciled from it at start. Every change is durable when its promise resolves. Throws the search catalogue's errors.
 */
export interface Catalogue {
  readonly clusterUuid: string
  index(name: string): IndexMeta | undefined
  indexById(id: number): IndexMeta | undefined
  indices(): Iterable<IndexMeta>
  table(id: number): TableMeta
  /** Names, wildcards, exclusions (`-x`), aliases, data streams, date math (`<logs-{now/d}>`), `_all`; sorted by name. */
  resolve(expression: string, options: ResolveOptions): readonly ResolvedIndex[]
  /** Where documents written to `name` go; creates the index or data stream from templates when it is absent (`index.auto_create`). */
  writeTarget(name: string, options: { requireAlias: boolean; create: boolean }): Promise<WriteTarget>

  createIndex(request: CreateIndexRequest): Promise<IndexMeta>
  /** Hides the rows at once; they are purged in the background. */
  deleteIndex(index: IndexMeta): Promise<void>
  /**
   * Records of indices that are being restored, in their order: with numbers, a table and a place in it of their own, and as asked for, whatever
   * templates say. Nobody sees them before `addRestored`; until then the caller keeps their tables (`keepRows`).
   */
  prepareRestored(requests: readonly RestoredIndexRequest[]): Promise<IndexMeta[]>
  /** Shows restored indices and data streams, all at once. Closed indices of their names go. Throws when a name is taken otherwise. */
  addRestored(indices: readonly IndexMeta[], streams: readonly DataStreamMeta[]): Promise<void>
  /** No row of the tables, by catalogue id, is removed until the function given back is called, not even of indices that are deleted meanwhile. */
  keepRows(tables: Iterable<number>): () => void
  /** Whether the rows of some table are kept so. */
  keepsRows(): boolean
  /** Gives up what `prepareRestored` made. Rows that were put there are removed in the background. */
  forgetRestored(indices: readonly IndexMeta[]): void
  setState(index: IndexMeta, state: 'open' | 'close'): Promise<void>
  /** Merges as Elasticsearch does: only additions and changeable parameters, else `illegal_argument_exception`. */
  mergeMapping(index: IndexMeta, mapping: Mapping): Promise<IndexMeta>
  putSettings(index: IndexMeta, settings: Readonly<Record<string, unknown>>): Promise<IndexMeta>
  /** All changes at once; `removed` indices are deleted with them, so that an alias can take the name of one (`remove_index`). */
  putAliases(
    changes: readonly { index: IndexMeta; alias: string; meta: AliasMeta | undefined }[],
    removed?: readonly IndexMeta[],
  ): Promise<void>

  /** The searchable leaf fields of an index by path. */
  fields(index: IndexMeta): ReadonlyMap<string, ResolvedField>
  /** Parses one source against a mapping. Throws `document_parsing_exception`, `strict_dynamic_mapping_exception`, limits of fields and depth. */
  mapDocument(
    index: IndexMeta,
    mapping: Mapping,
    source: Readonly<Record<string, unknown>>,
    origin?: DocumentOrigin,
  ): MappedDocument
  /** A mapping of an index as its documents are read by it; undefined where the catalogue keeps none compiled. */
  compiledMapping(index: IndexMeta, mapping: Mapping): CompiledMapping | undefined
  /** The physical column of (path, type) in a table, if any document had a value there. */
  column(table: TableMeta, path: string, type: ValueType): Column | undefined
  /** Makes missing columns (catalogue first, then the engine), the array companion where `many`, the indexes where `indexed` and `pairs`. */
  ensureColumns(table: TableMeta, needed: readonly NeededColumn[]): Promise<TableMeta>

  /** Named documents of the catalogue: `index_template`, `component_template`, `template`, `ingest_pipeline`, `ilm_policy`, `script`, … */
  collection<T>(name: string): Collection<T>
  putIndexTemplate(name: string, template: unknown): Promise<void>
  /** Settings, mappings and aliases a new index of this name would get. */
  templateFor(
    name: string,
  ):
    | { settings: IndexSettings; mappings: Mapping; aliases: Readonly<Record<string, AliasMeta>>; dataStream: boolean }
    | undefined
  /** What templates would make of an index, or one of them of any; undefined when there is none. Nothing is changed. */
  simulateTemplate(request: SimulateRequest): SimulatedTemplate | undefined
  dataStream(name: string): DataStreamMeta | undefined
  dataStreams(): Iterable<DataStreamMeta>
  createDataStream(name: string): Promise<DataStreamMeta>
  deleteDataStream(name: string): Promise<void>
  /** Tries again to remove the rows of deleted indices; resolves when none is under way, with how many indices still have some, those aside whose rows find no room to be rewritten without. */
  purge(): Promise<number>
  /** Changes what a data stream keeps and for how long; undefined: nothing of its own. */
  putLifecycle(name: string, lifecycle: DataStreamLifecycle | undefined): Promise<void>
  /** New write index of a data stream. */
  rolloverDataStream(name: string): Promise<DataStreamMeta>
}
