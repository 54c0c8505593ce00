import { setBackMsMax } from '../set-back.ts'
import type { EventRange } from './event-query.ts'
import type { ShardCheckpoint } from './shards.ts'

type Positions = Readonly<Record<string, readonly number[]>>

/** A run so much later than the one before that events in between count as too old: after a long absence, or as the clock is ahead. */
export interface Leap {
  /** When it was seen, and when the run before was (epoch ms). */
  readonly at: number
  readonly lastRun: number
  /** How far all shards had been read. */
  readonly read: Positions
}

/** What was left out as too old while the clock was ahead, and is read now: below `before` (epoch ms), up to these sequence numbers. */
export interface Omitted {
  readonly before: number
  readonly upTo: Positions
}

/** How far each shard has been read, by index and number. */
export class Checkpoints {
  readonly #read: Map<string, number[]>
  #leap: Leap | undefined
  #omitted: { readonly before: number; readonly upTo: Map<string, readonly number[]> } | undefined

  /** Takes what `save` gave. */
  constructor(saved: Partial<ReturnType<Checkpoints['save']>> = {}) {
    this.#read = mapOf(saved.checkpoints ?? {})
    this.#leap = saved.leap
    this.#omitted = saved.omitted && { before: saved.omitted.before, upTo: mapOf(saved.omitted.upTo) }
  }

  /**
   * Takes note of the clock: of a leap, and of being set back behind one. What the run left out as older than `catchUpMsMax` while the clock was ahead
   * is read again then, and nothing else is. Answers when the run before was by the clock as it is now, and whether that is news to be written.
   */
  noticeClock(
    now: number,
    lastRun: number,
    catchUpMsMax: number,
  ): { readonly lastRun: number; readonly isNews: boolean } {
    const leap = this.#leap
    if (leap && leap.at > now + setBackMsMax) {
      this.#omitted = { before: leap.at - catchUpMsMax, upTo: mapOf(this.#positions()) }
      this.#read.clear()
      for (const [index, list] of mapOf(leap.read)) this.#read.set(index, list)
      this.#leap = undefined
      return { lastRun: Math.min(leap.lastRun, now), isNews: true }
    }
    if (now - lastRun <= catchUpMsMax) return { lastRun: Math.min(lastRun, now), isNews: false }
    this.#leap = { at: now, lastRun, read: this.#positions() }
    return { lastRun, isNews: true }
  }

  /** Whether nothing of the index was read before. */
  isNew({ index }: ShardCheckpoint): boolean {
    return !this.#read.has(index)
  }

  /** The sequence number up to which a shard has been read, -1 for nothing. */
  readUpTo({ index, shard }: ShardCheckpoint): number {
    return this.#read.get(index)?.[shard] ?? -1
  }

  /** What is to be read next of a shard, of events not older than `notBefore` (epoch ms). */
  rangeOf(shard: ShardCheckpoint, notBefore: number): EventRange {
    const after = this.readUpTo(shard)
    const omittedUpTo = this.#omitted?.upTo.get(shard.index)?.[shard.shard] ?? -1
    if (!this.#omitted || omittedUpTo <= after) return { shard, after, notBefore }
    const checkpoint = Math.min(omittedUpTo, shard.checkpoint)
    return { shard: { ...shard, checkpoint }, after, notBefore, before: this.#omitted.before }
  }

  advance({ index, shard, shards }: ShardCheckpoint, upTo: number): void {
    const list = this.#read.get(index) ?? Array.from({ length: shards }, () => -1)
    list[shard] = upTo
    this.#read.set(index, list)
  }

  /** Forgets an index whose numbers went back: it was deleted and made again under its name, and is read as a new one. */
  noticeRestart(shard: ShardCheckpoint): void {
    const seen = Math.max(this.readUpTo(shard), this.#omitted?.upTo.get(shard.index)?.[shard.shard] ?? -1)
    if (shard.checkpoint >= seen) return
    this.#read.delete(shard.index)
    this.#omitted?.upTo.delete(shard.index)
  }

  /** Indices come and go with retention; those that are gone need no checkpoint. */
  forgetOthers(shards: readonly ShardCheckpoint[]): void {
    const there = new Set(shards.map(({ index }) => index))
    for (const index of this.#read.keys()) if (!there.has(index)) this.#read.delete(index)
    // By now all that was left out has been read.
    this.#omitted = undefined
  }

  save(): {
    readonly checkpoints: Positions
    readonly leap?: Leap | undefined
    readonly omitted?: Omitted | undefined
  } {
    const omitted = this.#omitted && {
      before: this.#omitted.before,
      upTo: Object.fromEntries(this.#omitted.upTo),
    }
    return { checkpoints: this.#positions(), leap: this.#leap, omitted }
  }

  #positions(): Positions {
    return Object.fromEntries([...this.#read].map(([index, list]) => [index, [...list]]))
  }
}

function mapOf(positions: Positions): Map<string, number[]> {
  return new Map(Object.entries(positions).map(([index, list]) => [index, [...list]]))
}
