import { randomBytes } from 'node:crypto'
import type { DataStreamMeta, IndexMeta } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import type { TableMeta } from '../model/table.ts'
import type { Collection, Store } from '../store/store.ts'
import { internMapping } from './intern-mapping.ts'

/** A table as it is kept: what others see of it, and the numbers to go on with. */
export interface TableRecord extends TableMeta {
  readonly nextColumn: number
  readonly nextSlot: number
}

/** An index that is gone from the catalogue, and whose rows may still lie in the engine. */
export interface Purge {
  readonly index: number
  readonly table: number
  readonly slot: number
}

/** What one transaction changes. */
export interface Changes {
  readonly indices?: readonly IndexMeta[]
  readonly removedIndices?: readonly IndexMeta[]
  readonly streams?: readonly DataStreamMeta[]
  readonly removedStreams?: readonly string[]
  readonly tables?: readonly TableRecord[]
  readonly removedTables?: readonly number[]
  readonly purges?: readonly Purge[]
  readonly donePurges?: readonly Purge[]
}

type StoredIndex = Omit<IndexMeta, 'mapping'>
type Counter = 'index' | 'table'

const clusterUuidKey = 'cluster_uuid'

/** A random identifier of 22 characters, as Elasticsearch makes them. */
export function newUuid(): string {
  return randomBytes(16).toString('base64url')
}

/**
 * The catalogue in memory, as it is on disk: changes are written first and seen after. One change at a time, so that each is worked out from
 * the state it changes.
 */
export class CatalogueState {
  readonly byName = new Map<string, IndexMeta>()
  readonly byId = new Map<number, IndexMeta>()
  readonly streams = new Map<string, DataStreamMeta>()
  readonly tables = new Map<number, TableRecord>()
  readonly purges = new Map<number, Purge>()
  /** Tables that are being dropped; no index is put into them any more. */
  readonly condemned = new Set<number>()
  /** Indices that are being restored: they have a place in their table, and nobody sees them. */
  readonly arriving = new Map<number, IndexMeta>()
  /** Of each table, by catalogue id, how many need its rows for the moment: none is removed, whatever index it was of. */
  readonly keptTables = new Map<number, number>()
  /** Tables that are gone, for readers that still hold an index of one: the engine then tells them so. */
  readonly dropped = new Map<number, TableRecord>()
  /** Rises with every change of indices, aliases and streams. */
  version = 0
  clusterUuid = ''
  private readonly store: Store
  private readonly indexRecords: Collection<StoredIndex>
  private readonly mappingRecords: Collection<Mapping>
  private readonly streamRecords: Collection<DataStreamMeta>
  private readonly tableRecords: Collection<TableRecord>
  private readonly purgeRecords: Collection<Purge>
  private readonly counters: Collection<number>
  private readonly identity: Collection<string>
  private last: Promise<unknown> = Promise.resolve()

  constructor(store: Store) {
    this.store = store
    this.indexRecords = store.collection('catalogue_index')
    this.mappingRecords = store.collection('catalogue_mapping')
    this.streamRecords = store.collection('catalogue_data_stream')
    this.tableRecords = store.collection('catalogue_table')
    this.purgeRecords = store.collection('catalogue_purge')
    this.counters = store.collection('catalogue_counter')
    this.identity = store.collection('catalogue_identity')
  }

  /** Reads everything from the store; gives the cluster its id at the first start. */
  async load(): Promise<void> {
    for (const [key, record] of this.indexRecords.entries()) {
      const index = { ...record, mapping: internMapping(this.mappingRecords.get(key) ?? {}) }
      this.byName.set(index.name, index)
      this.byId.set(index.id, index)
    }
    for (const [name, stream] of this.streamRecords.entries()) this.streams.set(name, stream)
    for (const [, table] of this.tableRecords.entries()) this.tables.set(table.id, table)
    for (const [, purge] of this.purgeRecords.entries()) this.purges.set(purge.index, purge)
    const known = this.identity.get(clusterUuidKey)
    this.clusterUuid = known ?? newUuid()
    if (known === undefined) await this.store.transaction(() => this.identity.put(clusterUuidKey, this.clusterUuid))
  }

  /** Runs changes one after another. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const result = this.last.then(work)
    // The next change does not care how this one ended; its caller does.
    this.last = result.catch(() => undefined)
    return result
  }

  /** No row of a table is removed until the function given back is called, once. */
  keepRows(tables: Iterable<number>): () => void {
    const kept = [...new Set(tables)]
    const count = (table: number, by: number): void => {
      const after = (this.keptTables.get(table) ?? 0) + by
      if (after === 0) this.keptTables.delete(table)
      else this.keptTables.set(table, after)
    }
    for (const table of kept) count(table, 1)
    return () => {
      for (const table of kept) count(table, -1)
    }
  }

  /** A number that was never given before; durable with the transaction that uses it at the latest. */
  async nextId(counter: Counter): Promise<number> {
    return this.store.transaction(() => {
      const next = (this.counters.get(counter) ?? 0) + 1
      this.counters.put(counter, next)
      return next
    })
  }

  /** Writes changes and then shows them. Only inside `exclusive`. */
  async commit(changes: Changes): Promise<void> {
    await this.store.transaction(() => this.write(changes))
    for (const index of changes.removedIndices ?? []) {
      this.byName.delete(index.name)
      this.byId.delete(index.id)
    }
    for (const index of changes.indices ?? []) {
      this.byName.set(index.name, index)
      this.byId.set(index.id, index)
    }
    for (const name of changes.removedStreams ?? []) this.streams.delete(name)
    for (const stream of changes.streams ?? []) this.streams.set(stream.name, stream)
    for (const id of changes.removedTables ?? []) {
      const table = this.tables.get(id)
      if (table !== undefined) this.dropped.set(id, table)
      this.tables.delete(id)
      this.condemned.delete(id)
    }
    for (const table of changes.tables ?? []) this.tables.set(table.id, table)
    for (const purge of changes.donePurges ?? []) this.purges.delete(purge.index)
    for (const purge of changes.purges ?? []) this.purges.set(purge.index, purge)
    this.version += 1
  }

  /** Writes a table without showing it: the engine has still to follow. Only inside `exclusive`. */
  async writeTable(table: TableRecord): Promise<void> {
    await this.store.transaction(() => this.tableRecords.put(String(table.id), table))
  }

  private write(changes: Changes): void {
    for (const { id } of changes.removedIndices ?? []) {
      this.indexRecords.remove(String(id))
      this.mappingRecords.remove(String(id))
    }
    for (const { mapping, ...record } of changes.indices ?? []) {
      this.indexRecords.put(String(record.id), record)
      if (this.byId.get(record.id)?.mapping !== mapping) this.mappingRecords.put(String(record.id), mapping)
    }
    for (const name of changes.removedStreams ?? []) this.streamRecords.remove(name)
    for (const stream of changes.streams ?? []) this.streamRecords.put(stream.name, stream)
    for (const id of changes.removedTables ?? []) this.tableRecords.remove(String(id))
    for (const table of changes.tables ?? []) this.tableRecords.put(String(table.id), table)
    for (const { index } of changes.donePurges ?? []) this.purgeRecords.remove(String(index))
    for (const purge of changes.purges ?? []) this.purgeRecords.put(String(purge.index), purge)
  }
}
