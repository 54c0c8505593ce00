import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { type BulkAction, type BulkResult, type SearchClient, sendBulk } from '@logstack/search-client'
import { type Fields, getField } from '../ecs/fields.ts'
import { limits } from '../limits.ts'

/** A document with its id. */
export interface OutputDocument {
  readonly id: string
  readonly index: string
  readonly document: Fields
}

const rejectedDataset = 'rejected'

/**
 * Stores documents in search with `create`: one that is there already (409) was sent before and is done. A document whose fields search refuses is
 * stored whole as text in `logs-rejected-default` instead, so nothing is lost and nothing blocks.
 */
export class SearchOutput {
  readonly #client: SearchClient
  readonly #logger: Logger
  readonly #stored: ((documents: readonly OutputDocument[]) => void) | undefined

  /** `stored` is told of the documents that search took, each once, however often it is sent. */
  constructor(client: SearchClient, logger: Logger, stored?: (documents: readonly OutputDocument[]) => void) {
    this.#client = client
    this.#logger = logger
    this.#stored = stored
  }

  /** Resolves once search acknowledged every document; throws `events_not_stored` when any of them must be sent again. */
  async write(documents: readonly OutputDocument[]): Promise<void> {
    for (let at = 0; at < documents.length; at += limits.bulkDocumentsMax) {
      await this.#writeSome(documents.slice(at, at + limits.bulkDocumentsMax))
    }
  }

  async #writeSome(documents: readonly OutputDocument[]): Promise<void> {
    const results = await this.#create(documents)
    const refused = documents.flatMap((document, index) => {
      const result = results[index]
      return result && isRefused(result)
        ? [{ document, reason: result.error?.reason ?? `status ${result.status}` }]
        : []
    })
    if (refused.length === 0) return
    const [first] = refused
    this.#logger.warn(
      { count: refused.length, index: first?.document.index, reason: first?.reason },
      'search refused events; they are kept as text',
    )
    const again = await this.#create(refused.map(({ document, reason }) => asText(document, reason)))
    const lost = again.find((result) => isRefused(result))
    if (lost) throw notStored(lost.error?.reason ?? `status ${lost.status}`)
  }

  async #create(documents: readonly OutputDocument[]): Promise<BulkResult[]> {
    const actions: BulkAction[] = documents.map(({ id, index, document }) => ({
      action: 'create',
      index,
      id,
      document,
    }))
    const results = await sendBulk(this.#client, actions).catch((thrown: unknown) => {
      throw notStored(messageOf(thrown), thrown)
    })
    // Before anything is thrown: what is stored now will not be new when it is sent again.
    this.#stored?.(documents.filter((_document, index) => (results[index]?.status ?? 500) < 300))
    const unfinished = results.find((result) => result.status === 429 || result.status >= 500)
    if (unfinished) throw notStored(unfinished.error?.reason ?? `status ${unfinished.status}`)
    return results
  }
}

function isRefused({ status }: BulkResult): boolean {
  return status >= 400 && status !== 409
}

function notStored(reason: string, cause?: unknown): AppError {
  return new AppError(agentsErrors.events_not_stored, `search did not take the events: ${reason}`, { cause })
}

function asText({ id, document }: OutputDocument, reason: string): OutputDocument {
  const text: Fields = {
    '@timestamp': document['@timestamp'],
    message: JSON.stringify(document),
    ecs: document['ecs'],
    data_stream: { type: 'logs', dataset: rejectedDataset, namespace: 'default' },
    event: { kind: 'pipeline_error', module: 'logstack', dataset: rejectedDataset },
    error: { message: reason },
    host: { name: getField(document, 'host.name') },
    tags: ['rejected'],
  }
  return { id, index: `logs-${rejectedDataset}-default`, document: text }
}
