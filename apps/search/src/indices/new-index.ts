import { AppError, searchErrors } from '@logstack/errors'
import { analysisOf } from '../analysis/analysis.ts'
import type { Engine } from '../engine/engine.ts'
import type { AliasMeta, IndexMeta, IndexSettings } from '../model/index-meta.ts'
import type { Store } from '../store/store.ts'
import { checkAliases } from './aliases.ts'
import type { CreateIndexRequest } from './catalogue.ts'
import { type CatalogueState, newUuid, type Purge } from './catalogue-state.ts'
import { streamMapping } from './data-streams.ts'
import { checkAnalyzers } from './field-words.ts'
import { checkIndexName } from './index-names.ts'
import { checkIndexSort } from './index-sort.ts'
import { internMapping } from './intern-mapping.ts'
import { checkMappingLimits, mappingLimits, mergeMappings } from './mapping-merge.ts'
import { parseMapping } from './mapping-parse.ts'
import { newIndexSettings, parseSettings } from './settings.ts'
import { checkShardLimit, shardsTaken } from './shard-limit.ts'
import { chooseSlot, familyOf, isSmallSlot, tableOf } from './tables.ts'
import type { TemplateResult } from './templates.ts'

/** What making an index works with: the clock, in epoch milliseconds, the engine that gets its table, and the cluster's settings. */
export interface NewIndexContext {
  readonly store: Pick<Store, 'collection'>
  readonly now: () => number
  readonly engine: Engine
}

/** The number Elasticsearch 8.19 writes into `index.version.created`. */
const createdVersion = '8536000'

/** Throws when no new index may be called so. */
export function checkNewIndex(state: CatalogueState, name: string): void {
  checkIndexName(name)
  const existing = state.byName.get(name)
  if (existing !== undefined)
    throw new AppError(
      searchErrors.resource_already_exists_exception,
      `index [${name}/${existing.uuid}] already exists`,
      { detail: { index_uuid: existing.uuid, index: name } },
    )
  const carriers = [...state.byName.values()].some((index) => Object.hasOwn(index.aliases, name))
  const taken = carriers ? 'alias' : state.streams.has(name) ? 'data stream' : undefined
  if (taken !== undefined)
    throw new AppError(
      searchErrors.invalid_index_name_exception,
      `Invalid index name [${name}], already exists as ${taken}`,
      { detail: { index_uuid: '_na_', index: name } },
    )
}

/** Before, an index may be about to grow. */
const settledMs = 3_600_000

/** Makes the record of a new index, with its table in the engine; not yet in the catalogue. Only inside `exclusive`. */
export async function makeIndex(
  state: CatalogueState,
  { now, engine, store }: NewIndexContext,
  request: CreateIndexRequest,
  template: TemplateResult | undefined,
): Promise<IndexMeta> {
  const { name, dataStream } = request
  const nowMs = now()
  const uuid = newUuid()
  const settings = {
    ...newIndexSettings,
    ...template?.settings,
    ...(dataStream === undefined ? {} : { hidden: 'true' }),
    ...parseSettings(request.settings ?? {}),
    creation_date: String(nowMs),
    provided_name: name,
    uuid,
    'version.created': createdVersion,
  }
  const merged = mergeMappings(template?.mappings ?? {}, parseMapping(request.mappings), 'template')
  const mapping = internMapping(dataStream === undefined ? merged : streamMapping(merged))
  checkMappingLimits(mapping, mappingLimits(settings))
  analysisOf(settings).check()
  checkAnalyzers(mapping, settings)
  checkIndexSort(name, mapping, settings)
  checkShardSelection(name, settings)
  checkShardLimit(store, [...state.byId.values(), ...state.arriving.values()], shardsTaken(settings))
  const aliases = namedAliases({ ...template?.aliases, ...request.aliases }, name)
  checkAliases(state, name, Object.keys(aliases))
  const id = await state.nextId('index')
  const table = await tableOf(state, engine, familyOf(name, dataStream))
  const sisters = [...state.byId.values(), ...state.arriving.values()].filter((index) => index.table === table.id)
  const inUse = sisters.map((index) => index.slot)
  const staysSmall = async (each: number): Promise<boolean> =>
    isSettled(sisters, each, nowMs) && (await isSmallSlot(engine, table.name, each))
  const { slot, nextSlot } = await chooseSlot(table, inUse, staysSmall)
  if (nextSlot !== table.nextSlot) await state.commit({ tables: [{ ...table, nextSlot }] })
  return {
    id,
    name,
    uuid,
    table: table.id,
    slot,
    state: 'open',
    createdAtMs: nowMs,
    settings,
    mapping,
    mappingVersion: 1,
    aliases,
    hidden: settings['hidden'] === 'true',
    ...(dataStream === undefined ? {} : { dataStream }),
  }
}

/** Whether the indices of a slot are old enough to tell how large they become: those that are made in quick succession may all still grow. */
function isSettled(indices: readonly IndexMeta[], slot: number, nowMs: number): boolean {
  return indices.every((index) => index.slot !== slot || nowMs - index.createdAtMs >= settledMs)
}

/** The note that the rows of an index must go. */
export function purgeOf({ id, table, slot }: IndexMeta): Purge {
  return { index: id, table, slot }
}

/** With one shard there is none to select, but what OpenSearch refuses is refused. */
function checkShardSelection(name: string, settings: IndexSettings): void {
  const selects = settings['bulk.adaptive_shard_selection.enabled'] === 'true'
  if (!selects || settings['append_only.enabled'] === 'true') return
  const reason = `index [${name}] is not append-only index, bulk adaptive shard selection is enabled, which is not supported. Please disable bulk adaptive shard selection or set index to append-only index.`
  throw new AppError(searchErrors.illegal_argument_exception, reason)
}

function namedAliases(aliases: Readonly<Record<string, AliasMeta>>, index: string): Record<string, AliasMeta> {
  return Object.fromEntries(Object.entries(aliases).map(([name, meta]) => [name.replaceAll('{index}', index), meta]))
}
