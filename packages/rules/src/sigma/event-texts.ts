import { leavesAt } from '../values.ts'

const textsMax = 2000

/** An event as Sigma rules read it: the values at lists of paths, each read once. */
export class EventTexts {
  readonly source: unknown
  readonly #texts: (readonly string[] | undefined)[] = []
  readonly #lower: (readonly string[] | undefined)[] = []
  #all: readonly string[] | undefined

  constructor(source: unknown) {
    this.source = source
  }

  /** The values of a slot, as text; a slot is a list of paths. */
  texts(slot: Slot): readonly string[] {
    let texts = this.#texts[slot.at]
    if (!texts) {
      texts = slot.paths.length === 0 ? this.everything() : textsAt(this.source, slot.paths)
      this.#texts[slot.at] = texts
    }
    return texts
  }

  /** The same in lower case. */
  lower(slot: Slot): readonly string[] {
    let lower = this.#lower[slot.at]
    if (!lower) {
      lower = this.texts(slot).map((text) => text.toLowerCase())
      this.#lower[slot.at] = lower
    }
    return lower
  }

  /** Every text anywhere in the event. */
  everything(): readonly string[] {
    if (this.#all) return this.#all
    const found: string[] = []
    collect(this.source, found)
    this.#all = found
    return found
  }
}

/** A list of paths that rules read as one field, and its number. Without paths it is the whole event. */
export interface Slot {
  readonly at: number
  readonly paths: readonly string[]
}

function textsAt(source: unknown, paths: readonly string[]): string[] {
  const found: string[] = []
  for (const path of paths)
    for (const leaf of leavesAt(source, path)) {
      if (typeof leaf === 'object') continue
      const text = String(leaf)
      if (!found.includes(text)) found.push(text)
    }
  return found
}

function collect(node: unknown, found: string[]): void {
  if (found.length >= textsMax || node === null || node === undefined) return
  if (typeof node === 'object') for (const inner of Object.values(node)) collect(inner, found)
  else found.push(String(node))
}
