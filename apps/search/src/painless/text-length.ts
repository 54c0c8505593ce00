import { scriptLimits } from './script-run.ts'

/** Throws a RangeError for a text that would be too long: before it is made, where that can be told. */
export function refuseLong(letters: number): void {
  if (letters > scriptLimits.textCharsMax)
    throw new RangeError(`a text may have at most ${scriptLimits.textCharsMax} characters`)
}

/** Texts with a separator between them. */
export function joinedTexts(texts: readonly string[], separator: string): string {
  refuseLong(texts.reduce((sum, text) => sum + text.length, separator.length * Math.max(0, texts.length - 1)))
  return texts.join(separator)
}

/** A text with all places of a part replaced. */
export function replacedParts(text: string, part: string, by: string): string {
  if (by.length > part.length) refuseLong(text.length + partsIn(text, part) * (by.length - part.length))
  return text.replaceAll(part, () => by)
}

function partsIn(text: string, part: string): number {
  if (part === '') return text.length + 1
  let count = 0
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count += 1
  return count
}
