import type { Predicate } from '@logstack/rules'
import type { z } from 'zod'
import type { ResolvedField } from '../indices/model.ts'

/** What a clause may ask while it is lowered for one index: fields of its mapping, the clock, other clauses. */
export interface LowerContext {
  /** The field of that path; aliases followed; undefined when unmapped or hidden from the caller. */
  field(path: string): ResolvedField | undefined
  /** Fields whose path matches a wildcard pattern, for `fields: ["host.*"]`. */
  fieldsMatching(pattern: string): readonly ResolvedField[]
  /** Lowers a nested clause. */
  lower(query: unknown): Predicate
  /** Notes what a clause with a `_name` means, for `matched_queries`. */
  named(name: string, predicate: Predicate): void
  /** The moment `now` in date math means: the same for the whole request. */
  readonly nowMs: number
  readonly indexName: string
  /** `index.query.default_field`, or `*`. */
  readonly defaultFields: readonly string[]
}

/** A query clause: its wire name, the strict schema of its body, and its meaning in the closed form. */
export interface QueryClause<T = unknown> {
  readonly name: string
  readonly schema: z.ZodType<T>
  lower(body: T, context: LowerContext): Predicate
}

/** Declares a query clause; `queries/index.ts` lists it. Unknown keys become Elasticsearch's `parsing_exception`. */
export function defineQuery<T>(clause: QueryClause<T>): QueryClause<T> {
  return clause
}

/** A clause whose body type the registry need not know. */
export interface AnyQueryClause {
  readonly name: string
  /** Reads the body once; the result lowers for any index. */
  read(body: unknown): (context: LowerContext) => Predicate
}
