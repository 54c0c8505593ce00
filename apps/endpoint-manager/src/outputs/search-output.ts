import { setImmediate } from 'node:timers/promises'
import { AppError, agentsErrors, messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { BulkRequest, type BulkResult, type SearchClient } from '@logstack/search-client'
import { readTime } from '../ecs/event-times.ts'
import { type Fields, getField } from '../ecs/fields.ts'
import { limits } from '../limits.ts'

/** A document with its id. */
export interface OutputDocument {
  readonly id: string
  readonly index: string
  readonly document: Fields
  /** The id of the agent whose own event it is, as its certificate says; what a document says of agents itself anybody may have written. */
  readonly agent?: string | undefined
}

/** Called once search took an event: with its own time (milliseconds since 1970, NaN where it says none), and what reads back its document, to be called at once if at all. */
export type Tell = (time: number, read: () => Fields) => void

/**
 * Looks at an event before it is stored; what it gives back is called once search took the event, however often it is sent. It should keep no more of the
 * event than it needs, nor be made anew where one will do: it lives until search has answered, and whatever does is copied by the garbage collector.
 */
export type Look = (event: OutputDocument) => Tell | undefined

/** How long events are made before sockets get their turn. */
const makeAtOnceMs = 8
const lookEvery = 16
const rejectedDataset = 'rejected'

/**
 * Stores documents in search with `create`: one that is there already (409) was sent before and is done. A document whose fields search refuses is
 * stored whole as text in `logs-rejected-default` instead, so nothing is lost and nothing blocks.
 */
export class SearchOutput {
  readonly #client: SearchClient
  readonly #logger: Logger
  readonly #looks: readonly Look[]

  constructor(client: SearchClient, logger: Logger, looks: readonly Look[] = []) {
    this.#client = client
    this.#logger = logger
    this.#looks = looks
  }

  /**
   * Resolves once search acknowledged every document; throws `events_not_stored` when any of them must be sent again. They are taken one by one, and
   * only their bytes are kept: a generator makes each when its turn has come.
   */
  async write(documents: Iterable<OutputDocument>): Promise<void> {
    let batch = new Batch(this.#looks)
    let restMs = performance.now()
    for (const document of documents) {
      batch.add(document)
      if (batch.size === limits.bulkDocumentsMax) {
        await this.#store(batch)
        batch = new Batch(this.#looks)
        restMs = performance.now()
      } else if (batch.size % lookEvery === 0 && performance.now() - restMs >= makeAtOnceMs) {
        await setImmediate()
        restMs = performance.now()
      }
    }
    await this.#store(batch)
  }

  async #store(batch: Batch): Promise<void> {
    if (batch.size === 0) return
    const refused = await this.#create(batch)
    batch.release()
    const [first] = refused
    if (!first) return
    this.#logger.warn(
      { count: refused.length, index: first.document.index, reason: first.reason },
      'search refused events; they are kept as text',
    )
    const texts = new Batch(this.#looks)
    for (const { document, reason } of refused) texts.add(asText(document, reason))
    const [lost] = await this.#create(texts)
    if (lost) throw notStored(lost.reason)
    texts.release()
  }

  /** Gives back the documents that search refuses for what they hold. */
  async #create(batch: Batch): Promise<{ document: OutputDocument; reason: string }[]> {
    const results = await batch.send(this.#client).catch((thrown: unknown) => {
      throw notStored(messageOf(thrown), thrown)
    })
    // Before anything is thrown: what is stored now will not be new when it is sent again.
    batch.stored(results)
    const unfinished = results.find((result) => result.status === 429 || result.status >= 500)
    if (unfinished) throw notStored(reasonOf(unfinished))
    return results.flatMap((result, at) =>
      isRefused(result) ? [{ document: batch.documentAt(at), reason: reasonOf(result) }] : [],
    )
  }
}

/** Documents on their way to search as the bytes they are sent as, and who wants to hear when they are stored. */
class Batch {
  readonly #looks: readonly Look[]
  readonly #bulk = new BulkRequest()
  readonly #times: number[] = []
  /** Who wants to hear, and of which event each does. */
  readonly #tells: Tell[] = []
  readonly #tellsOf: number[] = []

  constructor(looks: readonly Look[]) {
    this.#looks = looks
  }

  get size(): number {
    return this.#bulk.size
  }

  add(event: OutputDocument): void {
    const { id, index, document } = event
    const at = this.#bulk.size
    this.#bulk.add({ action: 'create', index, id, document })
    this.#times.push(readTime(String(document['@timestamp'])))
    for (const look of this.#looks) {
      const tell = look(event)
      if (!tell) continue
      this.#tells.push(tell)
      this.#tellsOf.push(at)
    }
  }

  send(client: SearchClient): Promise<BulkResult[]> {
    return this.#bulk.send(client)
  }

  stored(results: readonly BulkResult[]): void {
    let at = 0
    const read = (): Fields => this.documentAt(at).document
    for (const [n, tell] of this.#tells.entries()) {
      at = this.#tellsOf[n] ?? 0
      if ((results[at]?.status ?? 500) < 300) tell(this.#times[at] ?? Number.NaN, read)
    }
  }

  documentAt(at: number): OutputDocument {
    const { index, id = '', document } = this.#bulk.actionAt(at)
    return { index, id, document: document as Fields }
  }

  release(): void {
    this.#bulk.release()
  }
}

function reasonOf({ error, status }: BulkResult): string {
  return error?.reason ?? `status ${status}`
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
