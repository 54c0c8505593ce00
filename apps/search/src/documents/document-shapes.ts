import type { FieldValue } from '../indices/catalogue.ts'
import type { LeafNode } from '../indices/compiled-mapping.ts'

/** How a value in the bytes becomes one of a column: `text`, `date`, `ip` and `long` without a value in between, `parsed` by the field type's own reading. */
export type PartKind = 'text' | 'date' | 'ip' | 'long' | 'parsed'

/** One field that a value of the document goes to: the field itself or a multi-field of it. */
export interface PartPlan {
  readonly leaf: LeafNode
  readonly kind: PartKind
  /** Of `text`: longer ones are left to the type. */
  readonly lengthMax: number
  /** What the column is asked for with; undefined when values are only checked. */
  readonly field: FieldValue['field'] | undefined
  /** The place of its columns among those of the plan. */
  readonly place: number
}

/** A leaf of the mapping. */
export interface LeafPlan {
  readonly kind: 'leaf'
  readonly parts: readonly PartPlan[]
  /** Whether it gives the document its time. */
  readonly isTime: boolean
  /** Whether its text is kept in its column only, and cut out of the source. */
  readonly isCut: boolean
  /** The number of the last document that had it: a second time in one document needs a closer look. */
  seen: number
  /** The number of the last document that had a value of it. */
  valued: number
}

/** The bytes of a document between one value and the next, and the leaf whose value follows; undefined where the document ends. */
export interface ShapeStep {
  readonly from: number
  readonly to: number
  readonly leaf: LeafPlan | undefined
}

/** A step of known documents, its bytes among those of the shapes. */
interface ShapeNode extends ShapeStep {
  /** The first of what may follow, and what may come instead. */
  next: ShapeNode | undefined
  other: ShapeNode | undefined
}

const textBytesMax = 64 * 1024
const nodesMax = 2048
/** Of the steps that may follow another: comparing with each costs time. */
const othersMax = 12
/** A document of no known shape is read twice, so it must stay rare. */
const creditMax = 64
const missCost = 4
/** So many documents are read without shapes after too many had none. */
const restDocuments = 2048

/**
 * What stands between the values of documents of one mapping. Programs write the same keys in the same order again and again; with the bytes
 * compared as a whole nothing is left to check but values. A way from the first step to an end is what one document was that was read key by
 * key, so whatever follows it has keys that exist, no key twice, and correct JSON.
 */
export class DocumentShapes {
  #text = Buffer.allocUnsafe(1024)
  #length = 0
  #nodes = 0
  #first: ShapeNode | undefined
  #credit = creditMax
  #rest = 0

  /** Whether the next document should be compared with the shapes. */
  get isWorthIt(): boolean {
    if (this.#rest === 0) return this.#first !== undefined
    this.#rest -= 1
    return false
  }

  /** Whether shapes are noted. */
  get isOpen(): boolean {
    return this.#rest === 0 && this.#nodes < nodesMax
  }

  /** The step that the bytes at a place are, after the given one; undefined when it is none that is known. */
  step(before: ShapeNode | undefined, bytes: Uint8Array, at: number): ShapeNode | undefined {
    const text = this.#text
    for (let node = before === undefined ? this.#first : before.next; node !== undefined; node = node.other) {
      const { from, to } = node
      let same = from
      for (let place = at; same < to && text[same] === bytes[place]; place += 1) same += 1
      if (same === to) return node
    }
    return undefined
  }

  hit(): void {
    if (this.#credit < creditMax) this.#credit += 1
  }

  /** Where most documents have shapes of their own, none are kept for a while. */
  miss(): void {
    this.#credit -= missCost
    if (this.#credit > 0) return
    this.#credit = creditMax
    this.#rest = restDocuments
    this.#first = undefined
    this.#length = 0
    this.#nodes = 0
  }

  /** Notes the shape of a document that was read to its end. */
  note(bytes: Uint8Array, steps: readonly ShapeStep[]): void {
    let before: ShapeNode | undefined
    for (const step of steps) {
      const known = this.#equal(before, bytes, step)
      before = known ?? this.#add(before, bytes, step)
      if (before === undefined) return
    }
  }

  #equal(before: ShapeNode | undefined, bytes: Uint8Array, { from, to, leaf }: ShapeStep): ShapeNode | undefined {
    for (let node = before === undefined ? this.#first : before.next; node !== undefined; node = node.other) {
      if (node.leaf !== leaf || node.to - node.from !== to - from) continue
      if (this.#text.compare(bytes, from, to, node.from, node.to) === 0) return node
    }
    return undefined
  }

  /** Undefined where there is no room: a way that leads nowhere does no harm. */
  #add(before: ShapeNode | undefined, bytes: Uint8Array, { from, to, leaf }: ShapeStep): ShapeNode | undefined {
    const size = to - from
    if (this.#nodes >= nodesMax || this.#length + size > textBytesMax) return undefined
    const first = before === undefined ? this.#first : before.next
    let count = 0
    for (let node = first; node !== undefined; node = node.other) count += 1
    if (count >= othersMax) return undefined
    if (this.#length + size > this.#text.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length + size, this.#text.length * 2))
      this.#text.copy(larger, 0, 0, this.#length)
      this.#text = larger
    }
    this.#text.set(bytes.subarray(from, to), this.#length)
    const made: ShapeNode = { from: this.#length, to: this.#length + size, leaf, next: undefined, other: first }
    this.#length += size
    this.#nodes += 1
    if (before === undefined) this.#first = made
    else before.next = made
    return made
  }
}
