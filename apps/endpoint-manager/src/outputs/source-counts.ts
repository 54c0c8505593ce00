import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ecsVersion } from '@logstack/ecs'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { ownText } from '@logstack/syslog'
import { documentId } from '../documents/document-id.ts'
import { getField } from '../ecs/fields.ts'
import type { OutputDocument, Tell } from './search-output.ts'

const everyMs = 60_000
const stopLimitMs = 3_000
const sourcesMax = 5_000
/** Documents of one kind that wait for search. */
const waitingMax = 10_000
const dataset = 'logstack.sources'
const others = '(others)'

interface Counts {
  events: number
  unparsed: number
  lagMs: number
  /** Of the quickest event; below zero where its own time is ahead. */
  lagMsMin: number
}

/** What counts an event of a source. */
interface Tells {
  readonly parsed: Tell
  readonly unparsed: Tell
}

/**
 * Counts stored events by source, which is a host and a data set: how many, how many of them no decoder understood, and how long the slowest took from
 * its own time to search, and the quickest, which tells of a clock that is off; of agents' hosts that is known. Once a minute the counts become documents of `metrics-logstack.sources-default`; a source without events has none.
 */
export class SourceCounts {
  readonly #now: () => number
  readonly #counter = `sources-${randomBytes(4).toString('hex')}`
  /** By host, then by data set. */
  readonly #sources = new Map<string, Map<string, Counts>>()
  #size = 0
  /** By host, how far its clock is ahead (milliseconds, below zero behind), as its agent said with the last events. */
  readonly #offsets = new Map<string, number>()
  readonly #tells = new Map<string, Map<string, Tells>>()
  #tellsSize = 0
  #number = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** Counts an event once it is stored. Beyond five thousand sources the others of the minute count as one, `(others)`. */
  look({ document }: OutputDocument): Tell | undefined {
    const name = getField(document, 'data_stream.dataset')
    if (typeof name !== 'string' || name === dataset) return undefined
    const host = getField(document, 'host.name')
    const tags = document['tags']
    const isUnparsed = Array.isArray(tags) && tags.includes('unparsed')
    const tells = this.#tellsOf(typeof host === 'string' ? host : '', name)
    return isUnparsed ? tells.unparsed : tells.parsed
  }

  /** An agent sent events: its host's clock is ahead of this one by so much, milliseconds. */
  heard(host: string, offsetMs: number): void {
    if (this.#offsets.has(host) || this.#offsets.size < sourcesMax) this.#offsets.set(host, offsetMs)
  }

  /** One of each for all events of a source. */
  #tellsOf(hostName: string, name: string): Tells {
    const known = this.#tells.get(hostName)?.get(name)
    if (known) return known
    const host = ownText(hostName)
    const count = (time: number): Counts => {
      const counts = this.#of(host, name)
      counts.events += 1
      const lagMs = this.#now() - time
      counts.lagMs = Math.max(counts.lagMs, lagMs || 0)
      if (lagMs < counts.lagMsMin) counts.lagMsMin = lagMs
      return counts
    }
    const tells: Tells = {
      parsed: count,
      unparsed: (time) => {
        count(time).unparsed += 1
      },
    }
    if (this.#tellsSize >= sourcesMax) this.#forgetTells()
    const ofHost = this.#tells.get(host) ?? new Map<string, Tells>()
    this.#tells.set(host, ofHost.set(name, tells))
    this.#tellsSize += 1
    return tells
  }

  #forgetTells(): void {
    this.#tells.clear()
    this.#tellsSize = 0
  }

  #of(host: string, name: string): Counts {
    const known = this.#sources.get(host)?.get(name)
    if (known) return known
    const isFull = this.#size >= sourcesMax
    const [ownHost, ownName] = isFull ? [others, others] : [host, name]
    const ofHost = this.#sources.get(ownHost) ?? new Map<string, Counts>()
    this.#sources.set(ownHost, ofHost)
    const counts = ofHost.get(ownName) ?? { events: 0, unparsed: 0, lagMs: 0, lagMsMin: Number.POSITIVE_INFINITY }
    if (!ofHost.has(ownName)) this.#size += 1
    ofHost.set(ownName, counts)
    return counts
  }

  /** The documents of the time since the last call, which begin the counts anew. */
  take(): OutputDocument[] {
    const time = this.#now()
    const all = [...this.#sources].flatMap(([host, names]) =>
      [...names].map(([name, counts]) => ({ host, name, ...counts })),
    )
    const documents = all.map(({ host, name, events, unparsed, lagMs, lagMsMin }): OutputDocument => {
      const offsetMs = this.#offsets.get(host)
      return {
        id: documentId({ time, counter: this.#counter, number: this.#number++ }),
        index: `metrics-${dataset}-default`,
        document: {
          '@timestamp': new Date(time).toISOString(),
          ecs: { version: ecsVersion },
          data_stream: { type: 'metrics', dataset, namespace: 'default' },
          event: { kind: 'metric', module: 'logstack', dataset },
          ...(host === '' ? {} : { host: { name: host } }),
          logstack: {
            source: {
              dataset: name,
              events,
              unparsed,
              lag_ms: Math.max(0, Math.round(lagMs)),
              ...(Number.isFinite(lagMsMin) ? { lag_ms_min: Math.round(lagMsMin) } : {}),
              ...(offsetMs === undefined ? {} : { clock_offset_ms: offsetMs }),
            },
          },
        },
      }
    })
    this.#sources.clear()
    this.#offsets.clear()
    this.#size = 0
    this.#forgetTells()
    return documents
  }
}

/**
 * Writes the counts of every minute with `write` until the result is called, which writes what is left. What search does not take waits for it, ten thousand
 * documents of each kind: what is lost while search is away is what people want to know most.
 */
export function reportCounts(
  counts: readonly { take(): OutputDocument[] }[],
  write: (documents: readonly OutputDocument[]) => Promise<void>,
  logger: Logger,
): () => Promise<void> {
  const waiting = counts.map((count) => ({ count, documents: [] as OutputDocument[] }))
  const report = async (): Promise<void> => {
    for (const kind of waiting) {
      kind.documents.push(...kind.count.take())
      // The oldest go first.
      kind.documents.splice(0, kind.documents.length - waitingMax)
    }
    const sent = waiting.map(({ documents }) => documents.length)
    try {
      await write(waiting.flatMap(({ documents }) => documents))
      for (const [at, { documents }] of waiting.entries()) documents.splice(0, sent[at])
    } catch (thrown) {
      logger.warn(`counts of a minute wait: ${messageOf(thrown)}`)
    }
  }
  let reporting: Promise<void> | undefined
  const reportOnce = (): Promise<void> => {
    reporting ??= report().finally(() => {
      reporting = undefined
    })
    return reporting
  }
  const timer = setInterval(() => void reportOnce(), everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    const last = (reporting ?? Promise.resolve()).then(reportOnce)
    await Promise.race([last, sleep(stopLimitMs, undefined, { ref: false })])
  }
}
