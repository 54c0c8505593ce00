import { messageOf } from '@logstack/errors'
import { boundedRegExp } from '@logstack/rules'
import { withOptionalGroups } from './optional-groups.ts'
import { shownPattern } from './shown-pattern.ts'

const posix: ReadonlyMap<string, string> = new Map([
  ['alpha', 'a-zA-Z'],
  ['digit', '0-9'],
  ['alnum', 'a-zA-Z0-9'],
  ['upper', 'A-Z'],
  ['lower', 'a-z'],
  ['space', '\\s'],
  ['blank', ' \\t'],
  ['punct', '!-\\/:-@\\[-`{-~'],
  ['xdigit', '0-9a-fA-F'],
  ['word', '\\w'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['print', '\\x20-\\x7e'],
  ['graph', '\\x21-\\x7e'],
])

/** How the two dialects mark the ends of a text: in Oniguruma's, `^` and `$` are those of any line. */
const ends = {
  java: { start: '^', end: '$' },
  oniguruma: { start: '(?<![\\s\\S])', end: '(?![\\s\\S])' },
}

type Dialect = keyof typeof ends

/** The flags of JavaScript for those at a pattern's beginning. In Oniguruma's form `m` lets the dot match ends of lines. */
function flagsOf(letters: string, dialect: Dialect): string {
  const named = letters.replace('x', '')
  return [...new Set(dialect === 'java' ? named : `m${named.replace('m', 's')}`)].join('')
}

/** An escape without its backslash where JavaScript's strict mode does not know it. */
function plainEscape(token: string): string {
  return /^\\[_<>"'@#%&=:;,!`~ ]$/.test(token) ? token.slice(1) : token
}

/** The same of a whole class, in which what stands for repetition elsewhere means itself. */
function classOf(text: string): string {
  return text.replace(/\\.|\[:(\w+):\]/g, (token, name?: string) =>
    name === undefined ? plainEscape(token) : (posix.get(name) ?? ''),
  )
}

/**
 * Writes a pattern of Java or Oniguruma so that JavaScript reads it: `\A`, `\z`, POSIX classes, possessive quantifiers and atomic groups
 * (read as plain ones), flags at the beginning.
 */
function translated(pattern: string, dialect: Dialect): { source: string; flags: string } {
  const [whole = '', letters = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? []
  const flags = flagsOf(letters, dialect)
  const source = pattern
    .slice(whole.length)
    .replace(/\\.|\[\^?(?:\\.|\[:\w+:\]|[^\]\\])+\]|\(\?>|([*+?}])\+/g, (token, quantifier?: string) => {
      if (quantifier !== undefined) return quantifier
      if (token === '(?>') return '(?:'
      if (token === '\\A') return ends[dialect].start
      if (token === '\\Z' || token === '\\z') return ends[dialect].end
      return token.startsWith('[') ? classOf(token) : token === '\\-' ? '-' : plainEscape(token)
    })
  return { source: withOptionalGroups(source), flags }
}

/** Compiles a pattern written for Java. `fault` makes the error of one that cannot be read. */
export function javaPattern(pattern: string, fault: (reason: string) => Error, flags = ''): RegExp {
  return compiled(pattern, translated(pattern, 'java'), fault, flags)
}

/** Compiles a pattern written for Oniguruma in Ruby's form, as grok's are. `fault` makes the error of one that cannot be read. */
export function onigurumaPattern(pattern: string, fault: (reason: string) => Error): RegExp {
  return compiled(pattern, translated(pattern, 'oniguruma'), fault)
}

function compiled(
  pattern: string,
  { source, flags: own }: ReturnType<typeof translated>,
  fault: (reason: string) => Error,
  flags = '',
): RegExp {
  try {
    return boundedRegExp(source, flags + own)
  } catch (thrown) {
    throw fault(`Invalid regex pattern [${shownPattern(pattern)}]: ${messageOf(thrown)}`)
  }
}

/** A replacement written for Java (`$1`, `${name}`, `\$`) as JavaScript reads it. */
export function javaReplacement(text: string): string {
  return text.replace(/\\(.)|\$\{(\w+)\}|\$0|\$(?!\d)/g, (token, escaped?: string, name?: string) => {
    if (token === '$0') return '$&'
    if (escaped !== undefined) return escaped === '$' ? '$$' : escaped
    return name === undefined ? `$${token}` : `$<${name}>`
  })
}

/** What stands between the matches of a pattern with the flag `g`, as `String.split` of Java has it: its groups are left out, and empty texts at the end. */
export function javaSplit(text: string, separator: RegExp, keepTrailing = false): string[] {
  const parts: string[] = []
  let from = 0
  for (const match of text.matchAll(separator)) {
    if (match[0] === '' && (match.index === 0 || match.index === text.length)) continue
    parts.push(text.slice(from, match.index))
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  // A text without a separator is one part, though it be empty.
  while (!keepTrailing && from > 0 && parts.at(-1) === '') parts.pop()
  return parts
}
