import { randomBytes } from 'node:crypto'
import { messageOf } from '@logstack/errors'
import { parseSyslog } from '@logstack/syslog'
import { buildDocument } from '../../ecs/build-document.ts'
import { documentId } from '../../ecs/document-id.ts'
import type { OutputDocument } from '../../outputs/search-output.ts'
import type { InputServices } from '../input.ts'

const batchMax = 1_000
const gatherMs = 100
const retryMs = 1_000
const stopLimitMs = 10_000
const reportDropsEveryMs = 10_000

interface Waiting {
  readonly text: string
  readonly sender: string
  readonly received: number
  readonly number: number
}

/** Syslog messages between the sockets and search: bounded, stored in batches, tried again until search took them. */
export class SyslogQueue {
  readonly #services: InputServices
  // Names this process among the ids of events, as a spool does for an agent.
  readonly #counter = `syslog-${randomBytes(4).toString('hex')}`
  readonly #room = new Set<() => void>()
  #waiting: Waiting[] = []
  #number = 0
  #dropped = 0
  #nextReport = 0
  #stopping = false
  #timer: NodeJS.Timeout | undefined
  #storing: Promise<void> | undefined

  constructor(services: InputServices) {
    this.#services = services
  }

  /** Takes a message of a sender that cannot wait: dropped and counted when the queue is full. */
  offer(text: string, sender: string): void {
    if (!this.#isFull) {
      this.#push(text, sender)
      return
    }
    this.#dropped += 1
    const now = this.#services.now()
    if (now < this.#nextReport) return
    this.#nextReport = now + reportDropsEveryMs
    this.#services.logger.error({ dropped: this.#dropped }, 'syslog messages over UDP are dropped: the queue is full')
  }

  /** Takes a message; resolves when the sender may go on. */
  async add(text: string, sender: string): Promise<void> {
    while (this.#isFull && !this.#stopping) await new Promise<void>((resolve) => this.#room.add(resolve))
    this.#push(text, sender)
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
      this.#services.logger.error({ lost: this.#waiting.length }, 'syslog messages were not stored')
  }

  get #isFull(): boolean {
    return this.#waiting.length >= this.#services.settings.get('syslog.queue_events_max')
  }

  #push(text: string, sender: string): void {
    this.#waiting.push({ text, sender, received: this.#services.now(), number: this.#number })
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
        await this.#services.output.write(batch.map((message) => this.#document(message)))
      } catch (thrown) {
        this.#services.logger.warn({ waiting: this.#waiting.length }, `syslog waits: ${messageOf(thrown)}`)
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        continue
      }
      this.#waiting = this.#waiting.slice(batch.length)
      this.#makeRoom()
    }
  }

  #document({ text, sender, received, number }: Waiting): OutputDocument {
    const { decoders, settings, now } = this.#services
    const syslog = parseSyslog(text)
    const address = sender.replace(/^::ffff:/, '')
    const fields = {
      message: syslog.raw,
      host: { name: syslog.hostname ?? address, ip: address },
      log: { source: { address } },
      event: { provider: syslog.format },
    }
    const raw = {
      type: 'logs' as const,
      dataset: 'syslog',
      fields,
      collected: received,
      syslog,
      timezone: settings.get('syslog.timezone'),
    }
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
