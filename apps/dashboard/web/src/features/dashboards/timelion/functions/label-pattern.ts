import { RefusedPattern } from '@logstack/rules/bounded-regexp'
import { steadyPattern } from '@logstack/rules/steady-regexp'
import { TimelionError } from '../language/tree.ts'

/**
 * Puts `replacement` in place of the first thing that a pattern finds, with `$1` for what its groups hold, in a time that grows with the length of the
 * text alone. Throws `TimelionError` for what is no pattern, or looks around itself.
 */
export function replaceFirst(pattern: string, replacement: string): (text: string) => string {
  const compiled = compile(pattern)
  return (text) => {
    const matcher = compiled.matcher(text)
    if (!matcher.find()) return text
    const put = replacement.replaceAll(/\$(\$|&|\d{1,2})/g, (whole, what: string) => {
      if (what === '$') return '$'
      const group = what === '&' ? 0 : Number(what)
      return group <= matcher.groupCount() ? (matcher.group(group) ?? '') : whole
    })
    return text.slice(0, matcher.start()) + put + text.slice(matcher.end())
  }
}

function compile(pattern: string): ReturnType<typeof steadyPattern> {
  try {
    return steadyPattern(pattern, '')
  } catch (thrown) {
    if (thrown instanceof RefusedPattern)
      throw new TimelionError(`The pattern “${pattern}” cannot be used: ${thrown.message}`)
    throw thrown
  }
}
