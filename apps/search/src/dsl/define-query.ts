import type { Predicate } from '@logstack/rules'
import type { z } from 'zod'
import type { JoinField } from '../indices/join-mapping.ts'
import type { ResolvedField } from '../model/mapping.ts'
import type { Score } from '../scores/score.ts'
import type { Analyzer } from '../tokens/token.ts'
import type { ComputedFields } from './computed-fields.ts'
import type { NestedHits } from './inner-hits.ts'
import type { JoinedHits } from './joined-rows.ts'

/** What a clause may ask while it is lowered for one index: fields of its mapping, the clock, other clauses. */
export interface LowerContext {
  /** The field of that path; aliases followed; undefined when unmapped or hidden from the caller. */
  field(path: string): ResolvedField | undefined
  /** The same, or the feature of a `rank_features` field that the path names: to all other clauses it is no field. */
  feature(path: string): ResolvedField | undefined
  /** Fields whose path matches a wildcard pattern, for `fields: ["host.*"]`. */
  fieldsMatching(pattern: string): readonly ResolvedField[]
  /** Aliases whose names match a wildcard pattern, with the fields they stand for; which there are decides nothing of a query. */
  aliasesMatching(pattern: string): readonly (readonly [name: string, field: ResolvedField])[]
  /** What of the request must be computed: fields without columns that were looked up, scripts. */
  readonly computed: ComputedFields
  /** Says that only documents of at least this score match; only the outermost clause of a query may. */
  scoresAtLeast(score: number): void
  /** Notes objects of a nested clause that are shown with each hit. */
  showsNested(hits: NestedHits): void
  /** Notes hits that are joined to a hit and shown with it. Throws where others have their name. */
  showsJoined(hits: JoinedHits): void
  /** Lowers a query that says nothing of what is shown: what hits must not match, or what only changes their scores. */
  lowerUnshown(query: unknown): Predicate
  /** Notes clauses of which none need match: what they look for is marked where it stands. */
  marks(optional: readonly Predicate[]): void
  /** All that was noted of these until now. */
  readonly marked: readonly Predicate[]
  /** The join field of the index. */
  join(): JoinField | undefined
  /** Lowers a query for other documents of the index, of which nothing is noted for this one but what decides how it reads. Throws where too many joins are within each other. */
  lowerApart(query: unknown, isScored: boolean): Predicate
  /** Lowers a nested clause. */
  lower(query: unknown): Predicate
  /** What a nested clause adds to the score. */
  score(query: unknown): Score
  /** Notes what a clause with a `_name` means and how it is scored, for `matched_queries`. */
  named(name: string, predicate: Predicate, score: () => Score): void
  /** Whether the mapping keeps the objects at a path apart. */
  isNested(path: string): boolean
  /** The innermost nested object a field is in; empty when it is in none. */
  homeOf(field: ResolvedField): string
  /** The nested path whose objects are looked at; empty at the document itself. */
  inside(): string
  /** Runs a lowering among the objects at a path: only there have their fields values. */
  within<T>(path: string, work: () => T): T
  /** A setting of the index, by its name without `index.`. */
  setting(name: string): string | undefined
  /** An analyzer of the index, or a built-in one; undefined when there is none. */
  analyzer(name: string): Analyzer | undefined
  /** Throws where clauses of a kind that is dear (`script`) are not allowed. */
  spend(kind: string): void
  /** The moment `now` in date math means: the same for the whole request. */
  readonly nowMs: number
  /** The index, for what decides by its name: indices whose names were asked for share no statement. */
  readonly indexName: string
  /** The index as errors name it, also those that a lenient query forgets: decides nothing. Empty without an index. */
  readonly reportedIndex: string
  /** Whether there is an index; without one every field is unmapped. */
  readonly hasIndex: boolean
  /** `index.query.default_field`, or `*`. */
  defaultFields(): readonly string[]
}

/** A query clause: its wire name, the strict schema of its body, and its meaning in the closed form. */
export interface QueryClause<T = unknown> {
  readonly name: string
  readonly schema: z.ZodType<T>
  lower(body: T, context: LowerContext): Predicate
  /** What it adds to the score, its boost left out; absent: BM25 of the words and values it looks for, 1 for any other match. */
  score?(body: T, context: LowerContext): Score
}

/** Declares a query clause; `queries/index.ts` lists it. Unknown keys become Elasticsearch's `parsing_exception`. */
export function defineQuery<T>(clause: QueryClause<T>): QueryClause<T> {
  return clause
}

/** A clause whose body type the registry need not know. */
export interface AnyQueryClause {
  readonly name: string
  readonly schema: z.ZodType
  /** Reads the body once; the result lowers for any index. */
  read(body: unknown): ReadClause
}

/** A clause whose body was read, for any index. */
export interface ReadClause {
  lower(context: LowerContext): Predicate
  score(context: LowerContext): Score
}
