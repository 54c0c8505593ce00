import { randomBytes } from 'node:crypto'
import { ecsVersion } from '@logstack/ecs'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { documentId } from '../ecs/document-id.ts'
import { readTime } from '../ecs/event-times.ts'
import { getField } from '../ecs/fields.ts'
import type { OutputDocument } from './search-output.ts'

const everyMs = 60_000
const sourcesMax = 5_000
const dataset = 'logstack.sources'

interface Counts {
  events: number
  unparsed: number
  lagMs: number
}

/**
 * Counts stored events by source, which is a host and a data set: how many, how many of them no decoder understood, and how long the slowest took from
 * its own time to search. Once a minute the counts become documents of `metrics-logstack.sources-default`; a source without events has none.
 */
export class SourceCounts {
  readonly #now: () => number
  readonly #counter = `sources-${randomBytes(4).toString('hex')}`
  readonly #sources = new Map<string, Counts>()
  #number = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Takes events that search stored. Beyond five thousand sources the others of the minute count as one, `(others)`. */
  count(documents: readonly OutputDocument[]): void {
    for (const { document } of documents) {
      const name = getField(document, 'data_stream.dataset')
      if (typeof name !== 'string' || name === dataset) continue
      const host = getField(document, 'host.name')
      const key = JSON.stringify([typeof host === 'string' ? host : '', name])
      const isKnown = this.#sources.has(key) || this.#sources.size < sourcesMax
      const own = isKnown ? key : JSON.stringify(['(others)', '(others)'])
      const counts = this.#sources.get(own) ?? { events: 0, unparsed: 0, lagMs: 0 }
      this.#sources.set(own, counts)
      const tags = document['tags']
      counts.events += 1
      if (Array.isArray(tags) && tags.includes('unparsed')) counts.unparsed += 1
      counts.lagMs = Math.max(counts.lagMs, this.#now() - readTime(String(document['@timestamp'])) || 0)
    }
  }

  /** The documents of the time since the last call, which begin the counts anew. */
  take(): OutputDocument[] {
    const time = this.#now()
    const documents = [...this.#sources].map(([key, { events, unparsed, lagMs }]): OutputDocument => {
      const [host, name] = JSON.parse(key) as [string, string]
      return {
        id: documentId({ time, counter: this.#counter, number: this.#number++ }),
        index: `metrics-${dataset}-default`,
        document: {
          '@timestamp': new Date(time).toISOString(),
          ecs: { version: ecsVersion },
          data_stream: { type: 'metrics', dataset, namespace: 'default' },
          event: { kind: 'metric', module: 'logstack', dataset },
          ...(host === '' ? {} : { host: { name: host } }),
          logstack: { source: { dataset: name, events, unparsed, lag_ms: Math.max(0, Math.round(lagMs)) } },
        },
      }
    })
    this.#sources.clear()
    return documents
  }
}

/** Writes the counts of every minute with `write` until the result is called; those of a minute that search takes none of are lost. */
export function reportCounts(
  counts: readonly { take(): OutputDocument[] }[],
  write: (documents: readonly OutputDocument[]) => Promise<void>,
  logger: Logger,
): () => void {
  const timer = setInterval(() => {
    write(counts.flatMap((count) => count.take())).catch((thrown: unknown) =>
      logger.warn(`counts of a minute are lost: ${messageOf(thrown)}`),
    )
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
