/**
 * A word of a query: the literal pieces between its wildcards, so `ho*t` is `['ho', 't']` and a word without a wildcard has one piece.
 * Quoted words never hold wildcards.
 */
export interface KqlText {
  readonly pieces: readonly string[]
  readonly quoted: boolean
}

export type RangeOperator = 'lt' | 'lte' | 'gt' | 'gte'

/** What a KQL query says. `match` without a field searches all fields. */
export type KqlNode =
  | { readonly kind: 'and' | 'or'; readonly children: readonly KqlNode[] }
  | { readonly kind: 'not'; readonly child: KqlNode }
  | { readonly kind: 'match'; readonly field: KqlText | undefined; readonly value: KqlText }
  | { readonly kind: 'range'; readonly field: KqlText; readonly operator: RangeOperator; readonly value: KqlText }
  | { readonly kind: 'nested'; readonly path: KqlText; readonly child: KqlNode }

/** Whether a word holds a wildcard. */
export function hasWildcard(text: KqlText): boolean {
  return text.pieces.length > 1
}

/** Whether a word is the lone `*`, which asks for any value. */
export function isAnyValue(text: KqlText): boolean {
  return !text.quoted && text.pieces.length > 1 && text.pieces.every((piece) => piece === '')
}

/** A word as people read it; wildcards are `*`. */
export function plainText(text: KqlText): string {
  return text.pieces.join('*')
}
