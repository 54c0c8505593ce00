import { isAppError } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import type { FieldValue } from '../indices/catalogue.ts'
import type { ColumnBuffer } from './column-buffer.ts'
import { type DirectPlan, isWhole, type KeyPlan, type LeafPlan, type ObjectPlan, type PartPlan } from './direct-plan.ts'
import type { ShapeStep } from './document-shapes.ts'
import { ipv4OfBytes } from './ip-bytes.ts'
import { isoMsOfBytes } from './iso-bytes.ts'
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  plain,
  quote,
  underscore,
} from './json-bytes.ts'
import { closerLook, JsonScanner } from './json-scanner.ts'

/** What is known of a document whose fields were read. */
export interface DirectRead {
  readonly timeMs: number | undefined
  readonly ignored: readonly string[]
  /**
   * Whether its columns say all of it: names in another order, lists of one value and spellings of numbers and times aside, a source made from them
   * is the one that was read.
   */
  readonly isRebuildable: boolean
}

/** Times from 1970 to 2200 are written as they were read. */
const shownMsMin = 0
const shownMsEnd = Date.UTC(2200, 0)

/**
 * Reads documents straight from their bytes into columns: keys are compared as bytes, in the order of the document before, and ASCII texts are copied
 * without becoming strings. It takes only documents about which there is no doubt: a field the mapping lacks, a value that its type refuses, a key
 * twice, faulty JSON and everything rare are left, whole, to `parseSource` and `mapDocument`, which say what is right and what the error is. A
 * property test holds the two together.
 */
export class DirectReader extends JsonScanner {
  private readonly columnOf: (field: FieldValue['field'], many: boolean) => ColumnBuffer | undefined
  /** The columns of each plan's parts, single and many, as far as they were needed. */
  private readonly columns = new Map<DirectPlan, (ColumnBuffer | null | undefined)[]>()
  private readonly touched: ColumnBuffer[] = []
  private plan: DirectPlan | undefined
  private own: (ColumnBuffer | null | undefined)[] = []
  private row = 0
  private timeMs: number | undefined
  private ignored: string[] = []
  private isRebuildable = true
  /** What stood between the values of the document, where that is to be noted. */
  private readonly steps: ShapeStep[] = []
  private isNoted = false
  private valueEnd = 0

  constructor(columnOf: (field: FieldValue['field'], many: boolean) => ColumnBuffer | undefined) {
    super()
    this.columnOf = columnOf
  }

  /** Reads a document as the given row; undefined, with nothing changed, when it needs a closer look. */
  read(plan: DirectPlan, source: Buffer, row: number): DirectRead | undefined {
    if (plan !== this.plan) {
      this.plan = plan
      this.own = this.columns.get(plan) ?? []
      this.columns.set(plan, this.own)
    }
    this.bytes = source
    this.row = row
    try {
      if (!this.readShaped(plan)) this.readKeys(plan)
      this.storeConstants(plan)
      return { timeMs: this.timeMs, ignored: this.ignored, isRebuildable: this.isRebuildable }
    } catch (thrown) {
      this.undo()
      // What a type refuses gets its error from the reader that knows where it stands.
      if (thrown === closerLook || isAppError(thrown) || thrown instanceof SyntaxError) return undefined
      throw thrown
    }
  }

  private begins(): void {
    this.at = 0
    this.timeMs = undefined
    this.ignored = []
    this.isRebuildable = true
    this.touched.length = 0
    documents += 1
  }

  /** Reads a document that looks like one before; false, with nothing changed, for others. */
  private readShaped({ shapes }: DirectPlan): boolean {
    this.begins()
    if (!shapes.isWorthIt) return false
    let step = shapes.step(undefined, this.bytes, 0)
    while (step?.leaf !== undefined) {
      this.at += step.to - step.from
      this.readLeaf(step.leaf)
      step = shapes.step(step, this.bytes, this.at)
    }
    if (step !== undefined && this.at + step.to - step.from === this.bytes.length) {
      shapes.hit()
      return true
    }
    shapes.miss()
    this.undo()
    return false
  }

  /** Reads a document key by key. */
  private readKeys({ root, shapes }: DirectPlan): void {
    this.begins()
    this.isNoted = shapes.isOpen
    this.steps.length = 0
    this.valueEnd = 0
    this.skipSpace()
    if (this.bytes[this.at] !== openBrace) throw closerLook
    root.seen = documents
    this.readObject(root)
    this.skipSpace()
    if (this.at < this.bytes.length) throw closerLook
    if (!this.isNoted) return
    this.steps.push({ from: this.valueEnd, to: this.bytes.length, leaf: undefined })
    shapes.note(this.bytes, this.steps)
  }

