import { randomBytes } from 'node:crypto'
import { messageOf } from '@logstack/errors'
import { buildDocument, type RawEvent } from '../ecs/build-document.ts'
import { documentId } from '../ecs/document-id.ts'
import type { OutputDocument } from '../outputs/search-output.ts'
import type { InputServices } from './input.ts'

const batchMax = 2_000
const gatherMs = 100
const retryMs = 1_000
const stopLimitMs = 10_000
const reportDropsEveryMs = 10_000

/** Describes an event when its turn has come; must not throw. */
export type Describe = () => RawEvent

interface Waiting {
  readonly describe: Describe
  readonly received: number
  readonly number: number
}

/** Events of senders that keep nothing, between sockets and search: bounded, stored in batches, tried again until search took them. */
export class EventQueue {
  readonly #services: InputServices
  readonly #name: string
  // Names this process among the ids of events, as a spool does for an agent.
  readonly #counter: string
  readonly #room = new Set<() => void>()
  #waiting: Waiting[] = []
  #number = 0
  #dropped = 0
  #nextReport = 0
  #stopping = false
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined

  /** `name` is the input's; it begins the ids of its events. */
  constructor(services: InputServices, name: string) {
    this.#services = services
    this.#name = name
    this.#counter = `${name}-${randomBytes(4).toString('hex')}`
  }

  /** Takes an event of a sender that cannot wait: dropped and counted when the queue is full. */
  offer(describe: Describe): void {
    if (!this.#isFull) {
      this.#push(describe)
      return
    }
    this.#dropped += 1
    const now = this.#services.now()
    if (now < this.#nextReport) return
    this.#nextReport = now + reportDropsEveryMs
    this.#services.logger.error({ dropped: this.#dropped }, `${this.#name} over UDP is dropped: the queue is full`)
  }

  /** Takes an event; resolves when the sender may go on. */
  async add(describe: Describe): Promise<void> {
    while (this.#isFull && !this.#stopping) await new Promise<void>((resolve) => this.#room.add(resolve))
    this.#push(describe)
  }

  /** Stores what is left, within a limit. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    this.#makeRoom()
    this.#storing ??= this.#storeAll()
    const limit = new Promise<void>((resolve) => setTimeout(resolve, stopLimitMs).unref())
    await Promise.race([this.#storing, limit])
    if (this.#waiting.length > 0)
      this.#services.logger.error({ lost: this.#waiting.length }, `events of ${this.#name} were not stored`)
  }

  get #isFull(): boolean {
    return this.#waiting.length >= this.#services.settings.get('syslog.queue_events_max')
  }

  #push(describe: Describe): void {
    this.#waiting.push({ describe, received: this.#services.now(), number: this.#number })
    this.#number += 1
    if (this.#storing !== undefined) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#storing = this.#storeAll().finally(() => {
        this.#storing = undefined
      })
    }, gatherMs)
  }

  async #storeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, batchMax)
      try {
        await this.#services.output.write(batch.map((event) => this.#document(event)))
      } catch (thrown) {
        this.#services.logger.warn({ waiting: this.#waiting.length }, `${this.#name} waits: ${messageOf(thrown)}`)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        continue
      }
      this.#waiting = this.#waiting.slice(batch.length)
      this.#makeRoom()
    }
  }

  #document({ describe, received, number }: Waiting): OutputDocument {
    const { decoders, now } = this.#services
    const raw = { ...describe(), collected: received }
    return {
      id: documentId({ time: received, counter: this.#counter, number }),
      ...buildDocument(raw, decoders, now()),
    }
  }

  #makeRoom(): void {
    for (const resolve of this.#room) resolve()
    this.#room.clear()
  }
}
