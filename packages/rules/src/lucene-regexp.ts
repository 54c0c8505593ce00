import { boundedRegExp, RefusedPattern } from './bounded-regexp.ts'
import { isQuick, regexpShape } from './regexp-shape.ts'
import { compileSteady } from './steady-regexp.ts'

/** Outcome of reading a Lucene regular expression: an equivalent source for both this runtime and the engine, or why it cannot be had. */
export type RegexpSource = { readonly source: string } | { readonly error: string }

/** Most alternatives a numeric interval `<1-99>` may unfold to. */
const intervalMembersMax = 1000
/** What an expression may hold: letters as given and as written, groups in groups, and quantifiers one after the other. */
const limits = { letters: 10_000, written: 19_000, depth: 100, quantifiers: 10 } as const
/** Expressions that are quick for texts of this length hardly ever need the other engine. */
const quickLetters = 64
const syntaxCharacters = /[\^$\\.*+?()[\]{}|]/u

/** A character that stands for itself in both dialects. */
export function escapeRegexp(text: string): string {
  let escaped = ''
  for (const character of text) escaped += syntaxCharacters.test(character) ? `\\${character}` : character
  return escaped
}

interface Cursor {
  readonly characters: readonly string[]
  at: number
  depth: number
}

class Refused extends Error {}

/**
 * Reads Lucene's regular expression syntax (`.`, `?`, `*`, `+`, `{n,m}`, `|`, `[…]`, `(…)`, `"…"`, `@`, `#`, `<n-m>`, `\d \w \s`) into a source that
 * means the same unanchored; the caller anchors it. Complement `~` and intersection `&` have no equivalent and are refused.
 */
export function luceneRegexp(text: string): RegexpSource {
  if (text.length > limits.letters) return { error: `it has more than ${limits.letters} characters` }
  const cursor: Cursor = { characters: [...text], at: 0, depth: 0 }
  try {
    const source = union(cursor)
    if (source.length > limits.written)
      return { error: `its intervals and letters are written with more than ${limits.written} characters` }
    if (cursor.at < cursor.characters.length)
      return { error: `unexpected [${cursor.characters[cursor.at]}] at position ${cursor.at}` }
    return compiles(source) ?? { source }
  } catch (thrown) {
    if (thrown instanceof Refused) return { error: thrown.message }
    throw thrown
  }
}

/** Why neither this runtime nor the other engine can compile an expression; undefined when they can. */
function compiles(source: string): { readonly error: string } | undefined {
  try {
    boundedRegExp(`^(?:${source})$`, 'su')
    // What it refuses are counted repetitions that are too large, and compiling takes ten times as long as the rest.
    if (source.includes('{') && !isQuick(regexpShape(source), quickLetters)) compileSteady(source, '')
    return undefined
  } catch (thrown) {
    if (thrown instanceof RefusedPattern) return { error: thrown.message }
    throw thrown
  }
}

function union(cursor: Cursor): string {
  const branches = [concatenation(cursor)]
  while (take(cursor, '|')) branches.push(concatenation(cursor))
  return branches.length === 1 ? (branches[0] ?? '') : `(?:${branches.join('|')})`
}

function concatenation(cursor: Cursor): string {
  let source = ''
  for (let next = peek(cursor); next !== undefined && next !== '|' && next !== ')'; next = peek(cursor))
    source += repeated(cursor)
  return source
}

function repeated(cursor: Cursor): string {
  let source = atom(cursor)
  for (let quantifiers = 0; ; quantifiers++) {
    const next = peek(cursor)
    if (quantifiers > limits.quantifiers)
      throw new Refused(`more than ${limits.quantifiers} quantifiers stand one after the other`)
    if (next === '?' || next === '*' || next === '+') {
      cursor.at++
      source = `(?:${source})${next}`
    } else if (next === '{') source = `(?:${source})${bounds(cursor)}`
    else return source
  }
}

function bounds(cursor: Cursor): string {
  const text = upTo(cursor, '}')
  const parts = /^(\d+)(,(\d*))?$/u.exec(text)
  if (!parts) throw new Refused(`invalid repetition {${text}}`)
  const most = Math.max(Number(parts[1]), Number(parts[3] ?? 0))
  if (most > 1000) throw new Refused(`repetition {${text}} is above 1000`)
  return `{${text}}`
}

function atom(cursor: Cursor): string {
  const character = peek(cursor) ?? ''
  cursor.at++
  switch (character) {
    case '.':
      return '.'
    case '@':
      return '.*'
    case '#':
      return '[^\\s\\S]'
    case '~':
    case '&':
      throw new Refused(`operator [${character}] is not supported`)
    case '(': {
      if (take(cursor, ')')) return '(?:)'
      if (++cursor.depth > limits.depth) throw new Refused(`more than ${limits.depth} groups stand in each other`)
      const inner = union(cursor)
      cursor.depth--
      if (!take(cursor, ')')) throw new Refused('expected )')
      return `(?:${inner})`
    }
    case '[':
      return characterClass(cursor)
    case '"': {
      cursor.at--
      return `(?:${escapeRegexp(upTo(cursor, '"'))})`
    }
    case '<':
      cursor.at--
      return interval(upTo(cursor, '>'))
    case '\\':
      return escaped(cursor)
    case '?':
    case '*':
    case '+':
    case '{':
      throw new Refused(`nothing to repeat before [${character}]`)
    default:
      return escapeRegexp(character)
  }
}

function escaped(cursor: Cursor): string {
  const character = peek(cursor)
  if (character === undefined) throw new Refused('unexpected end after backslash')
  cursor.at++
  return 'dDwWsS'.includes(character) ? `\\${character}` : escapeRegexp(character)
}

function characterClass(cursor: Cursor): string {
  let source = take(cursor, '^') ? '[^' : '['
  let members = 0
  while (!take(cursor, ']')) {
    const character = peek(cursor)
    if (character === undefined) throw new Refused('expected ]')
    cursor.at++
    if (character === '-' && members > 0 && peek(cursor) !== ']') {
      source += '-'
      continue
    }
    const literal = character === '\\' ? escaped(cursor) : character
    source += literal.length > 1 ? literal : literal.replace(/[\\\]^[-]/u, '\\$&')
    members++
  }
  if (members === 0) throw new Refused('empty character class')
  return `${source}]`
}

/** `<1-12>`: any of the numbers; leading zeros count when both ends have the same length. */
function interval(text: string): string {
  const parts = /^(\d+)-(\d+)$/u.exec(text)
  if (!parts) throw new Refused(`invalid interval <${text}>`)
  const [from = 0, to = 0] = [Number(parts[1]), Number(parts[2])].sort((a, b) => a - b)
  if (to - from >= intervalMembersMax)
    throw new Refused(`interval <${text}> has more than ${intervalMembersMax} members`)
  const width = parts[1]?.length === parts[2]?.length ? (parts[1]?.length ?? 0) : 0
  const members = Array.from({ length: to - from + 1 }, (_, step) => String(from + step).padStart(width, '0'))
  return `(?:${members.join('|')})`
}

/** Reads a delimited part; the cursor stands on its opening character. */
function upTo(cursor: Cursor, close: string): string {
  const end = cursor.characters.indexOf(close, cursor.at + 1)
  if (end < 0) throw new Refused(`expected ${close}`)
  const text = cursor.characters.slice(cursor.at + 1, end).join('')
  cursor.at = end + 1
  return text
}

function peek(cursor: Cursor): string | undefined {
  return cursor.characters[cursor.at]
}

function take(cursor: Cursor, character: string): boolean {
  if (peek(cursor) !== character) return false
  cursor.at++
  return true
}
