import { AppError, searchErrors } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Engine } from '../engine/engine.ts'
import { addColumnsSql } from '../engine/table-layout.ts'
import type { DataStreamLifecycle, DataStreamMeta, IndexMeta } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import { findColumn, type NeededColumn } from '../model/table.ts'
import type { Store } from '../store/store.ts'
import { type AliasChange, applyAliasChanges, checkWriteIndices } from './aliases.ts'
import type { Catalogue, CreateIndexRequest, RestoredIndexRequest, WriteTarget } from './catalogue.ts'
import { CatalogueState } from './catalogue-state.ts'
import { compileMapping } from './compiled-mapping.ts'
import { backingIndexName, checkNewStream, newStream, requireStream } from './data-streams.ts'
import { checkAnalyzers } from './field-words.ts'
import { checkIndexName, evaluateIndexName, noSuchIndex } from './index-names.ts'
import { mapDocument } from './map-document.ts'
import { checkMappingLimits, mappingLimits, mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'
import { checkNewIndex, makeIndex, purgeOf } from './new-index.ts'
import { purgeRows } from './purge-rows.ts'
import { createNameTable } from './resolve.ts'
import { resolvedFields } from './resolved-fields.ts'
import { addRestored, prepareRestored } from './restored-indices.ts'
import { changeSettings } from './settings.ts'
import { checkShardLimit, shardsTaken } from './shard-limit.ts'
import { lacks, reconcileTables, sizeOf, widenTable } from './tables.ts'
import { createTemplates, type Templates } from './templates.ts'
import { findTarget } from './write-target.ts'

/** What a catalogue works with. */
export interface CatalogueContext {
  readonly store: Store
  readonly engine: Engine
  /** Now, in epoch milliseconds. */
  readonly now: () => number
  readonly logger: Logger
}

/** Everything that changes the catalogue; each change alone, by `state.exclusive`. */
class CatalogueChanges {
  private readonly state: CatalogueState
  private readonly context: CatalogueContext
  private readonly templates: Templates
  private purging: Promise<void> | undefined
  /** Deleted indices whose rows find no room to be rewritten without. */
  waitingForRoom = 0

  constructor(state: CatalogueState, context: CatalogueContext, templates: Templates) {
    this.state = state
    this.context = context
    this.templates = templates
  }

  /** The index as it is now. Throws when it is gone. */
  private current(index: IndexMeta): IndexMeta {
    const found = this.state.byId.get(index.id)
    if (found === undefined) throw noSuchIndex(index.name)
    return found
  }

  private checkShards(added: number): void {
    checkShardLimit(this.context.store, this.state.byId.values(), added)
  }

  private update(index: IndexMeta, change: (current: IndexMeta) => IndexMeta): Promise<IndexMeta> {
    return this.state.exclusive(async () => {
      const current = this.current(index)
      const changed = change(current)
      if (changed !== current) await this.state.commit({ indices: [changed] })
      return changed
    })
  }

  /** Only inside `exclusive`. */
  private async addIndex(request: CreateIndexRequest): Promise<IndexMeta> {
    const name = evaluateIndexName(request.name, this.context.now())
    checkNewIndex(this.state, name)
    const template = request.fromTemplates === false ? undefined : this.templates.find(name)
    if (template?.dataStream === true && request.dataStream === undefined)
      throw new AppError(
        searchErrors.illegal_argument_exception,
        `cannot create index with name [${name}], because it matches with template [${template.name}] that creates data streams only, use create data stream api instead`,
      )
    const index = await makeIndex(this.state, this.context, { ...request, name }, template)
    checkWriteIndices(this.state, [index])
    await this.state.commit({ indices: [index] })
    return index
  }

  createIndex(request: CreateIndexRequest): Promise<IndexMeta> {
    return this.state.exclusive(() => this.addIndex(request))
  }

  prepareRestored(requests: readonly RestoredIndexRequest[]): Promise<IndexMeta[]> {
    return this.state.exclusive(() => prepareRestored(this.state, this.context, requests))
  }

  async addRestored(indices: readonly IndexMeta[], streams: readonly DataStreamMeta[]): Promise<void> {
    await this.state.exclusive(() => addRestored(this.state, indices, streams))
    this.startPurge()
  }

  /** Only inside `exclusive`. */
  private async addStream(name: string): Promise<DataStreamMeta> {
    const template = checkNewStream(this.state, name, this.templates.find(name))
    const backing = backingIndexName(name, 1, this.context.now())
    const index = await makeIndex(this.state, this.context, { name: backing, dataStream: name }, template)
    const stream = newStream(name, backing, template)
    await this.state.commit({ indices: [index], streams: [stream] })
    return stream
  }

  createDataStream(name: string): Promise<DataStreamMeta> {
    return this.state.exclusive(() => this.addStream(name))
  }

  rolloverDataStream(name: string): Promise<DataStreamMeta> {
    return this.state.exclusive(async () => {
      const stream = requireStream(this.state, name)
      const generation = stream.generation + 1
      const backing = backingIndexName(name, generation, this.context.now())
      const index = await makeIndex(
        this.state,
        this.context,
        { name: backing, dataStream: name },
        this.templates.find(name),
      )
      const before = this.state.byName.get(stream.indices.at(-1) ?? '')
      const inherited = { ...index, aliases: { ...before?.aliases, ...index.aliases } }
      const changed = { ...stream, generation, indices: [...stream.indices, backing] }
      await this.state.commit({ indices: [inherited], streams: [changed] })
      return changed
    })
  }

  putLifecycle(name: string, lifecycle: DataStreamLifecycle | undefined): Promise<void> {
    return this.state.exclusive(async () => {
      const { lifecycle: _before, ...stream } = requireStream(this.state, name)
      await this.state.commit({ streams: [lifecycle === undefined ? stream : { ...stream, lifecycle }] })
    })
  }

  /** Makes what a write to an absent name needs, unless somebody else just did. */
  autoCreate(name: string, find: () => WriteTarget | undefined): Promise<WriteTarget> {
    return this.state.exclusive(async () => {
      const existing = find()
      if (existing !== undefined) return existing
      checkIndexName(name)
      if (this.templates.find(name)?.dataStream === true) await this.addStream(name)
      else await this.addIndex({ name })
      const made = find()
      if (made === undefined) throw new Error(`BUG: ${name} was made and cannot be found`)
      return made
    })
  }

  async deleteIndex(index: IndexMeta): Promise<void> {
    await this.state.exclusive(async () => {
      const current = this.current(index)
      const stream = current.dataStream === undefined ? undefined : this.state.streams.get(current.dataStream)
      const streams = stream ? [{ ...stream, indices: stream.indices.filter((name) => name !== current.name) }] : []
      await this.state.commit({ removedIndices: [current], streams, purges: [purgeOf(current)] })
    })
    this.startPurge()
  }

  async deleteDataStream(name: string): Promise<void> {
    await this.state.exclusive(async () => {
      const stream = requireStream(this.state, name)
      const indices = stream.indices.flatMap((index) => this.state.byName.get(index) ?? [])
      await this.state.commit({ removedIndices: indices, removedStreams: [name], purges: indices.map(purgeOf) })
    })
    this.startPurge()
  }

  /** Deletes the rows of gone indices in the background; what fails is tried again with the next deletion and at the next start. */
  startPurge(): void {
    if (this.purging !== undefined || this.state.purges.size === 0) return
    this.purging = purgeRows(this.state, this.context.engine)
      .then((waiting) => {
        this.waitingForRoom = waiting
      })
      .catch((thrown: unknown) => {
        this.context.logger.warn({ err: thrown }, 'rows of deleted indices could not be purged; trying again later')
      })
      .finally(() => {
        this.purging = undefined
      })
  }

  /** Resolves when no purge is under way. */
  async purged(): Promise<void> {
    await this.purging
  }

  setState(index: IndexMeta, state: 'open' | 'close'): Promise<IndexMeta> {
    return this.update(index, (current) => {
      if (current.state === state) return current
      if (state === 'open') this.checkShards(shardsTaken(current.settings))
      return { ...current, state }
    })
  }

  mergeMapping(index: IndexMeta, given: Mapping): Promise<IndexMeta> {
    const checked = parseMapping(given)
    return this.update(index, (current) => {
      const mapping = mergeMappings(current.mapping, checked)
      if (sameMapping(mapping, current.mapping)) return current
      checkMappingLimits(mapping, mappingLimits(current.settings))
      checkAnalyzers(mapping, current.settings)
      return { ...current, mapping, mappingVersion: current.mappingVersion + 1 }
    })
  }

  putSettings(index: IndexMeta, given: Readonly<Record<string, unknown>>): Promise<IndexMeta> {
    return this.update(index, (current) => {
      const settings = changeSettings(current.settings, given, current)
      if (current.state === 'open') this.checkShards(shardsTaken(settings) - shardsTaken(current.settings))
      return { ...current, settings, hidden: settings['hidden'] === 'true' }
    })
  }

  async putAliases(changes: readonly AliasChange[], removed: readonly IndexMeta[]): Promise<void> {
    await this.state.exclusive(async () => {
      const leaving = removed.map((index) => this.current(index))
      const indices = applyAliasChanges(this.state, changes, leaving)
      await this.state.commit({ indices, removedIndices: leaving, purges: leaving.map(purgeOf) })
    })
    this.startPurge()
  }

  ensureColumns(tableId: number, needed: readonly NeededColumn[]): Promise<void> {
    return this.state.exclusive(async () => {
      const record = this.state.tables.get(tableId)
      if (record === undefined) throw new Error(`BUG: there is no table ${tableId}`)
      const { table, added } = widenTable(record, needed)
      if (added.length === 0) return
      const statement = addColumnsSql(table.name, added, [sizeOf(record), sizeOf(table)])
      // On disk first: a column in the engine that the catalogue does not know would be made again under another number. Seen by others only
      // when the engine has it.
      await this.state.writeTable(table)
      // Should the engine refuse, its half-made columns keep their numbers for themselves.
      this.state.tables.set(record.id, { ...record, nextColumn: table.nextColumn })
      if (statement !== undefined) await this.context.engine.execute(statement)
      this.state.tables.set(table.id, table)
    })
  }
}

function sameMapping(a: Mapping, b: Mapping): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** The catalogue, and what only its owner may do with it. */
export interface OwnedCatalogue extends Catalogue {
  /** Resolves when the rows of deleted indices are gone, or their deletion failed. */
  purged(): Promise<void>
}

/**
 * Opens the catalogue in a store: reads it, brings the engine's tables in line with it, and goes on with deletions that a stop interrupted.
 */
export async function createCatalogue(context: CatalogueContext): Promise<OwnedCatalogue> {
  const { store, engine, now } = context
  const state = new CatalogueState(store)
  await state.load()
  await reconcileTables(state, engine)
  const templates = createTemplates(store)
  const names = createNameTable(state, now)
  const changes = new CatalogueChanges(state, context, templates)
  changes.startPurge()

  function table(id: number) {
    const found = state.tables.get(id) ?? state.dropped.get(id)
    if (found === undefined) throw new Error(`BUG: there is no table ${id}`)
    return found
  }

  return {
    ...restoring(state, changes),
    clusterUuid: state.clusterUuid,
    index: (name) => state.byName.get(name),
    indexById: (id) => state.byId.get(id),
    indices: () => state.byName.values(),
    table,
    resolve: (expression, options) => names.resolve(expression, options),
    async writeTarget(given, { requireAlias, create }) {
      const name = evaluateIndexName(given, now())
      const find = () => findTarget(state, names, name, requireAlias)
      const found = find()
      if (found !== undefined) return found
      if (!create) throw noSuchIndex(name)
      return changes.autoCreate(name, find)
    },
    createIndex: (request) => changes.createIndex(request),
    deleteIndex: (index) => changes.deleteIndex(index),
    async setState(index, to) {
      await changes.setState(index, to)
    },
    mergeMapping: (index, mapping) => changes.mergeMapping(index, mapping),
    putSettings: (index, settings) => changes.putSettings(index, settings),
    putAliases: (given, removed = []) => changes.putAliases(given, removed),
    fields: (index) => resolvedFields(index),
    compiledMapping: (index, mapping) => compileMapping(mapping, index.settings),
    mapDocument: (index, mapping, source, origin) => mapDocument(mapping, index.settings, source, origin),
    column: (meta, path, type) => findColumn(table(meta.id), path, type),
    async ensureColumns(meta, needed) {
      if (lacks(table(meta.id), needed)) await changes.ensureColumns(meta.id, needed)
      return table(meta.id)
    },
    collection: (name) => store.collection(name),
    putIndexTemplate: (name, template) => templates.put(name, template),
    templateFor: (name) => templates.find(name),
    simulateTemplate: (request) => templates.simulate(request),
    dataStream: (name) => state.streams.get(name),
    dataStreams: () => state.streams.values(),
    createDataStream: (name) => changes.createDataStream(name),
    deleteDataStream: (name) => changes.deleteDataStream(name),
    rolloverDataStream: (name) => changes.rolloverDataStream(name),
    async purge() {
      changes.startPurge()
      await changes.purged()
      return Math.max(0, state.purges.size - changes.waitingForRoom)
    },
    putLifecycle: (name, lifecycle) => changes.putLifecycle(name, lifecycle),
    purged: () => changes.purged(),
  }
}

/** What restoring takes of the catalogue. */
function restoring(
  state: CatalogueState,
  changes: CatalogueChanges,
): Pick<Catalogue, 'prepareRestored' | 'addRestored' | 'forgetRestored' | 'keepRows' | 'keepsRows'> {
  return {
    prepareRestored: (requests) => changes.prepareRestored(requests),
    addRestored: (indices, restored) => changes.addRestored(indices, restored),
    keepRows(tables) {
      const release = state.keepRows(tables)
      return () => {
        release()
        changes.startPurge()
      }
    },
    forgetRestored(indices) {
      for (const { id } of indices) state.arriving.delete(id)
    },
    keepsRows: () => state.keptTables.size > 0,
  }
}
