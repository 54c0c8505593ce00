import { RE2JS, RE2JSException } from 're2js'
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
