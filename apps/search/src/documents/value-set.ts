import { tokenize } from '@logstack/rules'

/** Different values of a column that are kept, and their letters. */
export const valuesMax = 4_096
const lettersMax = 128 * 1024
/** In bytes; a longer value makes a column one that is not kept. */
export const valueBytesMax = 256

/** All values that rows of a table have in a column, or had; `many` of a column that has too many of them to be kept. */
export type KnownValues = ValueSet | 'many'

/** The different values of a column. */
export class ValueSet {
  readonly values: ReadonlySet<string>
  /** Letters of all values. */
  readonly letters: number
  #words: Set<string> | undefined
  #isAscii: boolean | undefined

  constructor(values: ReadonlySet<string>) {
    this.values = values
    let letters = 0
    for (const value of values) letters += value.length
    this.letters = letters
  }

  /** The words of all values, as texts are cut; found when they are first asked for, a hundredth of a second's work. */
  get words(): ReadonlySet<string> {
    this.#words ??= wordsOf(this.values, new Set())
    return this.#words
  }

  get hasWords(): boolean {
    return this.#words !== undefined
  }

  /** Whether no value has letters beyond ASCII, whose cases and bytes this process and the engine compare otherwise. */
  get isAscii(): boolean {
    this.#isAscii ??= [...this.values].every(isAscii)
    return this.#isAscii
  }

  /** The set with more values, whose words alone are cut anew; `many` when these are too many. */
  with(more: readonly string[]): KnownValues {
    const made = fewOf(new Set([...this.values, ...more]))
    if (made !== 'many' && this.#words) made.#words = wordsOf(more, this.#words)
    return made
  }
}

/** The values as a set, unless there are too many of them, or too long ones. */
export function fewOf(values: ReadonlySet<string>): KnownValues {
  const set = new ValueSet(values)
  if (values.size > valuesMax || set.letters > lettersMax) return 'many'
  for (const value of values) if (Buffer.byteLength(value) > valueBytesMax) return 'many'
  return set
}

/** Whether a text has no half of a character, which no column and no statement can hold. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

export function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

function wordsOf(values: Iterable<string>, words: Set<string>): Set<string> {
  for (const value of values) for (const word of tokenize(value)) words.add(word)
  return words
}
