import { regexpShape } from './regexp-shape.ts'

/** Why an expression is not compiled; the message is for whom gave it. */
export class RefusedPattern extends Error {}

/** What an expression may hold. The compiler of this runtime ends the process where groups stand some thousand deep in each other. */
const limits = { letters: 20_000, depth: 200, properties: 100 } as const

/** Above this an expression is compiled at once: it is here that one turns out to be too large, not when it is first used. */
const lazyLettersMax = 500

/**
 * The one place where a text becomes a regular expression. Throws `RefusedPattern` for what is none, and for what is longer, deeper or larger than
 * can be compiled without harm. It does not bound the time of a match: see `isQuick`.
 */
export function boundedRegExp(source: string, flags: string): RegExp {
  if (source.length > limits.letters)
    throw new RefusedPattern(
      `the pattern has [${source.length}] characters, which is more than the allowed maximum of [${limits.letters}]`,
    )
  const { depth, properties } = regexpShape(source)
  if (depth > limits.depth)
    throw new RefusedPattern(
      `the groups of the pattern stand [${depth}] deep in each other, which is more than the allowed maximum of [${limits.depth}]`,
    )
  if (properties > limits.properties)
    throw new RefusedPattern(
      `the pattern has [${properties}] classes by property, which is more than the allowed maximum of [${limits.properties}]`,
    )
  try {
    const compiled = new RegExp(source, flags)
    if (source.length > lazyLettersMax) {
      compiled.exec('')
      compiled.lastIndex = 0
    }
    return compiled
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError) && !(thrown instanceof RangeError)) throw thrown
    throw new RefusedPattern(thrown.message.slice(-500), { cause: thrown })
  }
}
