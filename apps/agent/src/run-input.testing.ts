import { join } from 'node:path'
import type { PolicyInput, PolicyStream, UnitStatus } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type TempDir, tempDir } from '@logstack/testkit'
import type { InputContext, InputType } from './inputs/input.ts'
import { Spool } from './spool/spool.ts'

const waitLimitMs = 90_000
type Event = Record<string, unknown>

/** An input at work on a spool of its own; several may follow each other on the same state, as the starts of an agent do. */
export class InputTrial {
  readonly #temporary: TempDir = tempDir('logstack-input')
  readonly #spool: Spool
  #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()
  status: UnitStatus | undefined
  message = ''
  /** Files that hold once more what is in the journal. */
  journalCopies: string[] = []
  /** What events wait for before the spool takes them, as they do while it is full. */
  beforeAppend: () => Promise<void> = async () => undefined

  constructor() {
    const spool = Spool.open(join(this.path, 'spool'), { bytesMax: 500_000_000, segmentBytesMax: 10_000_000 })
    const append = spool.append.bind(spool)
    spool.append = async (...given) => {
      await this.beforeAppend()
      return append(...given)
    }
    this.#spool = spool
  }

  get path(): string {
    return this.#temporary.path
  }

  start(type: InputType, dataset: string, keys: Record<string, unknown>): void {
    this.#stopping = new AbortController()
    this.status = undefined
    const stream: PolicyStream = { id: `${type.type}-${dataset}`, data_stream: { type: 'logs', dataset }, ...keys }
    const input: PolicyInput = { id: type.type, type: type.type, streams: [stream] }
    this.#running = type.run(input, this.context())
  }

  /** What an input works with here. */
  context(): InputContext {
    return {
      spool: this.#spool,
      logger: createLogger('agent', 'silent'),
      signal: this.#stopping.signal,
      extraLogPaths: [],
      isJournalCopy: (path) => this.journalCopies.includes(path),
      stateFolder: this.path,
      report: (_id, status, message) => {
        this.status = status
        this.message = message
      },
    }
  }

  /** Every event so far. */
  events(): Event[] {
    return (this.#spool.peek({ recordsMax: 100_000, bytesMax: 50_000_000 })?.records ?? []).map(({ event }) => event)
  }

  /** How many events there were so far. */
  count(): number {
    return this.#spool.pending
  }

  /** Resolves once the condition holds; fails after a minute and a half. */
  async until(what: string, holds: () => boolean): Promise<void> {
    for (const deadline = Date.now() + waitLimitMs; !holds(); ) {
      if (Date.now() > deadline) throw new Error(`waited in vain: ${what}; ${this.message}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async end(): Promise<void> {
    await this.stop()
    this.#spool.close()
    this.#temporary.remove()
  }
}
