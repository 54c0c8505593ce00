import type { WriteResult } from '../../documents/documents.ts'
import type { WriteOperation } from '../../documents/write-operation.ts'
import { writeShards } from '../../indices/shards.ts'
import { printJson } from '../../json/print-json.ts'
import type { Services } from '../../services.ts'
import { JsonWriter } from '../encoding/json-writer.ts'
import { type ItemOptions, showItem } from './write-documents.ts'

type Written = Exclude<WriteResult, { error: Error }>

/** What items of one index and action have in common: what stands before the id, and what stands between the result and the number. */
interface CommonBytes {
  readonly head: Buffer
  readonly shards: Buffer
}

const versionKey = Buffer.from(',"_version":')
const resultKey = Buffer.from(',"result":"')
const primaryTerm = Buffer.from(',"_primary_term":1,"status":')
const end = Buffer.from('}}')
const comma = Buffer.from(',')

/**
 * Writes the items of a bulk answer as JSON, each as `showItem` shows it. A successful write, of which a request has thousands, is put together from
 * bytes that are the same for all of an index.
 */
export class BulkItems {
  readonly #services: Services
  readonly #options: ItemOptions
  readonly #refreshed: string
  /** The members that are wanted of each; undefined: all. */
  readonly #wanted: ReadonlySet<string> | undefined
  readonly #bytes = new JsonWriter()
  #count = 0
  /** By action and index. */
  readonly #common = new Map<string, Map<string, CommonBytes>>()

  constructor(services: Services, options: ItemOptions, wanted?: ReadonlySet<string>) {
    this.#wanted = wanted
    this.#services = services
    this.#options = options
    this.#refreshed = options.refresh === 'true' ? '"forced_refresh":true,' : ''
  }

  /** How many items were written. */
  get count(): number {
    return this.#count
  }

  /** The items with commas between them. */
  bytes(): Buffer {
    return this.#bytes.bytes()
  }

  /** Writes one item, unless it has nothing of what is wanted. */
  add(operation: WriteOperation, result: WriteResult): void {
    if (this.#wanted?.size === 0) return
    const { action } = operation
    if ('error' in result || result.result === 'noop' || operation.update !== undefined)
      this.#addText(this.#printShown(action, showItem(operation, result, this.#services, this.#options)))
    else if (this.#wanted !== undefined) this.#addText(this.#printWanted(operation, result, this.#wanted))
    else this.#addWritten(action, result)
  }

  #addText(text: string | undefined): void {
    if (text === undefined) return
    this.#begin()
    this.#bytes.text(text)
  }

  #begin(): void {
    if (this.#count > 0) this.#bytes.raw(comma)
    this.#count += 1
  }

  #addWritten(action: string, result: Written): void {
    this.#begin()
    const bytes = this.#bytes
    const { head, shards } = this.#commonOf(action, result.index)
    bytes.raw(head)
    bytes.string(result.id)
    bytes.raw(versionKey)
    bytes.whole(result.version)
    bytes.raw(resultKey)
    bytes.text(result.result)
    bytes.raw(shards)
    bytes.whole(result.seqNo)
    bytes.raw(primaryTerm)
    bytes.whole(result.status)
    bytes.raw(end)
  }

  #printWanted(operation: WriteOperation, result: Written, wanted: ReadonlySet<string>): string | undefined {
    const { action } = operation
    // What shippers ask for, and no more.
    if (wanted.has('status') && [...wanted].every((name) => name === 'status' || name === 'error'))
      return `{"${action}":{"status":${result.status}}}`
    return this.#printShown(action, showItem(operation, result, this.#services, this.#options))
  }

  #printShown(action: string, shown: Record<string, unknown>): string | undefined {
    const wanted = this.#wanted
    if (wanted === undefined) return printJson(shown)
    const kept = Object.entries(Object(shown[action])).filter(([name]) => wanted.has(name))
    return kept.length === 0 ? undefined : printJson({ [action]: Object.fromEntries(kept) })
  }

  #commonOf(action: string, index: string): CommonBytes {
    const byIndex = this.#common.get(action) ?? new Map<string, CommonBytes>()
    const known = byIndex.get(index)
    if (known) return known
    const meta = this.#services.catalogue.index(index)
    const shards = JSON.stringify(meta ? writeShards(meta) : {})
    const made = {
      head: Buffer.from(`{"${action}":{"_index":${JSON.stringify(index)},"_id":`),
      shards: Buffer.from(`",${this.#refreshed}"_shards":${shards},"_seq_no":`),
    }
    this.#common.set(action, byIndex.set(index, made))
    return made
  }
}
