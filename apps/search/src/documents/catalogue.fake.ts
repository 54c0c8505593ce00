import { AppError, searchErrors } from '@logstack/errors'
import type { Value, ValueType } from '@logstack/rules'
import type { Engine } from '../engine/engine.ts'
import { addColumnsSql, createTableSql } from '../engine/table-layout.ts'
import type { Catalogue, FieldValue, MappedDocument } from '../indices/catalogue.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { Mapping } from '../model/mapping.ts'
import type { Column, TableMeta } from '../model/table.ts'
import type { Store } from '../store/store.ts'

/** The few things the write path asks of the catalogue, for its tests. */
export interface FakeCatalogue extends Catalogue {
  /** Called before a mapping is merged; what it throws is the merge's answer. */
  beforeMerge: (index: IndexMeta, mapping: Mapping) => void
}

const valueTypes: Readonly<Record<string, ValueType>> = {
  string: 'string',
  number: 'long',
  bigint: 'long',
  boolean: 'boolean',
}

/** Names starting with `stream-` are data streams; `closed` and `blocked` are what they say; all share one table with slot 0. */
export async function createFakeCatalogue(engine: Engine, store: Store): Promise<FakeCatalogue> {
  const indices = store.collection<IndexMeta>('fake_indices')
  const tables = store.collection<TableMeta>('fake_tables')
  const firstTable: TableMeta = { id: 1, family: 'all', name: 'events_1', columns: [] }
  if (tables.get('1') === undefined) await store.transaction(() => tables.put('1', firstTable))
  let table = tables.get('1') ?? firstTable
  await engine.execute(createTableSql(firstTable.name))
  await addColumns(engine, table.columns)

  // Ids are never used again, as in the catalogue itself.
  let lastId = Math.max(0, ...[...indices.entries()].map(([, { id }]) => id))

  async function create(name: string): Promise<IndexMeta> {
    const known = indices.get(name)
    if (known !== undefined) return known
    lastId += 1
    const made = newIndex(name, lastId)
    await store.transaction(() => indices.put(name, made))
    return made
  }

  const fake: Pick<
    FakeCatalogue,
    | 'beforeMerge'
    | 'deleteIndex'
    | 'indexById'
    | 'indices'
    | 'keepsRows'
    | 'table'
    | 'writeTarget'
    | 'compiledMapping'
    | 'mapDocument'
    | 'mergeMapping'
    | 'ensureColumns'
    | 'index'
  > = {
    beforeMerge: () => undefined,
    index: (name) => indices.get(name),
    indices: () => [...indices.entries()].map(([, index]) => index),
    indexById: (id) => [...indices.entries()].find(([, index]) => index.id === id)?.[1],
    keepsRows: () => false,
    table: () => table,
    async writeTarget(name, { create: make }) {
      if (!make && indices.get(name) === undefined)
        throw new AppError(searchErrors.index_not_found_exception, `no such index [${name}]`)
      const index = await create(name)
      return { index, dataStream: index.dataStream }
    },
    compiledMapping: () => undefined,
    mapDocument: (_index, mapping, source) => mapFake(mapping, source),
    deleteIndex: (index) => store.transaction(() => indices.remove(index.name)),
    async mergeMapping(index, mapping) {
      fake.beforeMerge(index, mapping)
      const merged = { ...index, mapping, mappingVersion: index.mappingVersion + 1 }
      await store.transaction(() => indices.put(index.dataStream ?? index.name, merged))
      return merged
    },
    async ensureColumns(_table, needed) {
      table = { ...table, columns: widened(table.columns, needed) }
      await store.transaction(() => tables.put('1', table))
      await addColumns(engine, table.columns)
      return table
    },
  }
  return fake as FakeCatalogue
}

function newIndex(name: string, id: number): IndexMeta {
  const stream = name.startsWith('stream-') ? { dataStream: name } : {}
  return {
    id,
    name: stream.dataStream === undefined ? name : `.ds-${name}-000001`,
    uuid: `uuid-${name}`,
    table: 1,
    slot: name.startsWith('other') ? 1 : 0,
    state: name === 'closed' ? 'close' : 'open',
    createdAtMs: 0,
    settings: name === 'blocked' ? { 'blocks.write': 'true' } : {},
    mapping: {},
    mappingVersion: 1,
    aliases: {},
    hidden: false,
    ...stream,
  }
}

function widened(before: readonly Column[], needed: Parameters<Catalogue['ensureColumns']>[1]): Column[] {
  const columns = [...before]
  for (const { path, type, many, indexed } of needed) {
    const at = columns.findIndex((column) => column.path === path && column.type === type)
    const known = columns[at]
    const id = known?.id ?? columns.length + 1
    const manyName = many ? `m${id}_x` : known?.manyName
    const withIndex = indexed === true || known?.indexed === true
    columns[at < 0 ? columns.length : at] = { id, path, type, name: `c${id}_x`, manyName, indexed: withIndex }
  }
  return columns
}

async function addColumns(engine: Engine, columns: readonly Column[]): Promise<void> {
  const wanted = columns.flatMap(({ name, manyName, type, indexed }) => [
    { name, type, many: false, indexed: indexed === true },
    ...(manyName === undefined ? [] : [{ name: manyName, type, many: true }]),
  ])
  const add = addColumnsSql('events_1', wanted)
  if (add !== undefined) await engine.execute(add)
}

function mapFake(mapping: Mapping, source: Readonly<Record<string, unknown>>): MappedDocument {
  const values: FieldValue[] = []
  const properties: Record<string, { type: string }> = {}
  const typeOfField = (key: string, leaf: unknown): ValueType => {
    if (key === '@timestamp') return 'date'
    return valueTypes[typeof leaf] ?? 'string'
  }
  for (const [key, value] of Object.entries(source)) {
    const leaves = (Array.isArray(value) ? value : [value]).filter((leaf) => leaf !== null && typeof leaf !== 'object')
    if (leaves.length === 0) continue
    const valueType = typeOfField(key, leaves[0])
    const known = mapping.properties?.[key]?.type
    if (known !== undefined && known !== valueType)
      throw new AppError(searchErrors.document_parsing_exception, `failed to parse field [${key}] of type [${known}]`)
    if (known === undefined) properties[key] = { type: valueType }
    const read = leaves.map((leaf): Value => (key === '@timestamp' ? Date.parse(String(leaf)) : (leaf as Value)))
    const field = { path: key, wireType: valueType, valueType, parameters: {}, sourcePath: key }
    values.push({ field, values: read })
  }
  const time = values.find(({ field }) => field.path === '@timestamp')?.values[0]
  const wider = Object.keys(properties).length > 0
  return {
    timeMs: typeof time === 'number' ? time : undefined,
    values,
    ignored: [],
    mapping: wider ? { ...mapping, properties: { ...mapping.properties, ...properties } } : undefined,
  }
}
