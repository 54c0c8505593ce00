import { parseIp } from '../ip.ts'
import { leavesAt } from '../values.ts'
import { folded } from './regexp-literals.ts'

const textsMax = 2000

const none: readonly string[] = []

/** An event as Sigma rules read it: the values at lists of paths, each read once. One is made for all events, as it would cost more than most of them. */
export class EventTexts {
  #source: unknown
  /** Which event it is, and by slot of which one the texts are. */
  #event = 0
  readonly #texts = new Kept<string>()
  readonly #lower = new Kept<string>()
  readonly #folded = new Kept<string>()
  readonly #addresses = new Kept<bigint>()
  #all: readonly string[] | undefined

  /** Turns to another event. */
  read(source: unknown): void {
    this.#source = source
    this.#event += 1
    this.#all = undefined
  }

  /** The values of a slot, as text; a slot is a list of paths. */
  texts(slot: Slot): readonly string[] {
    return (
      this.#texts.of(slot, this.#event) ??
      this.#texts.keep(
        slot,
        this.#event,
        slot.paths.length === 0 ? this.everything() : textsAt(this.#source, slot.paths),
      )
    )
  }

  /** The same in lower case. */
  lower(slot: Slot): readonly string[] {
    const known = this.#lower.of(slot, this.#event)
    if (known) return known
    const texts = this.texts(slot)
    return this.#lower.keep(slot, this.#event, texts.length === 0 ? none : texts.map((text) => text.toLowerCase()))
  }

  /** The same in lower case and folded, in which indices of literals look. */
  folded(slot: Slot): readonly string[] {
    const known = this.#folded.of(slot, this.#event)
    if (known) return known
    const lower = this.lower(slot)
    return this.#folded.keep(slot, this.#event, lower.length === 0 ? none : lower.map(folded))
  }

  /** Those of the values that are addresses. */
  addresses(slot: Slot): readonly bigint[] {
    const known = this.#addresses.of(slot, this.#event)
    if (known) return known
    const found = this.texts(slot).flatMap((text) => parseIp(text) ?? [])
    return this.#addresses.keep(slot, this.#event, found)
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

/** Lists by slot, each of which holds for one event. */
class Kept<T> {
  readonly #events: number[] = []
  readonly #lists: (readonly T[])[] = []

  of({ at }: Slot, event: number): readonly T[] | undefined {
    return this.#events[at] === event ? this.#lists[at] : undefined
  }

  keep({ at }: Slot, event: number, list: readonly T[]): readonly T[] {
    // Without holes, which would make every access slow.
    while (this.#lists.length <= at) {
      this.#lists.push([])
      this.#events.push(0)
    }
    this.#lists[at] = list
    this.#events[at] = event
    return list
  }
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
