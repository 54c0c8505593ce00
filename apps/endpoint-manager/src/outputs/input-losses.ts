import { randomBytes } from 'node:crypto'
import { ecsVersion } from '@logstack/ecs'
import { documentId } from '../documents/document-id.ts'
import type { OutputDocument } from './search-output.ts'

const dataset = 'logstack.inputs'

/**
 * Where a datagram was lost: before it was read (`kernel`), between thread and decoders (`process`), or as too many events waited for search (`queue`); or what else
 * went for want of room: connections that were refused, groups of a detection's windows, its silences, alerts and inventories that search did not take (`writer`).
 */
export type LossPlace = 'kernel' | 'process' | 'queue' | 'connections' | 'windows' | 'silences' | 'writer'

/**
 * Counts messages that were lost on their way in, by input and place, and what a detection forgot, by its title. Once a minute the counts become documents of
 * `metrics-logstack.inputs-default`; an input that lost nothing has none.
 */
export class InputLosses {
  readonly #now: () => number
  readonly #counter = `inputs-${randomBytes(4).toString('hex')}`
  readonly #lost = new Map<string, { readonly input: string; readonly place: LossPlace; count: number }>()
  #number = 0

  constructor(now: () => number) {
    this.#now = now
  }

  lost(input: string, place: LossPlace, count: number): void {
    const key = `${place} ${input}`
    const known = this.#lost.get(key) ?? { input, place, count: 0 }
    known.count += count
    this.#lost.set(key, known)
  }

  /** The documents of the time since the last call, which begin the counts anew. */
  take(): OutputDocument[] {
    const time = this.#now()
    const documents = [...this.#lost.values()].map(
      ({ input, place, count }): OutputDocument => ({
        id: documentId({ time, counter: this.#counter, number: this.#number++ }),
        index: `metrics-${dataset}-default`,
        document: {
          '@timestamp': new Date(time).toISOString(),
          ecs: { version: ecsVersion },
          data_stream: { type: 'metrics', dataset, namespace: 'default' },
          event: { kind: 'metric', module: 'logstack', dataset },
          logstack: { input: { name: input, place, lost: count } },
        },
      }),
    )
    this.#lost.clear()
    return documents
  }
}
