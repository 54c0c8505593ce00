import { scriptLimits } from './script-run.ts'
import { timesIn, withReplaced } from './text-search.ts'

/** Throws a RangeError for a text that would be too long: before it is made, where that can be told. */
export function refuseLong(letters: number): void {
  if (letters > scriptLimits.textCharsMax)
    throw new RangeError(`a text may have at most ${scriptLimits.textCharsMax} characters`)
}

/** How long the texts among the arguments of a call are. */
export function lettersOf(args: readonly unknown[]): number {
  let letters = 0
  for (const each of args) if (typeof each === 'string') letters += each.length
  return letters
}

/** Texts with a separator between them. */
export function joinedTexts(texts: readonly string[], separator: string): string {
  refuseLong(texts.reduce((sum, text) => sum + text.length, separator.length * Math.max(0, texts.length - 1)))
  return texts.join(separator)
}

/** A text with all places of a part replaced. */
export function replacedParts(text: string, part: string, by: string): string {
  const times = part === '' ? text.length + 1 : by.length > part.length ? timesIn(text, part) : 0
  refuseLong(text.length + times * (by.length - part.length))
  return withReplaced(text, part, by)
}
