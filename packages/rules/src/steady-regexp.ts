import { type Matcher, RE2JS, RE2JSException } from 're2js'
import { RefusedPattern } from './bounded-regexp.ts'

/**
 * A test of whole texts in a time that grows with their length alone, slower than this runtime's own for most of them. Knows no look-around and no
 * back references; throws `RefusedPattern` for those and for repetitions of repetitions that are too large.
 */
export function compileSteady(source: string, flags: '' | 'i'): (text: string) => boolean {
  try {
    const compiled = RE2JS.compile(source, RE2JS.DOTALL | (flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0))
    return (text) => compiled.matches(text)
  } catch (thrown) {
    if (thrown instanceof RE2JSException) throw new RefusedPattern(thrown.message, { cause: thrown })
    throw thrown
  }
}

/** A pattern that finds, and tells what its groups hold; its times are bounded like those of `compileSteady`. */
export type SteadyPattern = RE2JS
/** One pattern on its way through one text. */
export type SteadyMatcher = Matcher

/** Compiles a pattern with the letters of Java's flags (`i`, `m`, `s`, `u`); throws `RefusedPattern` as `compileSteady` does, and for another flag. */
export function steadyPattern(source: string, flags: string): SteadyPattern {
  const known: Readonly<Record<string, number>> = {
    i: RE2JS.CASE_INSENSITIVE,
    m: RE2JS.MULTILINE,
    s: RE2JS.DOTALL,
    u: 0,
  }
  let bits = 0
  for (const flag of flags) {
    const bit = Object.hasOwn(known, flag) ? known[flag] : undefined
    if (bit === undefined) throw new RefusedPattern(`unknown flag [${flag}]`)
    bits |= bit
  }
  try {
    return RE2JS.compile(source, bits)
  } catch (thrown) {
    if (thrown instanceof RE2JSException) throw new RefusedPattern(thrown.message, { cause: thrown })
    throw thrown
  }
}
