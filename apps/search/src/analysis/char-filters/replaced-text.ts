import type { MappedText } from '../../tokens/token.ts'

/** A text with pieces replaced, each with its place in the text before; the pieces must not overlap and stand in order. */
export function replacedText(
  text: string,
  pieces: readonly { readonly from: number; readonly to: number; readonly by: string }[],
): MappedText {
  const marks: { readonly at: number; readonly origin: number; readonly length: number }[] = []
  let made = ''
  let from = 0
  for (const piece of pieces) {
    made += text.slice(from, piece.from)
    marks.push({ at: made.length, origin: piece.to, length: piece.by.length })
    made += piece.by
    from = piece.to
  }
  made += text.slice(from)
  const origin = (place: number): number => {
    // The last piece that ends at or before the place.
    let [low, high] = [0, marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const mark = marks[middle]
      if (mark && mark.at + mark.length <= place) low = middle + 1
      else high = middle
    }
    const mark = marks[low - 1]
    return Math.min(text.length, place + (mark ? mark.origin - (mark.at + mark.length) : 0))
  }
  return { text: made, origin }
}
