import { isAppError } from '@logstack/errors'
import type { Value } from '@logstack/rules'
import { type DirectPlan, isWhole, type KeyPlan, type ObjectPlan } from './direct-plan.ts'
import { DirectStore, type SourceCut } from './direct-store.ts'
import type { LeafPlan, ShapeStep } from './document-shapes.ts'
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
import { closerLook } from './json-scanner.ts'

/** What is known of a document whose fields were read. */
export interface DirectRead {
  readonly timeMs: number | undefined
  readonly ignored: readonly string[]
  /**
   * Whether its columns say all of it: names in another order, lists of one value and spellings of numbers and times aside, a source made from them
   * is the one that was read.
   */
  readonly isRebuildable: boolean
  /** The bytes of the source that need not be kept, as a column holds the very same. */
  readonly cut: SourceCut | undefined
}

/**
 * Reads documents straight from their bytes into columns: keys are compared as bytes, in the order of the document before, and ASCII texts are copied
 * without becoming strings. It takes only documents about which there is no doubt: a field the mapping lacks, a value that its type refuses, a key
 * twice, faulty JSON and everything rare are left, whole, to `parseSource` and `mapDocument`, which say what is right and what the error is. A
 * property test holds the two together.
 */
export class DirectReader extends DirectStore {
  /** What stood between the values of the document, where that is to be noted. */
  private readonly steps: ShapeStep[] = []
  private isNoted = false
  private valueEnd = 0

  /** Reads a document as the given row; undefined, with nothing changed, when it needs a closer look. */
  read(plan: DirectPlan, source: Buffer, row: number): DirectRead | undefined {
    this.turnTo(plan, source, row)
    try {
      if (!this.readShaped(plan)) this.readKeys(plan)
      this.storeConstants(plan)
      return { timeMs: this.timeMs, ignored: this.ignored, isRebuildable: this.isRebuildable, cut: this.cut }
    } catch (thrown) {
      this.undo()
      // What a type refuses gets its error from the reader that knows where it stands.
      if (thrown === closerLook || isAppError(thrown) || thrown instanceof SyntaxError) return undefined
      throw thrown
    }
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
    root.seen = this.document
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
      if (leaf.valued === this.document) continue
      this.isRebuildable = false
      for (const part of leaf.parts) this.storeOne(part, value)
    }
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
      if (target.seen === this.document) throw closerLook
      target.seen = this.document
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
      const text = this.text()
      if (leaf.isCut) this.cutQuoted(text, from, this.at - 1)
      this.storeAll(leaf, text)
      return
    }
    this.at = to + 1
    this.storePlain(leaf, from, to)
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
    if (this.readOnlyText(leaf) || this.readTexts(leaf)) return
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
    for (let place = 0; place < leaf.parts.length; place += 1) {
      const part = leaf.parts[place]
      if (part !== undefined) this.storeList(leaf, part, values[place] ?? [])
    }
  }

  /** A list of several plain texts, where all that the field holds is texts; false, with nothing read, for other lists. */
  private readTexts(leaf: LeafPlan): boolean {
    this.textEnds = 0
    let longest = 0
    let at = this.at + 1
    for (;;) {
      if (this.bytes[at] !== quote) return false
      const to = this.plainEnd(at + 1)
      if (this.bytes[to] !== quote) return false
      this.texts[this.textEnds] = at + 1
      this.texts[this.textEnds + 1] = to
      this.textEnds += 2
      longest = Math.max(longest, to - at - 1)
      at = to + 2
      const after = this.bytes[to + 1]
      if (after === closeBracket) break
      if (after !== comma) return false
    }
    for (const { kind, lengthMax } of leaf.parts) if (kind !== 'text' || longest > lengthMax) return false
    this.at = at
    leaf.valued = this.document
    for (const part of leaf.parts) this.storeTexts(leaf, part)
    return true
  }

  private readItem(leaf: LeafPlan, values: readonly Value[][]): void {
    const byte = this.next()
    if (byte === openBracket || byte === openBrace) throw closerLook
    const value = this.scalar(byte)
    for (let place = 0; place < leaf.parts.length; place += 1) {
      const part = leaf.parts[place]
      if (part === undefined) continue
      const read = this.parsed(part, value)
      if (place === 0) this.isRebuildable &&= isWhole(part, value, read)
      if (read !== undefined) values[place]?.push(read)
    }
  }
}
