import type { EsqlAnswer } from '../../esql/run-esql.ts'
import { JsonPiece, printJson } from '../../json/print-json.ts'
import { parseExactJson } from '../../json/source-json.ts'

/** An answer of a query in the background, as long as it is kept. */
export interface KeptAnswer extends EsqlAnswer {
  /** Milliseconds. */
  readonly took: number
  readonly columnar: boolean
  /** Whether the query was stopped before it had all its rows. */
  readonly isPartial: boolean
}

/** Writes an answer down, so that it can be asked for in any format. */
export function keepAnswer(answer: KeptAnswer): Buffer {
  return Buffer.from(printJson(answer))
}

/** An answer that was written down. */
export function keptAnswer(bytes: Buffer): KeptAnswer {
  const kept = parseExactJson(bytes.toString('utf8')) as KeptAnswer
  const readers = kept.columns.map(({ type }) => readerOf(type))
  return { ...kept, rows: kept.rows.map((row) => row.map((cell, at) => readers[at]?.(cell))) }
}

/** What JSON does not tell of a cell: that a whole number is a double, and that an object is the text of a document. */
function readerOf(type: string): (cell: unknown) => unknown {
  if (type === '_source') return (cell) => (cell === null ? null : new JsonPiece(printJson(cell)))
  if (type !== 'double') return (cell) => cell
  const double = (cell: unknown): unknown =>
    Array.isArray(cell) ? cell.map(double) : cell === null ? null : Number(cell)
  return double
}