  /** Reads the value of a key, and notes what stood before it. */
  private readNoted(leaf: LeafPlan): void {
    if (this.isNoted) this.steps.push({ from: this.valueEnd, to: this.at, leaf })
    this.readLeaf(leaf)
    this.valueEnd = this.at
  }

  /** Stores what the mapping says of documents that do not say it themselves. */
  private storeConstants({ constants }: DirectPlan): void {
    for (const { plan: leaf, value } of constants) {
      if (leaf.valued === documents) continue
      this.isRebuildable = false
      for (const part of leaf.parts) this.storeOne(part, value)
    }
  }

  /** Takes back what the last document wrote. */
  undo(): void {
    for (const column of this.touched) column.undo()
    this.touched.length = 0
  }

  private readObject(plan: ObjectPlan): void {
    this.at += 1
    if (this.next() === closeBrace) {
      this.at += 1
      if (plan !== this.plan?.root) this.readsBackOtherwise()
      return
    }
    let before: KeyPlan | undefined
    for (;;) {
      if (this.next() !== quote) throw closerLook
      const key = this.readKey(plan, before)
      before = key
      if (this.next() !== colon) throw closerLook
      this.at += 1
      const { target } = key
      if (target.seen === documents) throw closerLook
      target.seen = documents
      if (target.kind === 'leaf') this.readNoted(target)
      else if (this.next() === openBrace) this.readObject(target)
      else {
        this.word('null')
        this.readsBackOtherwise()
      }
      const byte = this.next()
      this.at += 1
      if (byte === closeBrace) return
      if (byte !== comma) throw closerLook
    }
  }

  /** What has no value is seen here only: a shape would not tell it. */
  private readsBackOtherwise(): void {
    this.isRebuildable = false
    this.isNoted = false
  }

  /** Reads a key; the one that followed last time is tried first. */
  private readKey(plan: ObjectPlan, before: KeyPlan | undefined): KeyPlan {
    const { bytes } = this
    const from = this.at + 1
    const guess = before === undefined ? plan.first : before.next
    if (guess !== undefined) {
      const size = guess.bytes.length
      let same = 0
      while (same < size && bytes[from + same] === guess.bytes[same]) same += 1
      if (same === size && bytes[from + size] === quote) {
        this.at = from + size + 1
        return guess
      }
    }
    let to = from
    while (plain[bytes[to] ?? 0] === 1) to += 1
    if (bytes[to] !== quote) throw closerLook
    this.at = to + 1
    const key = this.findKey(plan, bytes.toString('latin1', from, to))
    if (before === undefined) plan.first = key
    else before.next = key
    return key
  }

  private findKey(plan: ObjectPlan, name: string): KeyPlan {
    const known = plan.keys.get(name)
    if (known !== undefined) return known
    // The names of a document's own members are refused elsewhere.
    if (plan === this.plan?.root && name.charCodeAt(0) === underscore) throw closerLook
    const node = plan.node.children.get(name) ?? plan.node.dotted.get(name)
    const target = node === undefined ? undefined : this.plan?.planOf(node)
    if (target === undefined) throw closerLook
    const made: KeyPlan = { bytes: Buffer.from(name), target, next: undefined }
    plan.keys.set(name, made)
    return made
  }

  private readLeaf(leaf: LeafPlan): void {
    const byte = this.next()
    if (byte === quote) this.readText(leaf)
    else if (byte === openBracket) this.readList(leaf)
    else if (byte === openBrace) throw closerLook
    else this.storeAll(leaf, this.scalar(byte))
  }

  private readText(leaf: LeafPlan): void {
    const from = this.at + 1
    const to = this.plainEnd(from)
    if (this.bytes[to] !== quote) {
      this.storeAll(leaf, this.text())
      return
    }
    this.at = to + 1
    this.storePlain(leaf, from, to)
  }

  private storePlain(leaf: LeafPlan, from: number, to: number): void {
    leaf.valued = documents
    const { parts } = leaf
    for (let place = 0; place < parts.length; place += 1) {
      const part = parts[place]
      if (part !== undefined) this.storeText(leaf, part, from, to)
    }
  }

  private storeText(leaf: LeafPlan, part: PartPlan, from: number, to: number): void {
    if (part.kind === 'text' && to - from <= part.lengthMax) {
      this.beginWhole(leaf, part)?.ascii(this.bytes, from, to)
      return
    }
    if (part.kind === 'date') {
      const ms = isoMsOfBytes(this.bytes, from, to)
      if (!Number.isNaN(ms)) {
        if (leaf.isTime && part.place === leaf.parts[0]?.place) this.timeMs = ms
        this.isRebuildable &&= ms >= shownMsMin && ms < shownMsEnd
        this.beginWhole(leaf, part)?.int64(ms)
        return
      }
    }
    if (part.kind === 'ip') {
      const address = ipv4OfBytes(this.bytes, from, to)
      if (address >= 0) {
        this.beginWhole(leaf, part)?.ipv4(address)
        return
      }
    }
    this.storeParsed(leaf, part, this.bytes.toString('latin1', from, to))
  }

