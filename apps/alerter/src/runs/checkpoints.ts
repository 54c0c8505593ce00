import type { ShardCheckpoint } from '../events/shards.ts'

/** How far each shard has been read, by index and number. */
export class Checkpoints {
  readonly #read: Map<string, number[]>

  /** Takes what `save` gave. */
  constructor(saved: Readonly<Record<string, readonly number[]>> = {}) {
    this.#read = new Map(Object.entries(saved).map(([index, list]) => [index, [...list]]))
  }

  /** Whether nothing of the index was read before. */
  isNew({ index }: ShardCheckpoint): boolean {
    return !this.#read.has(index)
  }

  /** The sequence number up to which a shard has been read, -1 for nothing. */
  readUpTo({ index, shard }: ShardCheckpoint): number {
    return this.#read.get(index)?.[shard] ?? -1
  }

  advance({ index, shard, shards }: ShardCheckpoint, upTo: number): void {
    const list = this.#read.get(index) ?? Array.from({ length: shards }, () => -1)
    list[shard] = upTo
    this.#read.set(index, list)
  }

  /** Forgets an index whose numbers went back: it was deleted and made again under its name, and is read as a new one. */
  noticeRestart(shard: ShardCheckpoint): void {
    if (shard.checkpoint < this.readUpTo(shard)) this.#read.delete(shard.index)
  }

  /** Indices come and go with retention; those that are gone need no checkpoint. */
  forgetOthers(shards: readonly ShardCheckpoint[]): void {
    const there = new Set(shards.map(({ index }) => index))
    for (const index of this.#read.keys()) if (!there.has(index)) this.#read.delete(index)
  }

  save(): Readonly<Record<string, readonly number[]>> {
    return Object.fromEntries(this.#read)
  }
}
