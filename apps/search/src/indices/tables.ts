import type { Engine } from '../engine/engine.ts'
import {
  addColumnsSql,
  addMessagePlaceSql,
  createTableSql,
  indexNames,
  type NewColumn,
  newCodecsSql,
  newSettingsSql,
  type TableSize,
} from '../engine/table-layout.ts'
import type { ResolvedField } from '../model/mapping.ts'
import { type Column, columnKey, findColumn, type NeededColumn, type TableMeta } from '../model/table.ts'
import { type Sql, sql, str } from '../sql/sql.ts'
import type { CatalogueState, TableRecord } from './catalogue-state.ts'

/** All of the stack's own state lies in one table: many indices of few rows, for which a table each costs more than they hold. */
const ownStatePrefix = '.logstack-'

/** Slots a table should have about, so that reads over all of it touch few parts. */
const liveSlots = 10
/** Indices a slot takes at least: a week of daily ones. */
const indicesOfSlotMin = 8
/**
 * A slot that has stayed small takes more, as every slot costs each search the parts it consists of; so many at most, should they grow later. Smaller than this its rows are rewritten in
 * a second or two, which deleting one of its indices does.
 */
const indicesOfSmallSlotMax = 128
const smallSlotBytesMax = 64 * 1024 ** 2
/** Partitions are numbered in a `UInt16`; no index is ever put into this one. */
export const unusedSlot = 65_535
const slotCount = unusedSlot

/**
 * The family an index belongs to: its name without what counts or dates it (`winlogbeat-2026.11.21-000002` is `winlogbeat`), or its data
 * stream. Indices of a family share a table.
 */
export function familyOf(name: string, dataStream: string | undefined): string {
  if (dataStream !== undefined) return `stream:${dataStream}`
  if (name.startsWith(ownStatePrefix)) return 'own-state'
  const stripped = name.replace(/(?:[-_.]?\d+)+$/, '')
  return `index:${stripped === '' ? '#' : stripped}`
}

/** The slot of a new index: the newest one that is in use and has room, else a new one. Purged slots are never used again. `isSmall` says of a slot whether its rows are few and stay so. */
export async function chooseSlot(
  record: TableRecord,
  slotsInUse: readonly number[],
  isSmall: (slot: number) => Promise<boolean>,
): Promise<{ slot: number; nextSlot: number }> {
  const newest = (record.nextSlot - 1 + slotCount) % slotCount
  const inNewest = slotsInUse.filter((slot) => slot === newest).length
  const capacity = Math.max(indicesOfSlotMin, Math.ceil(slotsInUse.length / liveSlots))
  const hasRoom = inNewest < capacity || (inNewest < indicesOfSmallSlotMax && (await isSmall(newest)))
  if (inNewest > 0 && hasRoom) return { slot: newest, nextSlot: record.nextSlot }
  let slot = record.nextSlot % slotCount
  while (slotsInUse.includes(slot)) slot = (slot + 1) % slotCount
  return { slot, nextSlot: (slot + 1) % slotCount }
}

/** Whether the rows of a slot take little on disk; what waits to be inserted is not counted. */
export async function isSmallSlot(engine: Pick<Engine, 'rows'>, table: string, slot: number): Promise<boolean> {
  const [[bytes] = []] = await engine.rows(
    sql`SELECT sum(bytes_on_disk) FROM system.parts WHERE database = currentDatabase() AND table = ${str(table)} AND partition = ${str(String(slot))} AND active`,
  )
  return Number(bytes) < smallSlotBytesMax
}

/** A column name from its number and path: readable, and unique by the number. */
function columnName(kind: 'c' | 'm', id: number, path: string): string {
  return `${kind}${id}_${path.replace(/[^A-Za-z0-9]+/g, '_').slice(0, 40)}`
}

