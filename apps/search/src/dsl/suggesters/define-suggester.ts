import type { z } from 'zod'
import type { Engine, ReadOptions } from '../../engine/engine.ts'
import type { IndexMeta } from '../../model/index-meta.ts'
import type { TableMeta } from '../../model/table.ts'
import type { ColumnLookup } from '../../sql/predicate-to-sql.ts'
import type { Sql } from '../../sql/sql.ts'
import type { TracedContext } from '../lower-context.ts'
import type { SourceFilter } from '../source-filter.ts'

/** What is suggested for one piece of the text. */
export interface SuggestedEntry {
  readonly text: string
  /** In UTF-16 units of the whole text. */
  readonly offset: number
  readonly length: number
  readonly options: readonly unknown[]
}

/** Documents of indices that are read together. */
export interface SuggestRows {
  readonly table: TableMeta
  readonly indices: readonly IndexMeta[]
  readonly context: TracedContext
  /** Where the values of fields are. */
  readonly columns: ColumnLookup
  /** Those that the caller sees. */
  readonly from: Sql
  readonly where: Sql
  /** What the caller sees of a source; undefined of an index that shows none. */
  visibleSource(index: IndexMeta, source: Buffer): Buffer | undefined
}

/** What a suggester works with: all documents the caller sees, whatever the query. */
export interface SuggestRun {
  readonly engine: Pick<Engine, 'rows' | 'bytes'>
  readonly rows: readonly SuggestRows[]
  readonly read: ReadOptions
  readonly source: SourceFilter
}

/** The text of an entry: a whole one, the beginning of what is meant, or a pattern for it. */
export interface SuggestText {
  readonly kind: 'text' | 'prefix' | 'regex'
  readonly text: string
}

/** A suggester: its wire name, the strict schema of its body, the fields it reads, and its answer. */
export interface Suggester<T = unknown> {
  readonly name: string
  readonly schema: z.ZodType<T>
  /** Looks at its fields, so that indices that differ in them are read apart. Throws for a field that cannot be suggested from. */
  touch(body: T, context: TracedContext): void
  suggest(body: T, text: SuggestText, run: SuggestRun): Promise<readonly SuggestedEntry[]>
}

/** Declares a suggester; `index.ts` lists it. */
export function defineSuggester<T>(suggester: Suggester<T>): Suggester<T> {
  return suggester
}
