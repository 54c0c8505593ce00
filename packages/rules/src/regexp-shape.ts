/** What a regular expression of this runtime could cost, read from its source alone. */
export interface RegexpShape {
  /** Ways to read one text at most, leaving endless repetitions out; `Infinity` when a repetition stands in an endless one. */
  readonly ways: number
  /** How many endless repetitions it has. */
  readonly endless: number
  /** How deep its groups stand in each other. */
  readonly depth: number
  /** Classes of letters by a property (`\p{L}`), which are compiled to hundreds of ranges each. */
  readonly properties: number
}

/** Steps that are harmless for any pattern: about a tenth of a second. */
const stepsMax = 10_000_000

/** Whether an expression of that shape cannot take long over a text of `length`: it tries each of its ways at most once from every place. */
export function isQuick({ ways, endless }: RegexpShape, length: number): boolean {
  return ways * Math.max(1, length) ** (endless + 1) <= stepsMax
}

/** A piece that can be repeated, or a branch of pieces. */
interface Piece {
  ways: number
  endless: number
}

/** An open group: the branches before, the branch being read, and its last piece, which a quantifier may follow. */
interface Group {
  done: number
  doneEndless: number
  branch: Piece
  last: Piece
}

const plain = (): Piece => ({ ways: 1, endless: 0 })
const opened = (): Group => ({ done: 0, doneEndless: 0, branch: plain(), last: plain() })
const groupStart = /\((?:\?(?::|=|!|<=|<!|<[^>]*>|[a-z-]*:))?/suy
const quantifier = /(?:[*+?]|\{(?<least>\d+)(?<comma>,(?<most>\d*))?\})\??/uy

/** Reads the shape of an expression; sources that are no expression have some shape, too. */
export function regexpShape(source: string): RegexpShape {
  const open: Group[] = [opened()]
  let [depth, properties] = [0, 0]
  for (let at = 0; at < source.length; ) {
    const group = open[open.length - 1] ?? opened()
    const character = source[at]
    const repeated = stickyMatch(quantifier, source, at)
    if (repeated) {
      repeat(group.last, repeated)
      at += repeated[0].length
      continue
    }
    if (character === '(') {
      open.push(opened())
      depth = Math.max(depth, open.length - 1)
      at += stickyMatch(groupStart, source, at)?.[0].length ?? 1
      continue
    }
    if (character === ')' && open.length > 1) {
      open.pop()
      follow(open[open.length - 1] ?? group, closed(group))
    } else if (character === '|') endBranch(group)
    else {
      if (character === '\\' && /[pP]/u.test(source[at + 1] ?? '')) properties++
      follow(group, plain())
    }
    at = endOfPiece(source, at)
  }
  const whole = open.reduceRight<Piece>((inner, group) => {
    follow(group, inner)
    return closed(group)
  }, plain())
  return { ...whole, depth, properties: properties + propertiesInClasses(source) }
}

function stickyMatch(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

/** Escapes and classes are one piece. A class may be empty: `[]` fits nothing, `[^]` everything. */
function endOfPiece(source: string, at: number): number {
  if (source[at] === '\\') return at + 2
  if (source[at] !== '[') return at + 1
  for (let end = at + 1; end < source.length; end++) {
    if (source[end] === '\\') end++
    else if (source[end] === ']') return end + 1
  }
  return source.length
}

function propertiesInClasses(source: string): number {
  return (source.match(/\[(?:\\.|[^\]\\])*\]/gsu) ?? []).reduce(
    (sum, members) => sum + members.split(/\\[pP]\{/u).length - 1,
    0,
  )
}

function follow(group: Group, piece: Piece): void {
  group.branch.ways *= group.last.ways
  group.branch.endless += group.last.endless
  group.last = piece
}

function endBranch(group: Group): void {
  follow(group, plain())
  group.done += group.branch.ways
  group.doneEndless += group.branch.endless
  group.branch = plain()
}

function closed(group: Group): Piece {
  endBranch(group)
  return { ways: group.done, endless: group.doneEndless }
}

function repeat(piece: Piece, found: RegExpExecArray): void {
  const { least = '0', comma, most } = found.groups ?? {}
  const isSingle = piece.ways === 1 && piece.endless === 0
  if (found[0].startsWith('?')) piece.ways += 1
  else if (!found[0].startsWith('{') || most === '') {
    if (isSingle) piece.endless = 1
    else piece.ways = Number.POSITIVE_INFINITY
  } else {
    const times = Number(comma === undefined ? least : most)
    const counts = Math.max(1, times - Number(least) + 1)
    piece.ways = isSingle ? counts : piece.ways ** times * counts
    piece.endless *= times
  }
}
