import type { ResolvedField } from '../../model/mapping.ts'

/** What a lookup must know of a table beside its rows; grows while the table is filled. */
export interface TableShape {
  /** The mapping of the match field, for types whose values are read by it. */
  readonly field?: ResolvedField
  /** Sizes of pieces that occur. */
  readonly sizes?: readonly number[]
  /** How the indices map the fields that are added; those that they map otherwise, or not at all, are `keyword`. */
  readonly enriched?: readonly EnrichedField[]
}

/** A field of a policy as its indices map it; `parameters` are those that values are read by. */
export type EnrichedField = Pick<ResolvedField, 'path' | 'wireType' | 'parameters'>

/** How the values of a type of policy become keys. */
export interface Keying {
  /** The field as the table keeps it. Throws `illegal_argument_exception` for a mapping the type cannot use; `field` is undefined where there is none. */
  fieldOf(path: string, field: ResolvedField | undefined): ResolvedField | undefined
  /** The keys of one value of the match field, and the sizes of their pieces. Throws for what cannot be read. */
  rowKeys(value: unknown, shape: TableShape): { readonly keys: readonly string[]; readonly sizes?: readonly number[] }
  /** The keys under which the documents for a value may stand. Throws `illegal_argument_exception` for what cannot be read. */
  lookupKeys(value: unknown, shape: TableShape): readonly string[]
  /** The values of a match field of a document, or of a document that is enriched. */
  values(given: unknown): readonly unknown[]
  /** Whether a document that stands under a key is meant; absent: it is. */
  readonly holds?: (own: readonly unknown[], value: unknown) => boolean
  /** Whether the type takes `shape_relation`. */
  readonly relates: boolean
}
