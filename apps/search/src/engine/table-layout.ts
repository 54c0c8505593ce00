import type { ValueType } from '@logstack/rules'
import { systemColumns, type TokenCut } from '../model/table.ts'
import { ident, join, nothing, num, type Sql, sql, typeName } from '../sql/sql.ts'
import { pairsOf, tokensOf } from '../sql/text-tokens.ts'

const oneValue: Readonly<Record<ValueType, string | undefined>> = {
  string: 'LowCardinality(Nullable(String))',
  text: 'Nullable(String)',
  long: 'Nullable(Int64)',
  unsigned: 'Nullable(UInt64)',
  double: 'Nullable(Float64)',
  boolean: 'Nullable(Bool)',
  date: 'Nullable(Int64)',
  date_nanos: 'Nullable(Int64)',
  ip: 'Nullable(IPv6)',
  binary: undefined,
}

const severalValues: Readonly<Record<ValueType, string | undefined>> = {
  string: 'Array(LowCardinality(String))',
  text: 'Array(String)',
  long: 'Array(Int64)',
  unsigned: 'Array(UInt64)',
  double: 'Array(Float64)',
  boolean: 'Array(Bool)',
  date: 'Array(Int64)',
  date_nanos: 'Array(Int64)',
  ip: 'Array(IPv6)',
  binary: undefined,
}

/** The engine's type of a column for one value or, with `many`, of its array companion; undefined when values of the type are not stored. */
export function columnType(type: ValueType, many: boolean): string | undefined {
  return many ? severalValues[type] : oneValue[type]
}

/**
 * The type under which a segment file holds the values of a column of `type`. The bytes are the same, but the engine would look every value of a
 * `LowCardinality` up in its dictionary one by one, five times as dear as reading plain values and converting the whole column at once (ADR 0002).
 */
export function segmentType(type: string): string {
  return type.replace(/LowCardinality\(((?:Nullable\()?String\)?)\)/, '$1')
}

/** Numbers as the bits in which they differ, 64 at a time: read four times as fast as packed bytes, in as little space (ADR 0002). */
const bits = sql`CODEC(T64, ZSTD(1))`

/** The same of what neighbours differ in: smaller than `bits` where values ascend, and half as fast. */
const ascendingBits = sql`CODEC(Delta(8), T64, ZSTD(1))`

/** How the engine writes each system column, in its own words; all others take the table's own codec. */
const codecs: Readonly<Partial<Record<keyof typeof systemColumns, Sql>>> = {
  _seq: bits,
  _time: bits,
  _seq_no: ascendingBits,
  _version: bits,
  _message_at: bits,
  // Of texts of one length the first level packs each length by itself.
  _id: sql`CODEC(ZSTD(3))`,
  _source: sql`CODEC(ZSTD(3))`,
}

/** How the engine writes columns of a type; all others take the table's own codec. */
const valueCodecs: Readonly<Partial<Record<ValueType, Sql>>> = {
  long: bits,
  unsigned: bits,
  date: ascendingBits,
  date_nanos: ascendingBits,
}

/** What of a table decides how its parts are written. */
export interface TableSize {
  /** Columns of fields, array companions included. */
  readonly columns: number
  /** Indexes of words and of pairs of words. */
  readonly textIndexes: number
}

const mebibyte = 1024 ** 2
const wideMebibytesMin = 32
const fewColumns = 128

/**
 * In bytes before compression: smaller parts keep all columns in one file. A file or two for each of several hundred columns, each of at least a
 * block of the disk and all of them flushed, cost a part more than its rows do: Windows events of 296 columns took 5.1 instead of 2.8 s of a processor
 * to insert, and three times their disk (ADR 0002). So tables with many columns have a mebibyte for each.
 */
function wideBytesMin({ columns }: TableSize): number {
  return mebibyte * (columns <= fewColumns ? wideMebibytesMin : 2 ** Math.ceil(Math.log2(columns)))
}

const fewTextIndexes = 16
const smallBlockBytes = 64 * 1024

/**
 * The largest compressed block; nought is the engine's own, a mebibyte. What writes a part has buffers of blocks for each of its text indexes, 7.5 MB in all, which 300 of them
 * made more than all statements together may hold: nothing could be inserted. With small blocks it is 1.5 MB.
 */
