import { randomBytes } from 'node:crypto'
import { AppError, agentsErrors } from '@logstack/errors'
import { buildDocument, type RawEvent } from '../../documents/build-document.ts'
import { documentId } from '../../documents/document-id.ts'
import { limits } from '../../limits.ts'
import type { InputServices } from '../input.ts'

/** Stores the events of one request of a sender that keeps what is not acknowledged; resolves when search took all of them. */
export class RequestIntake {
  readonly #services: InputServices
  readonly #counter: string
  #number = 0
  #inFlight = 0

  /** `name` is the input's; it begins the ids of its events. */
  constructor(services: InputServices, name: string) {
    this.#services = services
    this.#counter = `${name}-${randomBytes(4).toString('hex')}`
  }

  async store(events: readonly Omit<RawEvent, 'collected'>[]): Promise<void> {
    const { decoders, now, output, settings } = this.#services
    if (events.length > limits.recordsPerBatchMax) {
      throw new AppError(
        agentsErrors.agent_request_too_large,
        `a request holds at most ${limits.recordsPerBatchMax} events`,
      )
    }
    if (this.#inFlight > 0 && this.#inFlight + events.length > settings.get('agent.events_in_flight_max')) {
      throw new AppError(agentsErrors.agent_limit_reached, 'too many events at one time, try again later')
    }
    const time = now()
    this.#inFlight += events.length
    try {
      await output.write(
        events.map((event) => ({
          id: documentId({ time, counter: this.#counter, number: this.#number++ }),
          ...buildDocument({ collected: time, ...event }, decoders, time),
        })),
      )
    } finally {
      this.#inFlight -= events.length
    }
  }
}
