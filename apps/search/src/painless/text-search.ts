/** Letters of a part up to which the runtime's own search looks for it: for longer ones its time may grow with text times part. */
const shortMax = 32

/** The first place of a part in a text, from a place on; -1 when there is none. */
export function placeIn(text: string, part: string, from = 0): number {
  if (part.length <= shortMax) return text.indexOf(part, from)
  return new LongPart(part, false).next(text, Math.max(0, from))
}

/** The last place of a part in a text that is not behind another; -1 when there is none. */
export function lastPlaceIn(text: string, part: string, from = text.length): number {
  if (from < 0) return -1
  if (part.length <= shortMax) return text.lastIndexOf(part, from)
  const after = Math.min(text.length, from + part.length)
  const turned = new LongPart(part, true).next(text, text.length - after)
  return turned < 0 ? -1 : text.length - turned - part.length
}

/** How often a part that is not empty is in a text, none within another. */
export function timesIn(text: string, part: string): number {
  let times = 0
  for (const _ of placesIn(text, part)) times += 1
  return times
}

/** The pieces of a text between the places of a part; its letters for an empty one. */
export function piecesBetween(text: string, part: string): string[] {
  if (part.length <= shortMax) return text.split(part)
  const pieces: string[] = []
  let from = 0
  for (const at of placesIn(text, part)) {
    pieces.push(text.slice(from, at))
    from = at + part.length
  }
  return [...pieces, text.slice(from)]
}

/** A text with all places of a part replaced. */
export function withReplaced(text: string, part: string, by: string): string {
  return part.length <= shortMax ? text.replaceAll(part, () => by) : piecesBetween(text, part).join(by)
}

function* placesIn(text: string, part: string): Generator<number> {
  const search = part.length <= shortMax ? undefined : new LongPart(part, false)
  const next = (from: number): number => (search ? search.next(text, from) : text.indexOf(part, from))
  for (let at = next(0); at >= 0; at = next(at + part.length)) yield at
}

/** A part that is looked for as Knuth, Morris and Pratt do: no letter of a text is gone back to, whatever both are made of. */
class LongPart {
  readonly #part: string
  readonly #turned: boolean
  /** For each beginning of the part, how long the longest shorter beginning is that it ends with. */
  readonly #borders: Int32Array

  /** `turned`: both are read from their ends. */
  constructor(part: string, turned: boolean) {
    this.#part = part
    this.#turned = turned
    this.#borders = new Int32Array(part.length + 1)
    let border = 0
    for (let at = 1; at < part.length; at += 1) {
      border = this.#grown(border, this.#letter(part, at))
      this.#borders[at + 1] = border
    }
  }

  /** The first place from a letter on, in letters from the end that is read from. */
  next(text: string, from: number): number {
    let agreeing = 0
    for (let at = from; at < text.length; at += 1) {
      agreeing = this.#grown(agreeing, this.#letter(text, at))
      if (agreeing === this.#part.length) return at + 1 - agreeing
    }
    return -1
  }

  /** How much of the part agrees once a letter comes behind what agreed. */
  #grown(agreeing: number, letter: number): number {
    let length = agreeing
    while (length > 0 && this.#letter(this.#part, length) !== letter) length = this.#borders[length] ?? 0
    return this.#letter(this.#part, length) === letter ? length + 1 : length
  }

  #letter(text: string, at: number): number {
    return text.charCodeAt(this.#turned ? text.length - 1 - at : at)
  }
}
