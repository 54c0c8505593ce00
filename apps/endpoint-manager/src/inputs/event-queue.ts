import { randomBytes } from 'node:crypto'
import { messageOf } from '@logstack/errors'
import { buildDocument, type RawEvent } from '../ecs/build-document.ts'
import { documentId } from '../ecs/document-id.ts'
import { limits } from '../limits.ts'
import type { OutputDocument } from '../outputs/search-output.ts'
import type { InputServices } from './input.ts'

const batchMax = limits.bulkDocumentsMax
// Requests at one time: search makes one commit of what comes together, and none waits for the disk of another.
const lanesMax = 4
const gatherMs = 100
/** How much of the queue is filled by senders that can wait. */
const waitingShare = 0.25
const retryMs = 1_000
const stopLimitMs = 10_000
const reportDropsEveryMs = 10_000

/** Describes an event when its turn has come; must not throw. */
export type Describe = () => RawEvent

/** An event and how much memory what it is made of takes. */
export interface QueuedEvent {
  readonly describe: Describe
  readonly bytes: number
}

interface Waiting extends QueuedEvent {
  readonly received: number
  readonly number: number
}

/** Events of senders that keep nothing, between sockets and search: bounded, stored in batches, tried again until search took them. */
export class EventQueue {
  readonly #services: InputServices
  readonly #name: string
  // Names this process among the ids of events, as a spool does for an agent.
  readonly #counter: string
  /** Who waits for room. */
  readonly #hopeful = new Set<() => void>()
  /** Those before `#taken` are in requests already. */
  #waiting: Waiting[] = []
  #taken = 0
  #number = 0
  #dropped = 0
  #nextReport = 0
  #stopping = false
  #hasGivenUp = false
  #timer: NodeJS.Timeout | undefined
  /** How many events are in bulk requests now. */
  #sending = 0
  /** Of all that wait or are in requests. */
  #bytes = 0
  readonly #lanes = new Set<Promise<void>>()

  /** `name` is the input's; it begins the ids of its events. */
  constructor(services: InputServices, name: string) {
    this.#services = services
    this.#name = name
    this.#counter = `${name}-${randomBytes(4).toString('hex')}`
  }

  /** Takes events of senders that cannot wait: dropped and counted while the queue is full. */
  offer(events: readonly QueuedEvent[]): void {
    let dropped = 0
    for (const event of events) {
      if (this.#hasRoom(1)) this.#push(event)
      else dropped += 1
    }
    if (dropped === 0) return
    this.#dropped += dropped
    this.#services.losses.lost(this.#name, 'queue', dropped)
    const now = this.#services.now()
    if (now < this.#nextReport) return
    this.#nextReport = now + reportDropsEveryMs
    this.#services.logger.error({ dropped: this.#dropped }, `${this.#name} over UDP is dropped: the queue is full`)
  }

  /** Takes events; resolves when the sender may go on. Such senders fill a part of the queue only: the rest is for those that cannot wait. */
  async add(events: readonly QueuedEvent[]): Promise<void> {
    for (const event of events) {
      while (!this.#hasRoom(waitingShare) && !this.#stopping)
        await new Promise<void>((resolve) => this.#hopeful.add(resolve))
      this.#push(event)
    }
  }

  /** Stores what is left, within a limit. */
  async stop(): Promise<void> {
    this.#stopping = true
    clearTimeout(this.#timer)
    this.#makeRoom()
    this.#openLanes()
    const limit = new Promise<void>((resolve) => setTimeout(resolve, stopLimitMs).unref())
    await Promise.race([this.#drained(), limit])
    this.#hasGivenUp = true
    const lost = this.#unsent + this.#sending
    if (lost > 0) this.#services.logger.error({ lost }, `events of ${this.#name} were not stored`)
  }

  get #unsent(): number {
    return this.#waiting.length - this.#taken
  }

  /** Whether less than this share of the queue is taken. */
  #hasRoom(share: number): boolean {
    const eventsMax = this.#services.settings.get('syslog.queue_events_max') * share
    return this.#unsent + this.#sending < eventsMax && this.#bytes < limits.queueBytesMax * share
  }

  #push({ describe, bytes }: QueuedEvent): void {
    this.#waiting.push({ describe, bytes, received: this.#services.now(), number: this.#number })
    this.#number += 1
    this.#bytes += bytes
    if (this.#unsent >= batchMax) this.#openLanes()
    else if (this.#lanes.size === 0) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#openLanes()
      }, gatherMs)
    }
  }

  async #drained(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all(this.#lanes)
  }

  /** Another lane for each full batch that waits, one for anything. */
  #openLanes(): void {
    while (this.#lanes.size < lanesMax && this.#unsent > (this.#lanes.size === 0 ? 0 : batchMax - 1)) {
      const batch = this.#take()
      this.#sending += batch.length
      const lane = this.#store(batch).finally(() => {
        this.#lanes.delete(lane)
        this.#openLanes()
      })
      this.#lanes.add(lane)
    }
  }

  /** The next batch; those that went before are let go in one go, as moving all that wait for each batch would cost more. */
  #take(): Waiting[] {
    const batch = this.#waiting.slice(this.#taken, this.#taken + batchMax)
    this.#taken += batch.length
    if (this.#taken * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#taken)
      this.#taken = 0
    }
    return batch
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    while (!this.#hasGivenUp) {
      try {
        await this.#services.output.write(this.#documents(batch))
        this.#sending -= batch.length
        for (const { bytes } of batch) this.#bytes -= bytes
        this.#makeRoom()
        return
      } catch (thrown) {
        const waiting = this.#unsent + this.#sending
        this.#services.logger.warn({ waiting }, `${this.#name} waits: ${messageOf(thrown)}`)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  *#documents(batch: readonly Waiting[]): Generator<OutputDocument> {
    for (const event of batch) yield this.#document(event)
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
    for (const resolve of this.#hopeful) resolve()
    this.#hopeful.clear()
  }
}
