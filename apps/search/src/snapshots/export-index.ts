import { AppError, searchErrors } from '@logstack/errors'
import type { Visibility } from '../documents/visibility.ts'
import { visibleSql } from '../documents/visibility.ts'
import type { Engine, ReadOptions } from '../engine/engine.ts'
import type { IndexMeta } from '../model/index-meta.ts'
import type { TableMeta } from '../model/table.ts'
import { sourceOf } from '../sql/document-source.ts'
import { ident, join, num, type Sql, sql } from '../sql/sql.ts'
import type { FileColumn, Manifest, Piece, SnapshotIndex } from './format.ts'
import { type Cell, cellRows, type NewPiece, pieceTarget, planPieces } from './plan-pieces.ts'
import type { Blob, RepositoryFiles } from './repository-files.ts'
import { fileSelection, tableColumns } from './row-files.ts'

/** An index as it was when its snapshot began. */
export interface FrozenIndex {
  readonly index: IndexMeta
  readonly table: TableMeta
  readonly visibility: Visibility
  readonly nextSeqNo: number
  readonly shards: number
}

/** What an export works with. `wrote` hears of each file that had to be written. */
export interface ExportContext {
  readonly engine: Pick<Engine, 'rows' | 'bytes'>
  readonly files: RepositoryFiles
  readonly signal: AbortSignal
  wrote(blob: Blob): Promise<void>
}

const heavy: ReadOptions = { weight: 'heavy' }

/** Counts the rows of indices of one table by cell. One statement, which reads numbers only. */
export async function cellsOf(
  engine: Pick<Engine, 'rows'>,
  frozen: readonly FrozenIndex[],
): Promise<ReadonlyMap<number, Cell[]>> {
  const [first] = frozen
  const cells = new Map<number, Cell[]>()
  if (first === undefined) return cells
  const ids = join(
    frozen.map(({ index }) => num(index.id)),
    ', ',
  )
  const rows = await engine.rows(
    sql`SELECT _index, intDiv(_seq_no, ${num(cellRows)}) AS cell, count(), max(_seq_no), toString(sum(_seq)) FROM ${ident(first.table.name)} WHERE _index IN (${ids}) AND ${visibleSql(first.visibility)} GROUP BY _index, cell ORDER BY _index, cell`,
    heavy,
  )
  for (const [index, cell, count, maxSeqNo, seqSum] of rows) {
    const own = cells.get(Number(index)) ?? []
    cells.set(Number(index), own)
    own.push({ cell: Number(cell), rows: Number(count), maxSeqNo: Number(maxSeqNo), seqSum: BigInt(String(seqSum)) })
  }
  return cells
}

/** The layouts of a manifest: equal ones are kept once. */
class Layouts {
  readonly all: (readonly FileColumn[])[] = []
  readonly #places = new Map<string, number>()

  place(layout: readonly FileColumn[]): number {
    const key = JSON.stringify(layout)
    const place = this.#places.get(key) ?? this.all.push(layout) - 1
    this.#places.set(key, place)
    return place
  }
}

function rowsOf({ index, visibility }: FrozenIndex, first: number, last: number): Sql {
  return sql`_index = ${num(index.id)} AND _seq_no BETWEEN ${num(first)} AND ${num(last)} AND ${visibleSql(visibility)}`
}

/** The columns that at least one of the rows has a value in. */
async function usedColumns(
  engine: Pick<Engine, 'rows'>,
  { table }: FrozenIndex,
  condition: Sql,
): Promise<{ readonly layout: FileColumn[]; readonly names: string[] }> {
  const all = tableColumns(table)
  if (all.length === 0) return { layout: [], names: [] }
  const counts = all.map(({ column, name }) =>
    column.many ? sql`countIf(notEmpty(${ident(name)}))` : sql`count(${ident(name)})`,
  )
  const [row = []] = await engine.rows(
    sql`SELECT ${join(counts, ', ')} FROM ${ident(table.name)} WHERE ${condition}`,
    heavy,
  )
  const used = all.filter((_, at) => Number(row[at]) > 0)
  used.sort((a, b) => (JSON.stringify(a.column) < JSON.stringify(b.column) ? -1 : 1))
  return { layout: used.map(({ column }) => column), names: used.map(({ name }) => name) }
}