function blockBytesMax({ textIndexes }: TableSize): number {
  return textIndexes <= fewTextIndexes ? 0 : smallBlockBytes
}

/** Rows that are read at least to see one of them: with sources of a kilobyte, eight megabytes at the engine's default of 8,192. */
const granuleRows = 1024

/** Seconds that parts stay on disk after a merge took their place; merges are flushed, so they need not outlast the kernel's own flush. */
const oldPartsSeconds = 10

/**
 * From so many parts on that are no longer needed the engine removes them with up to 128 threads, which it keeps, with three open files each: at its
 * default of 100 a search that had once lived through that held 240 files and 85 threads more for good.
 */
const removedOneByOneMax = 1_000_000

/**
 * So many parts of about one size are merged together; at the engine's default of 5 what comes in small inserts was rewritten twice as often (ADR
 * 0002).
 */
const mergedAtOnce = 8

/**
 * Makes the table of one family of indices, with the system columns only (ADR 0002). Rows lie by time within a slot; small indexes skip
 * granules by id, sequence and index; statistics of columns made no search faster and cost a tenth of a merge. Every insert is flushed, because the commit record that could repeat it is removed after it.
 */
export function createTableSql(table: string): Sql {
  const columns = Object.entries(systemColumns).map(([name, type]) => {
    const codec = codecs[name as keyof typeof systemColumns]
    return sql`${ident(name)} ${typeName(type)}${codec ? sql` ${codec}` : sql``}`
  })
  const indexes = [
    sql`INDEX by_id _id TYPE bloom_filter(0.0001) GRANULARITY 4`,
    sql`INDEX by_seq _seq TYPE minmax GRANULARITY 1`,
    sql`INDEX by_seq_no _seq_no TYPE minmax GRANULARITY 1`,
    sql`INDEX by_index _index TYPE minmax GRANULARITY 1`,
  ]
  return sql`CREATE TABLE IF NOT EXISTS ${ident(table)} (${join([...columns, ...indexes], ', ')})
    ENGINE = MergeTree PARTITION BY _slot ORDER BY _time
    SETTINGS enable_block_number_column = 1, enable_block_offset_column = 1, fsync_after_insert = 1, fsync_part_directory = 1,
      min_rows_to_fsync_after_merge = 1, old_parts_lifetime = ${num(oldPartsSeconds)}, index_granularity = ${num(granuleRows)},
      default_compression_codec = 'ZSTD(1)', merge_selector_base = ${num(mergedAtOnce)}, auto_statistics_types = '',
      ${join(settingsOf({ columns: 0, textIndexes: 0 }), ', ')}`
}

/** The settings that a table of an earlier version, or one that was smaller, may have otherwise. */
function settingsOf(size: TableSize): readonly Sql[] {
  return [
    sql`min_bytes_for_wide_part = ${num(wideBytesMin(size))}`,
    sql`max_compress_block_size = ${num(blockBytesMax(size))}`,
    sql`concurrent_part_removal_threshold = ${num(removedOneByOneMax)}`,
  ]
}

/** Gives a table of that size the settings that it lacks; `existing` are those it has, as the engine writes them. Nothing where none is missing. */
export function newSettingsSql(table: string, size: TableSize, existing: string): Sql | undefined {
  const has = new Set(existing.split(/,\s*|\sSETTINGS\s+/))
  const missing = settingsOf(size).filter(({ text }) => !has.has(text))
  return missing.length === 0 ? undefined : sql`ALTER TABLE ${ident(table)} MODIFY SETTING ${join(missing, ', ')}`
}

/** Gives a table of before sources were cut the column it lacks: all of its sources are whole. */
export function addMessagePlaceSql(table: string): Sql {
  return sql`ALTER TABLE ${ident(table)} ADD COLUMN IF NOT EXISTS _message_at ${typeName(systemColumns._message_at)}`
}

/**
 * Gives columns of a table the codecs that new ones get, for what is written or merged from now on. `existing` are its columns with their codecs as
 * `system.columns` has them. Nothing where all are so.
 */
