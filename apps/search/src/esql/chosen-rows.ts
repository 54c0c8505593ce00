import type { Command } from '@logstack/esql'
import type { Places } from '../plan/buckets/row-source.ts'
import { type Sql, sql } from '../sql/sql.ts'
import { orderBy, type Stage } from './stage.ts'

/** Of so many columns of leaves on an engine thinks longer than it takes to look for the rows first: some 0.3 ms about each column of each (ADR 0007). */
const cellsMin = 1_000

/** Whether many tables are read for columns of which most tables have none: which rows these are of is better asked first. */
export function isWide(leaves: number, columns: number): boolean {
  return leaves > 1 && leaves * columns >= cellsMin
}

/** The commands that choose among the documents, when those behind them see no others: up to the first LIMIT, or all where the answer alone is bounded. Undefined where something else than rows of documents comes before. */
export function choosing(commands: readonly Command[]): readonly Command[] | undefined {
  for (const [at, { command }] of commands.entries()) {
    if (command === 'limit') return commands.slice(0, at + 1)
    if (!keepsDocuments.has(command)) return undefined
  }
  return commands
}

/** Each of their rows is still a document. */
const keepsDocuments: ReadonlySet<Command['command']> = new Set([
  'where',
  'eval',
  'rename',
  'keep',
  'drop',
  'sort',
  'grok',
  'dissect',
])

/** Where the rows of a stage are, by a column of theirs that says it. */
export function placesOf(stage: Stage, place: Sql): Sql {
  return sql`SELECT tupleElement(${place}, 1), tupleElement(${place}, 2) FROM ${stage.from()}${orderBy(stage.order)}`
}

/** The rows of that statement. */
export function readPlaces(rows: readonly (readonly unknown[])[]): Places {
  const places = new Map<number, number[]>()
  for (const [leaf, sequence] of rows) {
    const known = places.get(Number(leaf)) ?? []
    known.push(Number(sequence))
    places.set(Number(leaf), known)
  }
  return places
}
