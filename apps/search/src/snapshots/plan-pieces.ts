import type { Piece } from './format.ts'

/** How many numbers of `_seq_no` a cell has: pieces begin and end where cells do. */
export const cellRows = 4096

/** A piece takes about so many rows, and files of about so many bytes of sources. */
export const pieceTarget = { rows: 16_384, bytes: 16 * 1024 ** 2 } as const

/** What an index has in one cell. */
export interface Cell {
  readonly cell: number
  readonly rows: number
  readonly maxSeqNo: number
  readonly seqSum: bigint
}

/** Rows that are to be read, as a piece without its files. */
export type NewPiece = Pick<Piece, 'firstCell' | 'lastCell' | 'rows' | 'maxSeqNo' | 'seqSum'>

function joined(cells: readonly Cell[]): NewPiece {
  return {
    firstCell: cells[0]?.cell ?? 0,
    lastCell: cells.at(-1)?.cell ?? 0,
    rows: cells.reduce((sum, { rows }) => sum + rows, 0),
    maxSeqNo: Math.max(...cells.map(({ maxSeqNo }) => maxSeqNo)),
    seqSum: String(cells.reduce((sum, { seqSum }) => sum + seqSum, 0n)),
  }
}

function isSame(a: NewPiece, b: NewPiece): boolean {
  return a.rows === b.rows && a.maxSeqNo === b.maxSeqNo && a.seqSum === b.seqSum
}

/**
 * Divides the cells of an index, in their order, into pieces: those of an earlier snapshot that hold the same rows stay, what changed and what is
 * small is put together anew. A row never changes and none ever comes between others, so pieces with as many rows, the same last one and the same
 * sum of `_seq` are the same.
 */
export function planPieces(cells: readonly Cell[], earlier: readonly Piece[]): (Piece | NewPiece)[] {
  const plan: (Piece | NewPiece)[] = []
  const unchanged = new Map<number, { readonly piece: Piece; readonly cells: readonly Cell[] }>()
  for (const piece of earlier) {
    const own = cells.filter(({ cell }) => cell >= piece.firstCell && cell <= piece.lastCell)
    if (own.length > 0 && isSame(joined(own), piece)) unchanged.set(own[0]?.cell ?? 0, { piece, cells: own })
  }
  let pending: Cell[] = []
  const flush = (): void => {
    if (pending.length === 0) return
    const made = joined(pending)
    const before = unchanged.get(made.firstCell)
    plan.push(before !== undefined && before.cells.length === pending.length ? before.piece : made)
    pending = []
  }
  for (let at = 0; at < cells.length; at += 1) {
    const cell = cells[at]
    if (cell === undefined) break
    const kept = unchanged.get(cell.cell)
    if (kept !== undefined && isLarge(kept.piece)) {
      flush()
      plan.push(kept.piece)
      at += kept.cells.length - 1
      continue
    }
    if (pending.reduce((sum, { rows }) => sum + rows, cell.rows) > pieceTarget.rows) flush()
    pending.push(cell)
  }
  flush()
  return plan
}

function isLarge({ rows, sourceBytes }: Piece): boolean {
  return rows >= pieceTarget.rows / 2 || sourceBytes >= pieceTarget.bytes / 2
}
