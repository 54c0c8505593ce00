import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '@logstack/errors'
import { buildDocument } from '../documents/build-document.ts'
import { documentId } from '../documents/document-id.ts'
import { limits } from '../limits.ts'
import type { OutputDocument } from '../outputs/search-output.ts'
import { EventRun, type EventSource } from './event-run.ts'
import type { InputServices } from './input.ts'

const batchMax = limits.bulkDocumentsMax
// Requests at one time: search makes one commit of what comes together, and none waits for the disk of another.
const lanesMax = 4
const gatherMs = 100
/**
 * How much of the queue is filled by senders that can wait, and how many of their events at most: what all requests take twice over. More would only grow
 * old here, where the garbage collector copies it, while the senders have it anyway.
 */
const waitingShare = 0.25
const waitingEventsMax = 2 * lanesMax * batchMax
const retryMs = 1_000
const closeLimitMs = 3_000
const stopLimitMs = 10_000
const reportDropsEveryMs = 10_000

/** Events of senders that keep nothing, between sockets and search: bounded, stored in batches, tried again until search took them. */
export class EventQueue {
  readonly #services: InputServices
  readonly #name: string
  // Names this process among the ids of events, as a spool does for an agent.
  readonly #counter: string
  /** Who waits for room. */
  readonly #hopeful = new Set<() => void>()
  /** Those before `#taken` are in requests already. */
  #waiting: EventRun[] = []
  #taken = 0
  /** How many events those are that are not. */
  #unsent = 0
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
  offer<T>(items: readonly T[], source: EventSource<T>): void {
    const fitting = this.#roomFor(items, 0, source, { share: 1, eventsMax: Number.POSITIVE_INFINITY })
    // Without those that are dropped: they must not wait in memory with the others.
    if (fitting > 0) this.#push(fitting === items.length ? items : items.slice(0, fitting), 0, fitting, source)
    const dropped = items.length - fitting
    if (dropped === 0) return
    this.#dropped += dropped
    this.#services.losses.lost(this.#name, 'queue', dropped)
    const now = performance.now()
    if (now < this.#nextReport) return
    this.#nextReport = now + reportDropsEveryMs
    this.#services.logger.error({ dropped: this.#dropped }, `${this.#name} over UDP is dropped: the queue is full`)
  }

  /** Takes events; resolves when the sender may go on. Such senders fill a part of the queue only: the rest is for those that cannot wait. */
  async add<T>(items: readonly T[], source: EventSource<T>): Promise<void> {
    for (let from = 0; from < items.length; ) {
      const to = this.#stopping
        ? items.length
        : this.#roomFor(items, from, source, { share: waitingShare, eventsMax: waitingEventsMax })
      if (to > from) this.#push(items, from, to, source)
      else await new Promise<void>((resolve) => this.#hopeful.add(resolve))
      from = to
    }
  }

  /**
   * Resolves once senders that can wait may add something, or at `gone`. Who reads nothing before keeps nothing of senders that come, send and go while
   * search is down.
   */
  async room(gone: AbortSignal): Promise<void> {
    const most = { share: waitingShare, eventsMax: waitingEventsMax }
    while (!this.#stopping && !gone.aborted && this.#roomFor([0], 0, { bytesOf: () => 1 }, most) === 0) {
      await new Promise<void>((resolve) => {
        const leave = (): void => {
          this.#hopeful.delete(go)
          resolve()
        }
        const go = (): void => {
          gone.removeEventListener('abort', leave)
          resolve()
        }
        gone.addEventListener('abort', leave, { once: true })
        this.#hopeful.add(go)
      })
    }
  }

  /**
   * Stores what is left, within a limit. `closed` resolves when nobody adds anything any more; senders for whom there is no room after three seconds have
   * theirs taken all the same, for `lateMsMax` milliseconds.
   */
  async stop(closed: Promise<unknown>, lateMsMax = closeLimitMs): Promise<void> {
    const closedWithin = (ms: number) => Promise.race([closed, sleep(ms, undefined, { ref: false })])
    await closedWithin(closeLimitMs)
    this.#stopping = true
    this.#makeRoom()
    await closedWithin(lateMsMax)
    clearTimeout(this.#timer)
    this.#openLanes()
    await Promise.race([this.#drained(), sleep(stopLimitMs, undefined, { ref: false })])
    this.#hasGivenUp = true
    const lost = this.#unsent + this.#sending
    if (lost > 0) this.#services.logger.error({ lost }, `events of ${this.#name} were not stored`)
  }

  /** Where those of the items from `from` on end for which there is room. */
  #roomFor<T>(
    items: readonly T[],
    from: number,
    source: Pick<EventSource<T>, 'bytesOf'>,
    most: { readonly share: number; readonly eventsMax: number },
  ): number {
    const queueMax = this.#services.settings.get('syslog.queue_events_max') * most.share
    const room = Math.min(queueMax, most.eventsMax) - this.#unsent - this.#sending
    let bytes = limits.queueBytesMax * most.share - this.#bytes
    let to = from
    for (; to < items.length && to - from < room && bytes > 0; to += 1) bytes -= source.bytesOf(items[to] as T)
    return to
  }

  #push<T>(items: readonly T[], from: number, to: number, source: EventSource<T>): void {
    const run = new EventRun(items, source, { from, to, received: this.#services.now(), number: this.#number })
    this.#waiting.push(run)
    this.#number += run.length
    this.#unsent += run.length
    this.#bytes += run.bytes
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
      const lane = this.#store(batch).finally(() => {
        this.#lanes.delete(lane)
        this.#openLanes()
      })
      this.#lanes.add(lane)
    }
  }

  /** The next batch; those that went before are let go in one go, as moving all that wait for each batch would cost more. */
  #take(): EventRun[] {
    const batch: EventRun[] = []
    let room: number = batchMax
    for (let run = this.#waiting[this.#taken]; run && room > 0; run = this.#waiting[this.#taken]) {
      if (run.length > room) {
        const [first, rest] = run.split(room)
        batch.push(first)
        this.#waiting[this.#taken] = rest
        room = 0
      } else {
        batch.push(run)
        room -= run.length
        this.#taken += 1
      }
    }
    if (this.#taken * 2 >= this.#waiting.length) {
      this.#waiting = this.#waiting.slice(this.#taken)
      this.#taken = 0
    }
    this.#unsent -= batchMax - room
    this.#sending += batchMax - room
    return batch
  }

  async #store(batch: readonly EventRun[]): Promise<void> {
    while (!this.#hasGivenUp) {
      try {
        await this.#services.output.write(this.#documents(batch))
        for (const run of batch) {
          this.#sending -= run.length
          this.#bytes -= run.bytes
        }
        this.#makeRoom()
        return
      } catch (thrown) {
        const waiting = this.#unsent + this.#sending
        this.#services.logger.warn({ waiting }, `${this.#name} waits: ${messageOf(thrown)}`)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  *#documents(batch: readonly EventRun[]): Generator<OutputDocument> {
    const { decoders, now } = this.#services
    for (const run of batch) {
      const { length, number, received } = run
      for (let at = 0; at < length; at += 1) {
        const { agent, index, document } = buildDocument(run.describe(at), decoders, now())
        yield {
          id: documentId({ time: received, counter: this.#counter, number: number + at }),
          agent,
          index,
          document,
        }
      }
    }
  }

  #makeRoom(): void {
    for (const resolve of this.#hopeful) resolve()
    this.#hopeful.clear()
  }
}
