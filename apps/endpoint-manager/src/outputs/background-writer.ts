import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { type BulkAction, type SearchClient, sendBulk } from '@logstack/search-client'
import type { InputLosses } from './input-losses.ts'

const retryMs = 1_000
const waitingMax = 50_000
const batchMax = 500

/** What a writer needs. */
export interface BackgroundWriterOptions {
  readonly search: SearchClient
  readonly logger: Logger
  readonly losses: Pick<InputLosses, 'lost'>
  /** What is written, for the log: `alerts`. */
  readonly what: string
  /** Made ready once, before the first write. */
  readonly prepare?: () => Promise<void>
}

/** Writes documents that follow from stored events, in their order, again until search takes them; bounded, and nobody waits for it. */
export class BackgroundWriter {
  readonly #options: BackgroundWriterOptions
  readonly #waiting: BulkAction[] = []
  #writing: Promise<void> | undefined
  #isPrepared = false
  #stopping = false

  constructor(options: BackgroundWriterOptions) {
    this.#options = options
  }

  /** Takes actions; those beyond fifty thousand waiting ones are dropped, counted and logged. */
  add(actions: readonly BulkAction[]): void {
    if (actions.length === 0) return
    const room = waitingMax - this.#waiting.length
    const { logger, losses, what } = this.#options
    if (actions.length > room) {
      losses.lost(what, 'writer', actions.length - room)
      logger.error({ dropped: actions.length - room }, `${what}: search has taken none for too long`)
    }
    this.#waiting.push(...actions.slice(0, Math.max(0, room)))
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined
    })
  }

  /** Writes what is left, with one more try. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    const { logger, what } = this.#options
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchMax)
      try {
        await this.#write(batch)
        this.#waiting.splice(0, batch.length)
      } catch (thrown) {
        logger.warn({ waiting: this.#waiting.length }, `${what} wait: ${messageOf(thrown)}`)
        if (this.#stopping) return
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  async #write(batch: readonly BulkAction[]): Promise<void> {
    const { search, prepare, logger, what } = this.#options
    if (!this.#isPrepared) await prepare?.()
    this.#isPrepared = true
    const results = await sendBulk(search, batch)
    const later = results.find(({ status }) => status === 429 || status >= 500)
    if (later) throw new Error(later.error?.reason ?? `status ${later.status}`)
    // 409: it is there already; 404: it was deleted already. What search will never take must not hold up the rest.
    const refused = results.find(({ status }) => status >= 300 && status !== 409 && status !== 404)
    if (refused)
      logger.error({ id: refused.id, status: refused.status }, `${what}: ${refused.error?.reason ?? 'refused'}`)
  }
}
