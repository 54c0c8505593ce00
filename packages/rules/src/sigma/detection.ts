import type { TextPiece } from './text.ts'

/** One test of one field of an event; without a field, of any text anywhere in it. */
export type Match =
  /** One of the field's values fits the pieces; in lower case unless `cased`. */
  | {
      readonly kind: 'text'
      readonly field: string | undefined
      readonly pieces: readonly TextPiece[]
      readonly cased: boolean
    }
  /** A regular expression (RE2's syntax) is found in one of the values. `flags` are some of `ims`. */
  | { readonly kind: 're'; readonly field: string | undefined; readonly source: string; readonly flags: string }
  /** One of the values is an address within the block. */
  | { readonly kind: 'cidr'; readonly field: string; readonly first: bigint; readonly last: bigint }
  | {
      readonly kind: 'compare'
      readonly field: string
      readonly operator: 'lt' | 'lte' | 'gt' | 'gte'
      readonly value: number
    }
  | { readonly kind: 'exists'; readonly field: string }
  /** One of the field's values, as text, stands so to one of the other field's. */
  | {
      readonly kind: 'fieldref'
      readonly field: string
      readonly other: string
      readonly relation: 'equals' | 'contains' | 'startswith' | 'endswith'
      readonly cased: boolean
    }
  /** A part of a time in UTC equals a number. */
  | { readonly kind: 'time'; readonly field: string; readonly part: TimePart; readonly value: number }

export type TimePart = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/** What a rule looks for: matches joined by and, or, not. */
export type Detection =
  | { readonly op: 'and'; readonly of: readonly Detection[] }
  | { readonly op: 'or'; readonly of: readonly Detection[] }
  | { readonly op: 'not'; readonly of: Detection }
  | { readonly op: 'match'; readonly match: Match }

/** A part of a rule that cannot be used, and where in the rule it is. */
export class SigmaProblem extends Error {
  readonly path: readonly PropertyKey[]

  constructor(path: readonly PropertyKey[], message: string) {
    super(message)
    this.path = path
  }
}

/** Both; a single member stands for itself. */
export function allOf(of: readonly Detection[]): Detection {
  const [only] = of
  return of.length === 1 && only ? only : { op: 'and', of }
}

/** Any; a single member stands for itself. */
export function anyOf(of: readonly Detection[]): Detection {
  const [only] = of
  return of.length === 1 && only ? only : { op: 'or', of }
}
