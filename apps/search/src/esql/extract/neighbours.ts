import { boundedRegExp } from '@logstack/rules'
import { tokensOf } from './pattern-tokens.ts'

/** What is known of the letter that a look-around looks at: it fits always, or unless the place is the text's edge where that is to be seen, or nobody knows. */
export type Verdict = 'always' | 'at-edge' | 'unknown'

/** What a look-around looks at: the letters that will do, as a class of this runtime or all but it. */
export interface Look {
  readonly side: 'before' | 'after'
  readonly letters: string
  readonly negated: boolean
}

/** Letters, one bit each, and whether there may be none. */
interface Near {
  readonly letters: bigint
  readonly none: boolean
}

/** A piece of a pattern: letters, a group of ways, a look-around by its place in the pattern, or a place. */
interface Piece {
  readonly letters: bigint
  readonly ways: readonly (readonly Piece[])[]
  readonly look: number | undefined
  least: number
  most: number
}

/** Letters that tell classes apart: those of grok are of ASCII. */
const samples = [...Array.from({ length: 128 }, (_, at) => String.fromCharCode(at)), 'é', '\u00a0', '\u2028', '\u4e2d']

/** The samples that a class or a letter of this runtime fits. */
function lettersOf(written: string, flags: string): bigint {
  const pattern = boundedRegExp(`^(?:${written})$`, flags.replace(/[^is]/gu, ''))
  return samples.reduce((bits, letter, at) => (pattern.test(letter) ? bits | (1n << BigInt(at)) : bits), 0n)
}

const all = (1n << BigInt(samples.length)) - 1n

function both(a: Near, b: Near): Near {
  return { letters: a.letters | b.letters, none: a.none || b.none }
}

/** What a list of pieces can begin with, read from its other end (`reversed`) what it can end with; `none` where it can be empty. */
function edgeOf(pieces: readonly Piece[], reversed: boolean): Near {
  let near: Near = { letters: 0n, none: true }
  for (const piece of reversed ? pieces.toReversed() : pieces) {
    if (!near.none) break
    const own = edgeOfPiece(piece, reversed)
    near = { letters: near.letters | own.letters, none: own.none }
  }
  return near
}

function edgeOfPiece({ letters, ways, least }: Piece, reversed: boolean): Near {
  if (ways.length === 0) return { letters, none: letters === 0n || least === 0 }
  const own = ways.map((way) => edgeOf(way, reversed)).reduce(both)
  return { letters: own.letters, none: own.none || least === 0 }
}

/** What stands before and after each look-around of a pattern, by its place. */
function walk(pieces: readonly Piece[], before: Near, after: Near, found: Map<number, readonly [Near, Near]>): void {
  for (const [at, piece] of pieces.entries()) {
    const ahead = follow(edgeOf(pieces.slice(0, at), true), before)
    const behind = follow(edgeOf(pieces.slice(at + 1), false), after)
    if (piece.look !== undefined) found.set(piece.look, [ahead, behind])
    // A group that is read again stands beside itself.
    const again = (reversed: boolean) => (piece.most > 1 ? edgeOfPiece(piece, reversed).letters : 0n)
    for (const way of piece.ways)
      walk(
        way,
        { ...ahead, letters: ahead.letters | again(true) },
        { ...behind, letters: behind.letters | again(false) },
        found,
      )
  }
}

function follow(near: Near, beyond: Near): Near {
  return near.none ? { letters: near.letters | beyond.letters, none: beyond.none } : near
}

/** What a pattern says of the letters at its look-arounds, by their places in it. */
export function verdictsOf(
  source: string,
  flags: string,
  looks: ReadonlyMap<number, Look>,
): ReadonlyMap<number, Verdict> {
  const found = new Map<number, readonly [Near, Near]>()
  // What stands around the whole can be any letter: the pattern may begin and end anywhere in a text.
  const edge: Near = { letters: 0n, none: true }
  walk(read(source, flags), edge, edge, found)
  return new Map(
    [...looks].map(([at, { side, letters, negated }]) => {
      const near = found.get(at)?.[side === 'before' ? 0 : 1] ?? { letters: all, none: true }
      const fitting = negated ? all & ~lettersOf(letters, flags) : lettersOf(letters, flags)
      if ((near.letters & ~fitting) !== 0n) return [at, 'unknown'] as const
      return [at, near.none ? 'at-edge' : 'always'] as const
    }),
  )
}

function read(source: string, flags: string): readonly Piece[] {
  const stack: Piece[][][] = [[[]]]
  const put = (piece: Partial<Piece>) =>
    stack
      .at(-1)
      ?.at(-1)
      ?.push({ letters: 0n, ways: [], look: undefined, least: 1, most: 1, ...piece })
  for (const { kind, text, at } of tokensOf(source)) {
    if (kind === 'open') stack.push([[]])
    else if (kind === 'or') stack.at(-1)?.push([])
    else if (kind === 'close') put({ ways: stack.length > 1 ? (stack.pop() ?? []) : [] })
    else if (kind === 'look') put({ look: at })
    else if (kind === 'letters') put({ letters: lettersOf(text, flags) })
    else if (kind === 'times') repeat(stack.at(-1)?.at(-1)?.at(-1), text)
  }
  const [ways = []] = stack
  return ways.length === 1 ? (ways[0] ?? []) : [{ letters: 0n, ways, look: undefined, least: 1, most: 1 }]
}

function repeat(piece: Piece | undefined, times: string): void {
  if (!piece) return
  const [, least, comma, most] = /^\{(\d+)(,)?(\d+)?/u.exec(times) ?? []
  piece.least = least === undefined ? (times.startsWith('+') ? 1 : 0) : Number(least)
  const isEndless = comma !== undefined || /^[*+]/u.test(times)
  piece.most = most !== undefined ? Number(most) : isEndless ? Number.POSITIVE_INFINITY : Math.max(1, piece.least)
}