  /** A list of one plain text, which is as good as the text alone; false, with nothing read, for other lists. */
  private readOnlyText(leaf: LeafPlan): boolean {
    const from = this.at + 2
    if (this.bytes[from - 1] !== quote) return false
    const to = this.plainEnd(from)
    if (this.bytes[to] !== quote || this.bytes[to + 1] !== closeBracket) return false
    this.at = to + 2
    this.storePlain(leaf, from, to)
    return true
  }

  private readList(leaf: LeafPlan): void {
    if (this.readOnlyText(leaf)) return
    const values: Value[][] = leaf.parts.map(() => [])
    this.at += 1
    if (this.next() === closeBracket) {
      this.at += 1
      this.isRebuildable = false
      return
    }
    for (;;) {
      this.readItem(leaf, values)
      const after = this.next()
      this.at += 1
      if (after === closeBracket) break
      if (after !== comma) throw closerLook
    }
    for (const [place, part] of leaf.parts.entries()) this.storeList(leaf, part, values[place] ?? [])
  }

  private readItem(leaf: LeafPlan, values: readonly Value[][]): void {
    const byte = this.next()
    if (byte === openBracket || byte === openBrace) throw closerLook
    const value = this.scalar(byte)
    for (const [place, part] of leaf.parts.entries()) {
      const read = this.parsed(part, value)
      if (place === 0) this.isRebuildable &&= isWhole(part, value, read)
      if (read !== undefined) values[place]?.push(read)
    }
  }

  private storeList(leaf: LeafPlan, part: PartPlan, values: readonly Value[]): void {
    const [first] = values
    if (first === undefined) return
    if (part.place === leaf.parts[0]?.place) {
      leaf.valued = documents
      if (leaf.isTime) this.noteTime(part, first)
    }
    if (values.length === 1) {
      this.storeOne(part, first)
      return
    }
    const column = this.column(part, 1)
    if (column === undefined) return
    this.touched.push(column)
    column.list(this.row, values)
  }

  private storeAll(leaf: LeafPlan, value: Value | null): void {
    for (const part of leaf.parts) {
      if (part.kind === 'long' && typeof value === 'number' && Number.isSafeInteger(value) && value !== 0) {
        leaf.valued = documents
        this.beginWhole(leaf, part)?.int64(value)
      } else this.storeParsed(leaf, part, value)
    }
  }

  private storeParsed(leaf: LeafPlan, part: PartPlan, value: Value | null): void {
    const read = this.parsed(part, value)
    if (part.place === leaf.parts[0]?.place) this.isRebuildable &&= isWhole(part, value, read)
    if (read === undefined) return
    if (part.place === leaf.parts[0]?.place) {
      leaf.valued = documents
      if (leaf.isTime) this.noteTime(part, read)
    }
    this.storeOne(part, read)
  }

  private noteTime(part: PartPlan, value: Value): void {
    const type = part.leaf.valueType
    if (type === 'date') this.timeMs = Number(value)
    else if (type === 'date_nanos' && typeof value === 'bigint') this.timeMs = Number(value / 1_000_000n)
  }

  /** What the type makes of a value; undefined when there is none, or none to store. Throws what the type throws. */
  private parsed(part: PartPlan, value: Value | null): Value | undefined {
    const { leaf } = part
    const read = leaf.type.parse(value, leaf.field)
    if ('ignored' in read) {
      if (!this.ignored.includes(leaf.field.path)) this.ignored.push(leaf.field.path)
      return undefined
    }
    return 'value' in read ? read.value : undefined
  }

  private storeOne(part: PartPlan, value: Value): void {
    const type = part.leaf.valueType
    if (type !== undefined && type !== 'binary') this.begin(part)?.value(value, type)
  }

  /** Begins a value that reads back as it was written, where it has a column. */
  private beginWhole(leaf: LeafPlan, part: PartPlan) {
    this.isRebuildable &&= part.field !== undefined || part.place !== leaf.parts[0]?.place
    return this.begin(part)
  }

  private begin(part: PartPlan) {
    const column = this.column(part, 0)
    if (column === undefined) return undefined
    this.touched.push(column)
    return column.begin(this.row)
  }

  private column(part: PartPlan, many: 0 | 1): ColumnBuffer | undefined {
    const known = this.own[part.place + many]
    if (known !== undefined) return known ?? undefined
    const made = part.field === undefined ? undefined : this.columnOf(part.field, many === 1)
    this.own[part.place + many] = made ?? null
    return made
  }
}

/** Documents read so far, of all readers: plans are shared, and remember the last document that had a key by this number. */
let documents = 0