/** The indexes that a field's mapping asks for from its first value on. */
export function neededIndexes({
  indexedAtOnce,
  indexesPhrases,
}: Pick<ResolvedField, 'indexedAtOnce' | 'indexesPhrases'>): Pick<NeededColumn, 'indexed' | 'isUnproven' | 'pairs'> {
  if (indexedAtOnce !== true) return {}
  return { indexed: true, isUnproven: true, ...(indexesPhrases === true ? { pairs: true } : {}) }
}

/**
 * Text indexes of a table from which on a text gets one only once it proves long, whatever its mapping says: each costs an insert a fixed time and memory, however few words it
 * holds, and 300 of them cost a search as much to think about.
 */
const unprovenIndexesMax = 32

/** Whether a table has so many text indexes that a mapping's word alone makes no more. */
export function isCrowded(table: TableMeta): boolean {
  return countTextIndexes(table.columns) >= unprovenIndexesMax
}

/** Whether a table whose column of that path and type is given, and which may be crowded, lacks something that is needed of it. */
export function isLacking(column: Column | undefined, needed: NeededColumn, crowded: boolean): boolean {
  if (column === undefined || (needed.many && column.manyName === undefined)) return true
  const { indexed, pairs } = indexesOf(column, needed, crowded)
  return (indexed && column.indexed !== true) || (pairs && column.pairs !== true)
}

/** Whether a table lacks any of what is needed. */
export function lacks(table: TableMeta, needed: readonly NeededColumn[]): boolean {
  const crowded = isCrowded(table)
  return needed.some((one) => isLacking(findColumn(table, one.path, one.type), one, crowded))
}

/** Which indexes a column has when it has what is needed of it. */
function indexesOf(column: Column, { indexed, isUnproven, pairs }: NeededColumn, crowded: boolean) {
  const has = column.indexed === true || (indexed === true && !(isUnproven === true && crowded))
  return { indexed: has, pairs: has && (column.pairs === true || pairs === true) }
}

/** The table with the columns and indexes it lacked, and what to add to the engine. The same table when it lacks none. */
export function widenTable(
  table: TableRecord,
  needed: readonly NeededColumn[],
): { table: TableRecord; added: readonly NewColumn[] } {
  const columns = new Map(table.columns.map((column) => [columnKey(column.path, column.type), column]))
  // By name, because the engine refuses a statement that names a new column twice.
  const added = new Map<string, NewColumn>()
  let nextColumn = table.nextColumn
  let textIndexes = countTextIndexes(table.columns)
  for (const one of needed) {
    const { path, type, many } = one
    const key = columnKey(path, type)
    let column = columns.get(key)
    if (column === undefined) {
      const id = nextColumn++
      column = { id, path, type, name: columnName('c', id, path), manyName: undefined }
      added.set(column.name, { name: column.name, type, many: false })
    }
    const { indexed, pairs } = indexesOf(column, one, textIndexes >= unprovenIndexesMax)
    if (indexed && column.indexed !== true) {
      if (type === 'text') textIndexes += 1
      column = type === 'text' ? { ...column, indexed, cut: 'tokenizer' } : { ...column, indexed }
      added.set(column.name, { name: column.name, type, many: false, indexed })
      if (column.manyName !== undefined) added.set(column.manyName, companionOf(column, column.manyName))
    }
    if (pairs && column.pairs !== true) {
      textIndexes += 1
      column = { ...column, pairs }
      added.set(column.name, wholeColumn(column))
    }
    if (many && column.manyName === undefined) {
      const manyName = columnName('m', column.id, path)
      column = { ...column, manyName }
      added.set(manyName, companionOf(column, manyName))
    }
    columns.set(key, column)
  }
  const wider = added.size === 0 ? table : { ...table, columns: [...columns.values()], nextColumn }
  return { table: wider, added: [...added.values()] }
}

/** The array companion of a column, which has an index where a column of whole values has one. */
function companionOf({ type, indexed }: Column, name: string): NewColumn {
  return { name, type, many: true, ...(indexed === true && type !== 'text' ? { indexed } : {}) }
}

