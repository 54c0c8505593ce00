import { expect, test } from 'vitest'
import type { Piece } from './format.ts'
import { type Cell, cellRows, type NewPiece, planPieces } from './plan-pieces.ts'

const cell = (at: number, rows = cellRows): Cell => ({
  cell: at,
  rows,
  maxSeqNo: at * cellRows + rows - 1,
  seqSum: BigInt(at * 1000 + rows),
})
const written = (piece: NewPiece | Piece): Piece => ({ layout: 0, sourceBytes: 1, files: [], ...piece })
const ranges = (plan: readonly (Piece | NewPiece)[]): string[] =>
  plan.map((piece) => `${piece.firstCell}-${piece.lastCell}${'files' in piece ? ' kept' : ''}`)

test('pieces of full cells are kept, and what came after them goes into new ones', () => {
  const before = Array.from({ length: 8 }, (_, at) => cell(at))
  const first = planPieces(before, [])
  expect(ranges(first)).toEqual(['0-3', '4-7'])
  const grown = [...before, cell(8), cell(9, 10)]
  expect(ranges(planPieces(grown, first.map(written)))).toEqual(['0-3 kept', '4-7 kept', '8-9'])
})

test('a cell that lost a row takes its piece with it, and no other', () => {
  const before = Array.from({ length: 8 }, (_, at) => cell(at))
  const earlier = planPieces(before, []).map(written)
  const changed = before.map((one) => (one.cell === 2 ? cell(2, cellRows - 1) : one))
  expect(ranges(planPieces(changed, earlier))).toEqual(['0-3', '4-7 kept'])
  const other = before.map((one) => (one.cell === 2 ? { ...one, seqSum: one.seqSum + 1n } : one))
  expect(ranges(planPieces(other, earlier))).toEqual(['0-3', '4-7 kept'])
})

test('small pieces are kept as they are, and put together once one of them changes', () => {
  const few = [cell(0, 5), cell(7, 5)]
  const earlier = planPieces(few, []).map(written)
  expect(ranges(planPieces(few, earlier))).toEqual(['0-7 kept'])
  expect(ranges(planPieces([...few, cell(9, 1)], earlier))).toEqual(['0-9'])
  expect(planPieces([], earlier)).toEqual([])
})
