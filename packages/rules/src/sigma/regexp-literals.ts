/** Texts of which one must stand in whatever an expression finds, in lower case and folded as `folded` does. */
export type AnyText = readonly string[]

/** What is known of a part of an expression: the only texts it can find, where they are few, and lists of texts of each of which it needs one. */
interface Known {
  readonly exact: AnyText | undefined
  readonly needs: readonly AnyText[]
}

interface Cursor {
  readonly source: string
  at: number
}

const exactMax = 32
const exactLengthMax = 48
const needsMax = 16
const classMax = 4
const depthMax = 50
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const nothing: Known = { exact: [''], needs: [] }
const unknown: Known = { exact: undefined, needs: [] }

/** Something is written that is not read here: nothing is known of the expression. */
class Unread extends Error {}

/**
 * Lists of texts, of each of which one must stand in a text for an expression of RE2's syntax to be found there; none where nothing is known.
 * The text is to be looked at in lower case and folded as `folded` does: then they hold for expressions that take any case, too.
 */
export function regexpLiterals(source: string): readonly AnyText[] {
  try {
    const cursor: Cursor = { source, at: 0 }
    const known = readAny(cursor, 0)
    if (cursor.at < source.length) return []
    return needsOf(known).filter((texts) => texts.every((text) => text !== ''))
  } catch (thrown) {
    if (thrown instanceof Unread) return []
    throw thrown
  }
}

/** A text in lower case with the letters as one that RE2 takes for each other, or whose lower case depends on what stands around them. */
export function folded(lower: string): string {
  // Texts of one byte a character, nearly all, have neither; this runtime sees that without looking through them.
  if (!lower.includes('ſ') && !lower.includes('ς')) return lower
  return lower.replaceAll('ſ', 's').replaceAll('ς', 'σ')
}

function needsOf({ exact, needs }: Known): readonly AnyText[] {
  return exact ? [exact, ...needs] : needs
}

function readAny(cursor: Cursor, depth: number): Known {
  if (depth > depthMax) throw new Unread()
  const members = [readSequence(cursor, depth)]
  while (cursor.source[cursor.at] === '|') {
    cursor.at++
    members.push(readSequence(cursor, depth))
  }
  const [only] = members
  if (members.length === 1 && only) return only
  const exact = members.every((member) => member.exact) ? distinct(members.flatMap(({ exact: own }) => own ?? [])) : []
  if (exact.length > 0 && exact.length <= exactMax) return { exact, needs: [] }
  const best = members.map((member) => bestOf(needsOf(member)))
  const texts = distinct(best.flatMap((own) => own ?? []))
  return { exact: undefined, needs: best.some((own) => own === undefined) ? [] : [texts] }
}

// The one that is rarest to be found: whose shortest text is longest.
function bestOf(needs: readonly AnyText[]): AnyText | undefined {
  const shortest = (texts: AnyText): number => Math.min(...texts.map((text) => text.length))
  return needs.reduce<AnyText | undefined>(
    (best, texts) => (best === undefined || shortest(texts) > shortest(best) ? texts : best),
    undefined,
  )
}

function readSequence(cursor: Cursor, depth: number): Known {
  const needs: AnyText[] = []
  let [run, isWhole]: [AnyText, boolean] = [[''], true]
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== '|' && cursor.source[cursor.at] !== ')') {
    const part = repeated(cursor, readOne(cursor, depth))
    const longer = part.exact && crossed(run, part.exact)
    if (longer) run = longer
    else {
      needs.push(run, ...part.needs)
      run = part.exact ?? ['']
      isWhole = false
    }
  }
  if (isWhole) return { exact: run, needs: [] }
  return { exact: undefined, needs: [...needs, run].filter((texts) => !texts.includes('')).slice(0, needsMax) }
}

function crossed(left: AnyText, right: AnyText): AnyText | undefined {
  if (left.length * right.length > exactMax) return undefined
  const both = distinct(left.flatMap((before) => right.map((after) => before + after)))
  return both.some((text) => text.length > exactLengthMax) ? undefined : both
}

function distinct(texts: AnyText): AnyText {
  return [...new Set(texts)]
}

/** What is known of a part together with the repetition behind it. */
function repeated(cursor: Cursor, part: Known): Known {
  const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/u.exec(cursor.source.slice(cursor.at, cursor.at + 20))
  if (!found) return part
  const [all, sign, low, comma] = found
  cursor.at += all.length
  // One repetition behind the other: RE2 refuses most, and what is left is not read.
  if (/^(?:[*+?]|\{\d)/u.test(cursor.source.slice(cursor.at, cursor.at + 2))) throw new Unread()
  if (sign === '?' && part.exact) return { exact: distinct([...part.exact, '']), needs: [] }
  const isNeeded = sign === '+' || Number(low ?? 0) > 0
  if (!isNeeded) return unknown
  if (low === '1' && comma === '') return part
  return { exact: undefined, needs: needsOf(part).filter((texts) => !texts.includes('')) }
}

function readOne(cursor: Cursor, depth: number): Known {
  const character = cursor.source[cursor.at++] ?? ''
  switch (character) {
    case '(':
      return readGroup(cursor, depth)
    case '[':
      return readClass(cursor)
    case '\\':
      return readEscape(cursor)
    case '^':
    case '$':
      return nothing
    case '.':
      return unknown
    case '*':
    case '+':
    case '?':
      throw new Unread()
    default:
      return literal(character)
  }
}

// Which other letters RE2 takes for one in any case is known here of ASCII alone.
function literal(character: string): Known {
  return character.charCodeAt(0) < 128 ? { exact: [character.toLowerCase()], needs: [] } : unknown
}

function readGroup(cursor: Cursor, depth: number): Known {
  const rest = cursor.source.slice(cursor.at, cursor.at + 80)
  if (rest.startsWith('?')) {
    const head = /^\?(?:P?<\w+>|[imsU-]*(?:(:)|\)))/u.exec(rest)
    if (!head) throw new Unread()
    cursor.at += head[0].length
    // Flags alone: `U` and `s` change nothing of what is needed, and any case is looked for anyway.
    if (head[0].endsWith(')')) return nothing
  }
  const inner = readAny(cursor, depth + 1)
  if (cursor.source[cursor.at++] !== ')') throw new Unread()
  return inner
}

function readClass(cursor: Cursor): Known {
  const { source } = cursor
  const start = cursor.at
  if (source[cursor.at] === '^') cursor.at++
  if (source[cursor.at] === ']') cursor.at++
  while (source[cursor.at] !== ']') {
    if (cursor.at >= source.length) throw new Unread()
    if (source.startsWith('[:', cursor.at)) {
      const end = source.indexOf(':]', cursor.at)
      if (end < 0) throw new Unread()
      cursor.at = end + 2
    } else cursor.at += source[cursor.at] === '\\' ? 2 : 1
  }
  const inside = source.slice(start, cursor.at++)
  const plain = [...new Set(inside.toLowerCase())]
  if (!/^[\w ./%]+$/u.test(inside) || plain.length > classMax) return unknown
  return { exact: plain, needs: [] }
}

function readEscape(cursor: Cursor): Known {
  const character = cursor.source[cursor.at++] ?? ''
  if (/[bBAz]/u.test(character)) return nothing
  if (/[dDsSwW]/u.test(character)) return unknown
  const control = controls[character]
  if (control !== undefined) return literal(control)
  if (character === '' || /\w/u.test(character)) throw new Unread()
  return literal(character)
}
