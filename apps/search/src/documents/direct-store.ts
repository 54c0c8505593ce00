import type { Value } from '@logstack/rules'
import type { FieldValue } from '../indices/catalogue.ts'
import type { ColumnBuffer } from './column-buffer.ts'
import { type DirectPlan, isWhole } from './direct-plan.ts'
import type { LeafPlan, PartPlan } from './document-shapes.ts'
import { ipv4OfBytes } from './ip-bytes.ts'
import { isoMsOfBytes } from './iso-bytes.ts'
import { JsonScanner } from './json-scanner.ts'

/** Times from 1970 to 2200 are written as they were read. */
const shownMsMin = 0
const shownMsEnd = Date.UTC(2200, 0)

/** Shorter texts are not worth a place of their own. */
const cutBytesMin = 32

/** Among these is what the engine quotes in another way than `JSON.stringify`; of half characters it knows nothing. */
const quotedOtherwise = /[^\P{Control}\b\t\n\f\r]|[\u2028\u2029]|\p{Surrogate}/u

/** Bytes of a source, from the first to before the last. */
export interface SourceCut {
  readonly from: number
  readonly to: number
}

/** Documents read so far, of all readers: plans are shared, and remember the last document that had a key by this number. */
let documents = 0

/** Puts the values of one document after the other into columns, each as the fields that it goes to want it. */
export abstract class DirectStore extends JsonScanner {
  private readonly columnOf: (field: FieldValue['field'], many: boolean) => ColumnBuffer | undefined
  /** The columns of each plan's parts, single and many, as far as they were needed. */
  private readonly columns = new Map<DirectPlan, (ColumnBuffer | null | undefined)[]>()
  private own: (ColumnBuffer | null | undefined)[] = []
  /** The columns that the document wrote to are the first so many: a list that is emptied has to be made anew. */
  private readonly touched: ColumnBuffer[] = []
  private touches = 0
  private row = 0
  protected plan: DirectPlan | undefined
  /** The number of the document. */
  protected document = 0
  protected timeMs: number | undefined
  protected ignored: string[] = []
  protected isRebuildable = true
  protected cut: SourceCut | undefined
  /** Where the texts of the list that is read begin and end, in turns; the first so many. */
  protected readonly texts: number[] = []
  protected textEnds = 0

  constructor(columnOf: (field: FieldValue['field'], many: boolean) => ColumnBuffer | undefined) {
    super()
    this.columnOf = columnOf
  }

  /** Turns to the document that becomes the given row. */
  protected turnTo(plan: DirectPlan, source: Buffer, row: number): void {
    this.bytes = source
    this.row = row
    if (plan === this.plan) return
    this.plan = plan
    this.own = this.columns.get(plan) ?? []
    this.columns.set(plan, this.own)
  }

  /** Begins the document, or begins it anew. */
  protected begins(): void {
    this.at = 0
    this.timeMs = undefined
    this.ignored = []
    this.isRebuildable = true
    this.cut = undefined
    this.touches = 0
    documents += 1
    this.document = documents
  }

  /** Takes back what the last document wrote. */
  undo(): void {
    for (let at = 0; at < this.touches; at += 1) this.touched[at]?.undo()
    this.touches = 0
  }

  /** Cuts a text with escapes, or with letters that are not ASCII, where quoting it again gives the very bytes between the quotes that it was read from. */
  protected cutQuoted(text: string, from: number, to: number): void {
    if (to - from < cutBytesMin || quotedOtherwise.test(text)) return
    const quoted = Buffer.from(JSON.stringify(text))
    if (quoted.compare(this.bytes, from - 1, to + 1) === 0) this.cut = { from, to }
  }

  protected storePlain(leaf: LeafPlan, from: number, to: number): void {
    leaf.valued = this.document
    if (leaf.isCut && to - from >= cutBytesMin) this.cut = { from, to }
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

  protected storeTexts(leaf: LeafPlan, part: PartPlan): void {
    this.readsBackWhole(leaf, part)
    const column = this.column(part, 1)
    if (column === undefined) return
    this.touch(column)
    const { texts, textEnds } = this
    const to = column.beginList(this.row, textEnds / 2)
    for (let at = 0; at < textEnds; at += 2) to.ascii(this.bytes, texts[at] ?? 0, texts[at + 1] ?? 0)
  }

  protected storeList(leaf: LeafPlan, part: PartPlan, values: readonly Value[]): void {
    const [first] = values
    if (first === undefined) return
    if (part.place === leaf.parts[0]?.place) {
      leaf.valued = this.document
      if (leaf.isTime) this.noteTime(part, first)
    }
    if (values.length === 1) {
      this.storeOne(part, first)
      return
    }
    const column = this.column(part, 1)
    if (column === undefined) return
    this.touch(column)
    column.list(this.row, values)
  }

  protected storeAll(leaf: LeafPlan, value: Value | null): void {
    for (const part of leaf.parts) {
      if (part.kind === 'long' && typeof value === 'number' && Number.isSafeInteger(value) && value !== 0) {
        leaf.valued = this.document
        this.beginWhole(leaf, part)?.int64(value)
      } else this.storeParsed(leaf, part, value)
    }
  }

  private storeParsed(leaf: LeafPlan, part: PartPlan, value: Value | null): void {
    const read = this.parsed(part, value)
    if (part.place === leaf.parts[0]?.place) this.isRebuildable &&= isWhole(part, value, read)
    if (read === undefined) return
    if (part.place === leaf.parts[0]?.place) {
      leaf.valued = this.document
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
  protected parsed(part: PartPlan, value: Value | null): Value | undefined {
    const { leaf } = part
    const read = leaf.type.parse(value, leaf.field)
    if ('ignored' in read) {
      if (!this.ignored.includes(leaf.field.path)) this.ignored.push(leaf.field.path)
      return undefined
    }
    return 'value' in read ? read.value : undefined
  }

  protected storeOne(part: PartPlan, value: Value): void {
    const type = part.leaf.valueType
    if (type !== undefined && type !== 'binary') this.begin(part)?.value(value, type)
  }

  /** Begins a value that reads back as it was written, where it has a column. */
  private beginWhole(leaf: LeafPlan, part: PartPlan) {
    this.readsBackWhole(leaf, part)
    return this.begin(part)
  }

  /** Notes that the document writes to a column. */
  private touch(column: ColumnBuffer): void {
    this.touched[this.touches] = column
    this.touches += 1
  }

  /** Notes that a value reads back as it was written, where it has a column. */
  private readsBackWhole(leaf: LeafPlan, part: PartPlan): void {
    this.isRebuildable &&= part.field !== undefined || part.place !== leaf.parts[0]?.place
  }

  private begin(part: PartPlan) {
    const column = this.column(part, 0)
    if (column === undefined) return undefined
    this.touch(column)
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
