import { messageOf } from '@logstack/errors'
import { boundedRegExp } from '@logstack/rules'
import { shownPattern } from '../patterns/shown-pattern.ts'

const posix: Readonly<Record<string, string>> = {
  alpha: 'a-zA-Z',
  digit: '0-9',
  alnum: 'a-zA-Z0-9',
  upper: 'A-Z',
  lower: 'a-z',
  space: '\\s',
  blank: ' \\t',
  punct: '!-\\/:-@\\[-`{-~',
  xdigit: '0-9a-fA-F',
  word: '\\w',
  cntrl: '\\x00-\\x1f\\x7f',
  print: '\\x20-\\x7e',
  graph: '\\x21-\\x7e',
}

/**
 * Writes a pattern of Java or Oniguruma so that JavaScript reads it: `\A`, `\z`, POSIX classes, possessive quantifiers and atomic groups
 * (read as plain ones), flags at the beginning.
 */
function translated(pattern: string): { source: string; flags: string } {
  const [whole = '', letters = ''] = /^\(\?([imsx]+)\)/.exec(pattern) ?? []
  const flags = [...new Set(letters.replace('x', ''))].join('')
  const source = pattern
    .slice(whole.length)
    .replace(
      /\\[AZzQE]|\\.|\[\[:(\w+):\]\]|\[:(\w+):\]|\(\?>|([*+?}])\+/g,
      (token, single?: string, inner?: string, quantifier?: string) => {
        if (single !== undefined) return `[${posix[single] ?? ''}]`
        if (inner !== undefined) return posix[inner] ?? ''
        if (quantifier !== undefined) return quantifier
        if (token === '(?>') return '(?:'
        if (token === '\\A') return '^'
        if (token === '\\Z' || token === '\\z') return '$'
        // Escapes JavaScript does not know in its strict mode.
        return /^\\[_<>"'@#%&=:;,!`~ -]$/.test(token) && token !== '\\-' ? token.slice(1) : token
      },
    )
  return { source, flags }
}

/** Compiles a pattern written for Java. `fault` makes the error of one that cannot be read. */
export function javaPattern(pattern: string, fault: (reason: string) => Error, flags = ''): RegExp {
  const { source, flags: own } = translated(pattern)
  try {
    return boundedRegExp(source, flags + own)
  } catch (thrown) {
    throw fault(`Invalid regex pattern [${shownPattern(pattern)}]: ${messageOf(thrown)}`)
  }
}

/** A replacement written for Java (`$1`, `${name}`, `\$`) as JavaScript reads it. */
export function javaReplacement(text: string): string {
  return text.replace(/\\(.)|\$\{(\w+)\}|\$(?!\d)/g, (token, escaped?: string, name?: string) => {
    if (escaped !== undefined) return escaped === '$' ? '$$' : escaped
    return name === undefined ? `$${token}` : `$<${name}>`
  })
}
