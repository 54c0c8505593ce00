import type { SearchClient } from '@logstack/search-client'
import { type EventRange, type EventSource, refreshForOthers } from './event-query.ts'

/** Of one request. */
const countedMax = 100
/** Fewer are asked for each by itself. */
const knownMin = 8
/** A query that was not asked for so long belongs to a rule that is gone, or that runs seldom. */
const forgottenAfterMs = 5 * 60_000

interface Known {
  readonly filter: readonly unknown[]
  askedAt: number
  /** The sequence numbers above `after` up to `upTo` hold no event of it. */
  quiet: { readonly after: number; readonly upTo: number } | undefined
  /** Up to here it is not known whether they do, or they do: it is read. */
  readUpTo: number
  /** Search is counting it. */
  counting: Promise<void> | undefined
}

/** What is known of one shard. */
interface Place {
  /** The one that was not asked for longest comes first. */
  readonly queries: Map<string, Known>
  /** The highest number that it was looked at up to. */
  checkpoint: number
  /** Counts how often the index was made anew, as what was asked before says nothing of it. */
  life: number
}

/**
 * Which queries found nothing in new events. Hundreds of rules look at the same events and most find nothing, so those that were read before are counted
 * together, a hundred in one request, and only those that found something are read.
 */
export class QuietQueries {
  readonly #client: SearchClient
  readonly #now: () => number
  readonly #places = new Map<string, Place>()

  /** `now` only goes on, in milliseconds. */
  constructor(client: SearchClient, now: () => number = () => performance.now()) {
    this.#client = client
    this.#now = now
  }

  /** Whether it is known, or found out for this and others now, that no event of the range is meant. */
  async isQuiet({ filter }: EventSource, range: EventRange): Promise<boolean> {
    const place = this.#placeOf(range)
    const key = JSON.stringify(filter)
    const known = place.queries.get(key)
    if (!known) return false
    known.askedAt = this.#now()
    // Behind all others: those at the front were not asked for longest, and are next.
    place.queries.delete(key)
    place.queries.set(key, known)
    if (place.queries.size < knownMin) return false
    if (known.counting !== undefined) await known.counting
    else if (!isSettled(known, range)) await this.#count(place, known, range)
    return isKnownQuiet(known, range)
  }

  /** A query could be read: from now on it is counted with others. */
  wasRead({ filter }: EventSource, range: EventRange): void {
    const { queries } = this.#placeOf(range)
    const key = JSON.stringify(filter)
    if (queries.has(key)) return
    queries.set(key, { filter, askedAt: this.#now(), quiet: undefined, readUpTo: -1, counting: undefined })
  }

  /** A query could not be read: it must not keep others from being counted. */
  wasRefused({ filter }: EventSource, range: EventRange): void {
    this.#placeOf(range).queries.delete(JSON.stringify(filter))
  }

  #placeOf({ shard: { index, shard, shards, checkpoint }, after }: EventRange): Place {
    const name = `${index} ${shard} ${shards}`
    const place = this.#places.get(name) ?? { queries: new Map<string, Known>(), checkpoint, life: 0 }
    this.#places.set(name, place)
    // An index that was deleted and made anew counts from the beginning; one who goes on from a number is of a round before.
    const isNew = checkpoint < place.checkpoint && after < 0
    if (isNew) {
      place.life += 1
      for (const known of place.queries.values()) Object.assign(known, { quiet: undefined, readUpTo: -1 })
    }
    place.checkpoint = isNew ? checkpoint : Math.max(place.checkpoint, checkpoint)
    return place
  }

  async #count(place: Place, first: Known, range: EventRange): Promise<void> {
    const oldest = this.#now() - forgottenAfterMs
    const together: Known[] = [first]
    for (const [key, known] of place.queries) {
      if (known.askedAt < oldest) place.queries.delete(key)
      else if (known !== first && known.counting === undefined && !isSettled(known, range)) together.push(known)
      if (together.length >= countedMax) break
    }
    const counting = this.#ask(place, together, range)
    for (const known of together) known.counting = counting
    await counting
  }

  /** Never rejects: what cannot be counted is read. */
  async #ask(place: Place, together: readonly Known[], range: EventRange): Promise<void> {
    const upTo = range.shard.checkpoint
    const { life } = place
    const counts = await this.#counts(together, range).catch(() => [])
    for (const [at, known] of together.entries()) {
      known.counting = undefined
      if (life !== place.life) continue
      if (counts[at] === 0) known.quiet = { after: goesOn(known, range) ?? range.after, upTo }
      else known.readUpTo = upTo
    }
  }

  async #counts(together: readonly Known[], { shard, after }: EventRange): Promise<readonly (number | undefined)[]> {
    const index = encodeURIComponent(shard.index)
    await refreshForOthers(this.#client, index)
    const filters = Object.fromEntries(together.map(({ filter }, at) => [at, { bool: { filter } }]))
    const { body } = await this.#client.request<Counted>({
      method: 'POST',
      path: `/${index}/_search`,
      query: { preference: shard.shards > 1 ? `_shards:${shard.shard}` : undefined, ignore_unavailable: true },
      body: {
        size: 0,
        track_total_hits: false,
        query: { bool: { filter: [{ range: { _seq_no: { gt: after, lte: shard.checkpoint } } }] } },
        aggs: { found: { filters: { filters } } },
      },
    })
    // What ended early has not seen all events.
    if (body.timed_out === true || (body._shards?.failed ?? 0) > 0) return []
    return together.map((_, at) => body.aggregations?.found.buckets[at]?.doc_count)
  }
}

interface Counted {
  readonly timed_out?: boolean
  readonly _shards?: { readonly failed?: number }
  readonly aggregations?: { readonly found: { readonly buckets: Readonly<Record<string, { doc_count: number }>> } }
}

function isKnownQuiet({ quiet }: Known, { shard, after }: EventRange): boolean {
  return quiet !== undefined && quiet.after <= after && shard.checkpoint <= quiet.upTo
}

function isSettled(known: Known, range: EventRange): boolean {
  return range.shard.checkpoint <= known.readUpTo || isKnownQuiet(known, range)
}

/** Where the numbers begin that were quiet before and go on with this range. */
function goesOn({ quiet }: Known, { after }: EventRange): number | undefined {
  return quiet !== undefined && quiet.after <= after && after <= quiet.upTo ? quiet.after : undefined
}
