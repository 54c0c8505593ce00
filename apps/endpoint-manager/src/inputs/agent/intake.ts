import { limits } from '../../limits.ts'
import { tooMany } from '../body-room.ts'
import type { EventsBatch } from './events-batch.ts'

/** A batch that was read; call `done` once its events are stored or given back. */
export interface TakenBatch {
  readonly batch: EventsBatch
  done(): void
}

/**
 * Lets in what agents send. After an outage thousands come with all they kept: bodies for which there is no room are refused unread (`BodyRoom`), the others wait
 * packed, in the order they came, and one at a time is unpacked and read once there is room for its events. Reading a batch costs half of what
 * storing it does: who is refused must be refused before.
 */
export class Intake {
  readonly #eventsMax: () => number
  readonly #waiting = new Set<() => void>()
  #events = 0
  #isReading = false

  /** `eventsMax`: how many may be on their way to search at one time; one batch more than fits is taken. */
  constructor(eventsMax: () => number) {
    this.#eventsMax = eventsMax
  }

  /** Reads a batch when its turn has come; throws `agent_limit_reached` when that takes longer than `limits.turnMs`. */
  async take(read: () => Promise<EventsBatch>): Promise<TakenBatch> {
    await this.#turn()
    let events = 0
    try {
      const batch = await read()
      events = batch.records.length
      this.#events += events
      return {
        batch,
        done: () => {
          this.#events -= events
          this.#next()
        },
      }
    } finally {
      this.#isReading = false
      this.#next()
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(go)
        this.#isReading = true
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(go)
        reject(tooMany())
      }, limits.turnMs)
      this.#waiting.add(go)
      this.#next()
    })
  }

  #next(): void {
    if (this.#isReading || this.#events >= this.#eventsMax()) return
    const [first] = this.#waiting
    first?.()
  }
}
