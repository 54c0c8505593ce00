import type { Look } from './neighbours.ts'

/**
 * The engine's expressions (RE2) have no look-around, and those of grok need it: `(?<!\d)` before an address. What looks at one letter only can be said otherwise:
 * marks are put into the text at all places where it holds, and the expression reads the mark there. Marks are code points that no text has (Unicode 23.7).
 */
export interface Mark {
  /** The letters that must stand before (after) the place, as a class of RE2 without marks among them. */
  readonly letters: string
  readonly side: 'before' | 'after' | 'word'
  /** Whether the beginning (the end) of the text will do, too. */
  readonly orNone: boolean
}

const firstMark = 0xfdd0
/** The most kinds of marks an expression may have. */
export const marksMax = 16

/** Any mark, inside a class of RE2. */
export const anyMark = '\\x{fdd0}-\\x{fddf}'

/** The mark of a kind, by its place among those of the expression. */
export function markAt(at: number): string {
  return String.fromCharCode(firstMark + at)
}

/** A class of letters as RE2 has it, from what stands between its brackets; marks are no letters. */
export function classOf(inner: string, negated: boolean): string {
  if (!negated) return `[${inner}]`
  // First, as a `-` may stand at the end of the others.
  return `[^${anyMark}${inner}]`
}

/** A look-around that looks at one letter, as a mark and as what it looks at. */
export interface OneLetter {
  readonly mark: Mark
  readonly look: Look
}

/** Reads a look-around (`(?<!\d)`); undefined for one that looks at more than a letter. */
export function oneLetter(text: string, isCaseless: boolean): OneLetter | undefined {
  const [, kind = '', single, other] = /^\(\?(<?[=!])(?:(\\[dDwWsS]|\[(?:\\.|[^\]\\])*\])(\|\$)?)\)$/su.exec(text) ?? []
  if (single === undefined || (other !== undefined && kind !== '=')) return undefined
  const side = kind.startsWith('<') ? 'before' : 'after'
  const isUnwanted = kind.endsWith('!')
  const { inner, negated } = partsOf(single)
  const letters = classOf(inner, negated !== isUnwanted)
  return {
    mark: { side, letters: isCaseless ? `(?i:${letters})` : letters, orNone: isUnwanted || other !== undefined },
    look: { side, letters: single, negated: isUnwanted },
  }
}

/** What is between the brackets of a class, and whether it is all but that. */
export function partsOf(written: string): { readonly inner: string; readonly negated: boolean } {
  if (!written.startsWith('[')) {
    const letter = written.slice(1)
    const lower = letter.toLowerCase()
    return { inner: `\\${lower}`, negated: letter !== lower }
  }
  const negated = written.startsWith('[^')
  return { inner: written.slice(negated ? 2 : 1, -1), negated }
}