/** Cuts rows, in the order of `_seq_no`, where their sources come to a file's size. */
function cutBySize(rows: readonly (readonly [seqNo: number, bytes: number])[]): { last: number; rows: number }[] {
  const cuts: { last: number; rows: number }[] = []
  let bytes = 0
  let count = 0
  for (const [at, [seqNo, size]] of rows.entries()) {
    bytes += size
    count += 1
    const next = rows[at + 1]
    if (next !== undefined && bytes + next[1] <= pieceTarget.bytes) continue
    cuts.push({ last: seqNo, rows: count })
    bytes = 0
    count = 0
  }
  return cuts
}

/** Reads a piece and writes its files. */
async function writePiece(
  frozen: FrozenIndex,
  piece: NewPiece,
  layouts: Layouts,
  { engine, files, signal, wrote }: ExportContext,
): Promise<Piece> {
  const { table, index } = frozen
  const first = piece.firstCell * cellRows
  const all = rowsOf(frozen, first, piece.maxSeqNo)
  const sizes = (
    await engine.rows(
      sql`SELECT _seq_no, length(${sourceOf(table, [index])}) FROM ${ident(table.name)} WHERE ${all} ORDER BY _seq_no`,
      heavy,
    )
  ).map(([seqNo, bytes]): [number, number] => [Number(seqNo), Number(bytes)])
  if (sizes.length !== piece.rows) {
    const reason = `index [${index.name}] has [${sizes.length}] documents where [${piece.rows}] were counted`
    throw new AppError(searchErrors.snapshot_exception, reason)
  }
  const { layout, names } = await usedColumns(engine, frozen, all)
  const written: Piece['files'] = []
  let from = first
  for (const { last, rows } of cutBySize(sizes)) {
    signal.throwIfAborted()
    const content = await engine.bytes(
      sql`SELECT ${fileSelection(table, layout, names)} FROM ${ident(table.name)} WHERE ${rowsOf(frozen, from, last)} ORDER BY _seq_no`,
      'Native',
      heavy,
    )
    const blob = await files.put(content)
    await wrote(blob)
    written.push({ sha256: blob.sha256, bytes: blob.bytes, rows })
    from = last + 1
  }
  const sourceBytes = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
  return { ...piece, layout: layouts.place(layout), sourceBytes, files: written }
}

function manifestOf({ index, nextSeqNo }: FrozenIndex, layouts: Layouts, pieces: Piece[]): Manifest {
  const { name, uuid, createdAtMs, settings, mapping, aliases, dataStream } = index
  return {
    format: 1,
    name,
    uuid,
    createdAtMs,
    settings: { ...settings },
    mapping: { ...mapping },
    aliases: Object.fromEntries(Object.entries(aliases).map(([alias, meta]) => [alias, { ...meta }])),
    ...(dataStream === undefined ? {} : { dataStream }),
    nextSeqNo,
    layouts: layouts.all.map((layout) => [...layout]),
    pieces,
  }
}

/** Writes what a repository lacks of an index; `earlier` is what an earlier snapshot held of it. Answers its entry in the snapshot's record. */
export async function exportIndex(
  frozen: FrozenIndex,
  cells: readonly Cell[],
  earlier: Manifest | undefined,
  context: ExportContext,
): Promise<SnapshotIndex> {
  const layouts = new Layouts()
  const pieces: Piece[] = []
  const added: Blob[] = []
  const counting: ExportContext = {
    ...context,
    async wrote(blob) {
      if (blob.isNew) added.push(blob)
      await context.wrote(blob)
    },
  }
  for (const planned of planPieces(cells, earlier?.pieces ?? [])) {
    context.signal.throwIfAborted()
    const kept = 'files' in planned && (await allThere(planned, context.files)) ? planned : undefined
    pieces.push(
      kept === undefined
        ? await writePiece(frozen, planned, layouts, counting)
        : { ...kept, layout: layouts.place(earlier?.layouts[kept.layout] ?? []) },
    )
  }
  const manifest = await context.files.put(Buffer.from(JSON.stringify(manifestOf(frozen, layouts, pieces))))
  await counting.wrote(manifest)
  const all = [...pieces.flatMap(({ files }) => files), manifest]
  return {
    name: frozen.index.name,
    uuid: frozen.index.uuid,
    manifest: manifest.sha256,
    shards: frozen.shards,
    rows: pieces.reduce((sum, { rows }) => sum + rows, 0),
    files: all.length,
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
    newFiles: added.length,
    newBytes: added.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

/** Whether the files of a piece are where they should be; one that somebody removed is written again. */
async function allThere({ files }: Piece, repository: RepositoryFiles): Promise<boolean> {
  for (const { sha256, bytes } of files) if ((await repository.bytesOf(sha256)) !== bytes) return false
  return true
}
