import type { z } from 'zod'
import type { TracedContext } from '../dsl/lower-context.ts'
import type { SourceFilter } from '../dsl/source-filter.ts'
import type { ReadOptions } from '../engine/engine.ts'
import type { PlanServices } from '../plan/leaves/leaf-request.ts'
import type { Leaf } from '../plan/leaves/leaves.ts'

/** What is suggested for one piece of the text. */
export interface SuggestedEntry {
  readonly text: string
  /** In UTF-16 units of the whole text. */
  readonly offset: number
  readonly length: number
  readonly options: readonly unknown[]
}

/** What a suggester works with: leaves of all documents the caller sees. */
export interface SuggestRun {
  readonly services: PlanServices
  readonly leaves: readonly Leaf[]
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
