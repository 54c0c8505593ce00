import type { WriteOperation, WriteResult } from '../documents/documents.ts'
import { printJson } from '../plan/json.ts'
import type { Services } from '../services.ts'
import { writeShards } from './shards.ts'
import { type ItemOptions, showItem } from './write-documents.ts'

type Written = Exclude<WriteResult, { error: Error }>

/**
 * Writes the items of a bulk answer as JSON text, each as `showItem` shows it. A successful write, of which a request has thousands, is put together
 * from texts that are the same for all of an index.
 */
export class BulkItems {
  readonly #services: Services
  readonly #options: ItemOptions
  readonly #refreshed: string
  /** The members that are wanted of each; undefined: all. */
  readonly #wanted: ReadonlySet<string> | undefined
  /** By index: its name as JSON, and what every write to it says of shards. */
  readonly #byIndex = new Map<string, { readonly name: string; readonly shards: string }>()

  constructor(services: Services, options: ItemOptions, wanted?: ReadonlySet<string>) {
    this.#wanted = wanted
    this.#services = services
    this.#options = options
    this.#refreshed = options.refresh === 'true' ? '"forced_refresh":true,' : ''
  }

  /** The text of one item; undefined when it has nothing of what is wanted. */
  print(operation: WriteOperation, result: WriteResult): string | undefined {
    if (this.#wanted?.size === 0) return undefined
    const { action } = operation
    if ('error' in result || result.result === 'noop' || operation.update !== undefined)
      return this.#printShown(action, showItem(operation, result, this.#services, this.#options))
    if (this.#wanted !== undefined) return this.#printWanted(operation, result, this.#wanted)
    const { name, shards } = this.#textsOf(result.index)
    const head = `{"${action}":{"_index":${name},"_id":${JSON.stringify(result.id)},"_version":${result.version}`
    const tail = `"_seq_no":${result.seqNo},"_primary_term":1,"status":${result.status}}}`
    return `${head},"result":"${result.result}",${this.#refreshed}"_shards":${shards},${tail}`
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

  #textsOf(index: string): { readonly name: string; readonly shards: string } {
    const known = this.#byIndex.get(index)
    if (known) return known
    const meta = this.#services.catalogue.index(index)
    const made = { name: JSON.stringify(index), shards: JSON.stringify(meta ? writeShards(meta) : {}) }
    this.#byIndex.set(index, made)
    return made
  }
}