/** All field columns of a table, as the engine should have them. */
function allColumns(table: TableMeta): NewColumn[] {
  return table.columns.flatMap((column) => {
    const { manyName } = column
    return [wholeColumn(column), ...(manyName === undefined ? [] : [companionOf(column, manyName)])]
  })
}

/** The column of whole values with the indexes it has. */
function wholeColumn({ name, type, indexed, cut = 'pattern', pairs }: Column): NewColumn {
  const indexes = indexed === true ? { indexed, cut, ...(pairs ? { pairs } : {}) } : {}
  return { name, type, many: false, ...indexes }
}

/** How large a table is in the engine. */
export function sizeOf({ columns }: TableMeta): TableSize {
  return {
    columns: columns.reduce((sum, { manyName }) => sum + (manyName === undefined ? 1 : 2), 0),
    textIndexes: countTextIndexes(columns),
  }
}

function countTextIndexes(columns: readonly Column[]): number {
  const texts = columns.filter(({ type, indexed }) => type === 'text' && indexed === true)
  return texts.reduce((sum, { pairs }) => sum + (pairs ? 2 : 1), 0)
}

/** Makes the tables, columns and indexes that the catalogue has and the engine lacks: after a crash between the two, or made by an earlier version. */
export async function reconcileTables(state: CatalogueState, engine: Engine): Promise<void> {
  const rows = await engine.rows(
    sql`SELECT table, name, compression_codec FROM system.columns WHERE database = currentDatabase() AND table LIKE ${likeEvents}`,
  )
  const existing = new Map<string, Map<string, string>>()
  for (const [table, column, codec] of rows) {
    const columns = existing.get(String(table)) ?? new Map<string, string>()
    existing.set(String(table), columns.set(String(column), String(codec)))
  }
  const indexes = await engine.rows(
    sql`SELECT table, name FROM system.data_skipping_indices WHERE database = currentDatabase() AND table LIKE ${likeEvents}`,
  )
  const indexed = new Set(indexes.map(([table, name]) => `${table} ${name}`))
  for (const table of state.tables.values()) {
    const columns = existing.get(table.name)
    if (columns === undefined) await engine.execute(createTableSql(table.name))
    else if (!columns.has('_message_at')) await engine.execute(addMessagePlaceSql(table.name))
    const lacksIndex = (column: NewColumn): boolean =>
      indexNames(column).some((name) => !indexed.has(`${table.name} ${name}`))
    const missing = allColumns(table).filter((column) => columns?.has(column.name) !== true || lacksIndex(column))
    const change = addColumnsSql(table.name, missing)
    if (change !== undefined) await engine.execute(change)
    const codecs = columns && newCodecsSql(table.name, allColumns(table), columns)
    if (codecs) await engine.execute(codecs)
  }
  await reconcileSettings(state.tables.values(), engine)
}

/** Gives tables of an earlier version the settings that new ones are made with. */
async function reconcileSettings(tables: Iterable<TableMeta>, engine: Engine): Promise<void> {
  const rows = await engine.rows(
    sql`SELECT name, engine_full FROM system.tables WHERE database = currentDatabase() AND name LIKE ${likeEvents}`,
  )
  const existing = new Map(rows.map(([name, settings]) => [name, String(settings)]))
  for (const table of tables) {
    const change = newSettingsSql(table.name, sizeOf(table), existing.get(table.name) ?? '')
    if (change) await engine.execute(change)
  }
}

const likeEvents: Sql = sql`'events\\_%'`

/** The table for a new index of a family; made in the catalogue and in the engine when the family has none. Only inside `exclusive`. */
export async function tableOf(state: CatalogueState, engine: Engine, family: string): Promise<TableRecord> {
  for (const table of state.tables.values()) if (table.family === family && !state.condemned.has(table.id)) return table
  const id = await state.nextId('table')
  const table: TableRecord = { id, family, name: `events_${id}`, columns: [], nextColumn: 1, nextSlot: 0 }
  await engine.execute(createTableSql(table.name))
  await state.commit({ tables: [table] })
  return table
}
