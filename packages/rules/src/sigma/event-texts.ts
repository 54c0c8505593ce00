import { leavesAt } from '../values.ts'

const textsMax = 2000

const none: readonly string[] = []

/** An event as Sigma rules read it: the values at lists of paths, each read once. One is made for all events, as it would cost more than most of them. */
export class EventTexts {
  #source: unknown
  /** Which event it is, and by slot of which one the texts are. */
  #event = 0
  readonly #textsOf: number[] = []
  readonly #texts: (readonly string[])[] = []
  readonly #lowerOf: number[] = []
  readonly #lower: (readonly string[])[] = []
  #all: readonly string[] | undefined

  /** Turns to another event. */
  read(source: unknown): void {
    this.#source = source
    this.#event += 1
    this.#all = undefined
  }

  /** The values of a slot, as text; a slot is a list of paths. */
  texts(slot: Slot): readonly string[] {
    const known = this.#texts[slot.at]
    if (known && this.#textsOf[slot.at] === this.#event) return known
    const texts = slot.paths.length === 0 ? this.everything() : textsAt(this.#source, slot.paths)
    put(this.#texts, slot.at, texts, none)
    put(this.#textsOf, slot.at, this.#event, 0)
    return texts
  }

  /** The same in lower case. */
  lower(slot: Slot): readonly string[] {
    const known = this.#lower[slot.at]
    if (known && this.#lowerOf[slot.at] === this.#event) return known
    const texts = this.texts(slot)
    const lower = texts.length === 0 ? none : texts.map((text) => text.toLowerCase())
    put(this.#lower, slot.at, lower, none)
    put(this.#lowerOf, slot.at, this.#event, 0)
    return lower
  }

  /** Every text anywhere in the event. */
  everything(): readonly string[] {
    if (this.#all) return this.#all
    const found: string[] = []
    collect(this.#source, found)
    this.#all = found
    return found
  }
}

/** Sets an item of a list without holes. */
function put<T>(list: T[], at: number, value: T, blank: T): void {
  while (list.length < at) list.push(blank)
  list[at] = value
}

/** A list of paths that rules read as one field, and its number. Without paths it is the whole event. */
export interface Slot {
  readonly at: number
  readonly paths: readonly string[]
}

function textsAt(source: unknown, paths: readonly string[]): readonly string[] {
  let found: string[] | undefined
  for (const path of paths)
    for (const leaf of leavesAt(source, path)) {
      if (typeof leaf === 'object') continue
      const text = String(leaf)
      if (!found) found = [text]
      else if (!found.includes(text)) found.push(text)
    }
  return found ?? none
}

function collect(node: unknown, found: string[]): void {
  if (found.length >= textsMax || node === null || node === undefined) return
  if (typeof node === 'object') for (const inner of Object.values(node)) collect(inner, found)
  else found.push(String(node))
}
