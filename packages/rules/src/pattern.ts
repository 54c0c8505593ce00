import { editDistance } from '@logstack/spelling'
import { boundedRegExp } from './bounded-regexp.ts'
import { escapeRegexp, luceneRegexp } from './lucene-regexp.ts'
import type { Pattern } from './predicate.ts'
import { isQuick, regexpShape } from './regexp-shape.ts'
import { compileSteady } from './steady-regexp.ts'

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
    return (value) =>
      value.startsWith(start) && editDistance(value, pattern.text, edits, pattern.transpositions) <= edits
  }
  if (pattern.kind === 'regexp') return regexpTest(pattern)
  const letters = pattern.caseInsensitive ? withoutCase : (text: string) => text
  const text = letters(pattern.text)
  if (pattern.kind === 'prefix') return (value) => letters(value).startsWith(text)
  const test = wildcardTest(wildcardPieces(text))
  return (value) => test(letters(value))
}

/** Letters in their small form, character by character: letters that have none of one character stay as they are. */
function withoutCase(text: string): string {
  const small = text.toLowerCase()
  if (small.length === text.length) return small
  return Array.from(text, (character) => {
    const changed = character.toLowerCase()
    return changed.length === character.length ? changed : character
  }).join('')
}

/** Texts that would take this runtime long, as it goes back and forth, are matched by an engine that does not. */
function regexpTest(pattern: Pattern): (value: string) => boolean {
  const source = `^(?:${patternSource(pattern)})$`
  const expression = boundedRegExp(source, pattern.caseInsensitive ? 'isu' : 'su')
  const shape = regexpShape(source)
  let steady: ((text: string) => boolean) | undefined
  return (value) => {
    if (isQuick(shape, value.length)) return expression.test(value)
    steady ??= compileSteady(source, pattern.caseInsensitive ? 'i' : '')
    return steady(value)
  }
}

/**
 * A test of wildcards without a regular expression, which tries every way to share a value among many `*` and refuses long patterns: each literal
 * is taken where it first fits, so a value is gone through once for each literal at most.
 */
function wildcardTest(pieces: readonly WildcardPiece[]): (value: string) => boolean {
  const runs = runsOf(pieces)
  const [head = []] = runs
  if (runs.length === 1) return (value) => fitsAt(head, value, 0) === value.length
  const tail = runs[runs.length - 1] ?? []
  const middle = runs.slice(1, -1)
  return (value) => {
    let at = fitsAt(head, value, 0)
    for (const run of middle) {
      if (at === undefined) return false
      at = findRun(run, value, at)
    }
    return at !== undefined && endsWithRun(tail, value, at)
  }
}

/** What stands between the `*`: literals and `?`; the first run begins a value, the last one ends it. */
function runsOf(pieces: readonly WildcardPiece[]): WildcardPiece[][] {
  const runs: WildcardPiece[][] = [[]]
  for (const piece of pieces) {
    if ('any' in piece && piece.any === 'many') runs.push([])
    else runs[runs.length - 1]?.push(piece)
  }
  return runs
}

/** Where a run that begins at `at` ends; undefined when it does not fit there. */
function fitsAt(run: readonly WildcardPiece[], value: string, at: number): number | undefined {
  let end = at
  for (const piece of run) {
    if ('literal' in piece) {
      if (!value.startsWith(piece.literal, end)) return undefined
      end += piece.literal.length
    } else {
      const character = value.codePointAt(end)
      if (character === undefined) return undefined
      end += character > 0xffff ? 2 : 1
    }
  }
  return end
}

/** The end of the first place at or after `from` where a run fits. */
function findRun(run: readonly WildcardPiece[], value: string, from: number): number | undefined {
  const [first] = run
  for (let at = from; at <= value.length; at++) {
    if (first !== undefined && 'literal' in first) at = value.indexOf(first.literal, at)
    if (at < 0) return undefined
    const end = isInside(value, at) ? undefined : fitsAt(run, value, at)
    if (end !== undefined) return end
  }
  return undefined
}

/** Whether a run fits so that it ends the value, beginning at or after `from`. */
function endsWithRun(run: readonly WildcardPiece[], value: string, from: number): boolean {
  let start = value.length
  for (const piece of [...run].reverse()) {
    if ('literal' in piece) start -= piece.literal.length
    else start -= isInside(value, start - 1) ? 2 : 1
  }
  return start >= from && fitsAt(run, value, start) === value.length
}

/** Whether a place lies between the two halves of one character. */
function isInside(value: string, at: number): boolean {
  const [before, here] = [value.charCodeAt(at - 1), value.charCodeAt(at)]
  return before >= 0xd800 && before < 0xdc00 && here >= 0xdc00 && here < 0xe000
}