export function newCodecsSql(
  table: string,
  columns: readonly NewColumn[],
  existing: ReadonlyMap<string, string>,
): Sql | undefined {
  const wanted: (readonly [name: string, codec: Sql | undefined])[] = [
    ...Object.entries(codecs),
    ...columns.map(({ name, type, many }) => [name, many ? undefined : valueCodecs[type]] as const),
  ]
  const changes = wanted.flatMap(([name, codec]) => {
    const isThere = existing.has(name) && existing.get(name) !== codec?.text
    return codec && isThere ? [sql`MODIFY COLUMN ${ident(name)} ${codec}`] : []
  })
  return changes.length === 0 ? undefined : sql`ALTER TABLE ${ident(table)} ${join(changes, ', ')}`
}

/** A field column to add to a table; `many` is its array companion. */
export interface NewColumn {
  readonly name: string
  readonly type: ValueType
  readonly many: boolean
  /** Adds the index of a text's words, or of needles among keywords and addresses too, also where the column is there already. Parts that are there get it when they are merged. */
  readonly indexed?: boolean
  /** By which expression its index is declared. */
  readonly cut?: TokenCut
  /** Adds the index of a text's pairs of words, too. */
  readonly pairs?: true
}

/**
 * Which rows have a word is packed by bits: the index of messages takes as little as 0.58 of what it takes unpacked (ADR 0002). Those made before stay as they are, and
 * are read alike.
 */
export const tokenIndexType = sql`text(tokenizer = 'array', posting_list_codec = 'bitpacking')`

/** The names of the indexes that a column has, when it has them. */
export function indexNames({ name, type, indexed, pairs }: NewColumn): readonly string[] {
  if (indexed !== true) return []
  return type === 'text' ? [tokenIndexName(name), ...(pairs ? [pairIndexName(name)] : [])] : [needleIndexName(name)]
}

/**
 * An index that rules out granules which do not hold a whole value, in 1.2 bytes a row (ADR 0002). Larger granularities make the engine
 * rule out less where a condition is on the column or its companion.
 */
function addNeedleIndex(column: string): Sql {
  return sql`ADD INDEX IF NOT EXISTS ${ident(needleIndexName(column))} ${ident(column)} TYPE bloom_filter(0.01) GRANULARITY 1`
}

function needleIndexName(column: string): string {
  return `needles_${column}`
}

/** The name of the token index of a text column. */
export function tokenIndexName(column: string): string {
  return `tokens_${column}`
}

/** The name of the index of a text column's pairs of words. */
function pairIndexName(column: string): string {
  return `pairs_${column}`
}

/** Adds columns and token indexes that are absent; nothing when none of the columns is stored. `sizes` are those of the table before and after. */
export function addColumnsSql(
  table: string,
  columns: readonly NewColumn[],
  sizes?: readonly [before: TableSize, after: TableSize],
): Sql | undefined {
  const changes = columns.flatMap(({ name, type, many, indexed, cut, pairs }) => {
    const stored = columnType(type, many)
    if (stored === undefined) return []
    const codec = many ? undefined : valueCodecs[type]
    const add = sql`ADD COLUMN IF NOT EXISTS ${ident(name)} ${typeName(stored)}${codec ? sql` ${codec}` : nothing}`
    if (type === 'string' || type === 'ip') return indexed === true ? [add, addNeedleIndex(name)] : [add]
    if (type !== 'text' || many || indexed !== true) return [add]
    const index = sql`ADD INDEX IF NOT EXISTS ${ident(tokenIndexName(name))} ${tokensOf(ident(name), cut)} TYPE ${tokenIndexType}`
    if (!pairs) return [add, index]
    const ofPairs = sql`ADD INDEX IF NOT EXISTS ${ident(pairIndexName(name))} ${pairsOf(ident(name), cut)} TYPE ${tokenIndexType}`
    return [add, index, ofPairs]
  })
  if (changes.length === 0) return undefined
  const [before, after = []] = sizes?.map(settingsOf) ?? []
  const changed = after.filter(({ text }, at) => text !== before?.[at]?.text)
  if (changed.length > 0) changes.push(sql`MODIFY SETTING ${join(changed, ', ')}`)
  return sql`ALTER TABLE ${ident(table)} ${join(changes, ', ')}`
}
