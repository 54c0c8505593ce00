import { AppError, agentsErrors } from '@logstack/errors'
import { limits } from '../../limits.ts'
import type { EventsBatch } from './events-batch.ts'

/** A batch that was read; call `done` once its events are stored or given back. */
export interface TakenBatch {
  readonly batch: EventsBatch
  done(): void
}

/**
 * Lets in what agents send. After an outage thousands come with all they kept: bodies beyond `limits.waitingBytesMax` are refused unread, the others wait
 * packed, in the order they came, and one at a time is unpacked and read once there is room for its events. Reading a batch costs half of what
 * storing it does: who is refused must be refused before.
 */
export class Intake {
  readonly #eventsMax: () => number
  readonly #waiting = new Set<() => void>()
  #bytes = 0
  #events = 0
  #isReading = false

  /** `eventsMax`: how many may be on their way to search at one time; one batch more than fits is taken. */
  constructor(eventsMax: () => number) {
    this.#eventsMax = eventsMax
  }

  /** Counts a request of so many bytes until the result is called; throws `agent_limit_reached`. */
  enter(bytes: number): () => void {
    if (this.#bytes > 0 && this.#bytes + bytes > limits.waitingBytesMax) throw tooMany()
    this.#bytes += bytes
    return () => {
      this.#bytes -= bytes
    }
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

function tooMany(): AppError {
  return new AppError(agentsErrors.agent_limit_reached, 'too many events at one time, try again later')
}
