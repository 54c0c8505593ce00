import { editDistance } from './edit-distance.ts'
import { escapeRegexp, luceneRegexp } from './lucene-regexp.ts'
import type { Pattern } from './predicate.ts'

/** One piece of a wildcard pattern: literal text, `*` or `?`. */
export type WildcardPiece = { readonly literal: string } | { readonly any: 'one' | 'many' }

/** Splits a wildcard pattern; a backslash makes the next character literal. */
export function wildcardPieces(text: string): WildcardPiece[] {
  const pieces: WildcardPiece[] = []
  let literal = ''
  const flush = () => {
    if (literal !== '') pieces.push({ literal })
    literal = ''
  }
  const characters = [...text]
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '*' || character === '?') {
      flush()
      pieces.push({ any: character === '*' ? 'many' : 'one' })
    } else if (character === '\\' && at + 1 < characters.length) literal += characters[++at]
    else literal += character
  }
  flush()
  return pieces
}

/** The pattern as an unanchored regular expression source that this runtime and the engine read alike. A pattern that was not checked before it got here is a bug. */
export function patternSource(pattern: Pattern): string {
  if (pattern.kind === 'prefix') return `${escapeRegexp(pattern.text)}.*`
  if (pattern.kind === 'wildcard')
    return wildcardPieces(pattern.text)
      .map((piece) => ('literal' in piece ? escapeRegexp(piece.literal) : piece.any === 'many' ? '.*' : '.'))
      .join('')
  if (pattern.kind === 'fuzzy') throw new Error('BUG: a fuzzy pattern is no regular expression')
  const read = luceneRegexp(pattern.text)
  if ('error' in read) throw new Error(`BUG: an unchecked pattern reached the evaluator: ${read.error}`)
  return read.source
}

/** A test for whole values. */
export function compilePattern(pattern: Pattern): (value: string) => boolean {
  if (pattern.kind === 'fuzzy') {
    const { edits = 0, prefixLength = 0 } = pattern
    const start = [...pattern.text].slice(0, prefixLength).join('')
    return (value) => value.startsWith(start) && editDistance(value, pattern.text, edits) <= edits
  }
  if (pattern.kind === 'prefix' && !pattern.caseInsensitive) return (value) => value.startsWith(pattern.text)
  const expression = new RegExp(`^(?:${patternSource(pattern)})$`, pattern.caseInsensitive ? 'isu' : 'su')
  return (value) => expression.test(value)
}
