import type { WriteOperation, WriteResult } from '../documents/documents.ts'
import { printJson } from '../plan/json.ts'
import type { Services } from '../services.ts'
import { writeShards } from './shards.ts'
import { type ItemOptions, showItem } from './write-documents.ts'

/**
 * Writes the items of a bulk answer as JSON text, each as `showItem` shows it. A successful write, of which a request has thousands, is put together
 * from texts that are the same for all of an index.
 */
export class BulkItems {
  readonly #services: Services
  readonly #options: ItemOptions
  readonly #refreshed: string
  /** By index: its name as JSON, and what every write to it says of shards. */
  readonly #byIndex = new Map<string, { readonly name: string; readonly shards: string }>()

  constructor(services: Services, options: ItemOptions) {
    this.#services = services
    this.#options = options
    this.#refreshed = options.refresh === 'true' ? '"forced_refresh":true,' : ''
  }

  /** The text of one item. */
  print(operation: WriteOperation, result: WriteResult): string {
    if ('error' in result || result.result === 'noop' || operation.update !== undefined)
      return printJson(showItem(operation, result, this.#services, this.#options))
    const { name, shards } = this.#textsOf(result.index)
    const { action } = operation
    const head = `{"${action}":{"_index":${name},"_id":${JSON.stringify(result.id)},"_version":${result.version}`
    const tail = `"_seq_no":${result.seqNo},"_primary_term":1,"status":${result.status}}}`
    return `${head},"result":"${result.result}",${this.#refreshed}"_shards":${shards},${tail}`
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
