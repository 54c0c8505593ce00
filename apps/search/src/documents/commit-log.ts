import type { Collection, Store } from '../store/store.ts'
import type { SegmentRecord } from './segment.ts'
import type { DeadRows } from './visibility.ts'

/** What one group commit promises, on disk before it is carried out and until all of it is. */
export interface CommitRecord {
  /** The highest `_seq` of this commit; its key in the log. */
  readonly seq: number
  /** Segments that may not be in the engine yet; empty once they are. */
  readonly segments: readonly SegmentRecord[]
  /** Rows that may still have to be deleted in the engine. */
  readonly dead: readonly DeadRows[]
}

/** Ids of the tables that a commit put rows into. */
export function tablesOf({ segments }: CommitRecord): number[] {
  return segments.map(({ tableId }) => tableId)
}

const keyOf = (seq: number): string => String(seq).padStart(16, '0')
const indexPrefix = 'index:'
const indexKey = (index: number): string => `${indexPrefix}${index}`
const nextSeqKey = 'seq'

/** The id of an index's documents that sorts last, and the next `_seq_no` when that was so: of later writes nobody has told. */
type LastId = readonly [id: string, nextSeqNo: number]

/** The commit records and the sequence counters, in the catalogue's store. */
export class CommitLog {
  readonly #store: Store
  readonly #records: Collection<CommitRecord>
  readonly #sequences: Collection<number>
  readonly #lastIds: Collection<LastId>
  /** Records that are carried out and go with the next transaction. */
  #finished: CommitRecord[] = []

  constructor(store: Store) {
    this.#store = store
    this.#records = store.collection<CommitRecord>('commits')
    this.#sequences = store.collection<number>('sequences')
    this.#lastIds = store.collection<LastId>('last-ids')
  }

  /** The next `_seq` to give. */
  nextSeq(): number {
    return this.#sequences.get(nextSeqKey) ?? 1
  }

  /** The next `_seq_no` of an index. */
  nextSeqNo(index: number): number {
    return this.#sequences.get(indexKey(index)) ?? 0
  }

  /** An id that none of an index's documents sorts after: '' when it never had any, undefined when that is not known. */
  lastId(index: number): string | undefined {
    const nextSeqNo = this.nextSeqNo(index)
    if (nextSeqNo === 0) return ''
    const [id, known] = this.#lastIds.get(indexKey(index)) ?? []
    return known === nextSeqNo ? id : undefined
  }

  /** Every index that was ever written to and not forgotten. */
  indices(): number[] {
    return [...this.#sequences.entries()].flatMap(([key]) =>
      key.startsWith(indexPrefix) ? [Number(key.slice(indexPrefix.length))] : [],
    )
  }

  /** Records that were not carried out whole, oldest first. */
  records(): CommitRecord[] {
    return [...this.#records.entries()].map(([, record]) => record)
  }

  /** Writes a record and the counters after it, and of each index the last id of its new documents where it is known; durable when resolved. */
  async begin(
    record: CommitRecord,
    nextSeq: number,
    nextSeqNos: ReadonlyMap<number, number>,
    lastIds?: ReadonlyMap<number, string>,
  ): Promise<void> {
    const finished = [...this.#finished]
    await this.#store.transaction(() => {
      this.#settle(finished)
      if (record.segments.length > 0 || record.dead.length > 0) this.#records.put(keyOf(record.seq), record)
      this.#sequences.put(nextSeqKey, nextSeq)
      for (const [index, next] of nextSeqNos) {
        if (lastIds !== undefined) this.#noteLastId(index, lastIds.get(index) ?? '', next)
        this.#sequences.put(indexKey(index), next)
      }
    })
    this.#finished = this.#finished.filter((one) => !finished.includes(one))
  }

  /** Notes that a record's segments are in the engine, or given up; what is dead stays to be deleted. */
  inserted(record: CommitRecord): void {
    this.#finished.push({ ...record, segments: [] })
  }

  /** Notes that a record's dead rows are deleted. */
  purged(record: CommitRecord): void {
    this.#finished.push({ ...record, segments: [], dead: [] })
  }

  /** Puts on disk what was noted. Needed before any row is deleted: recovery tells by a segment's rows whether it was inserted. */
  async flush(): Promise<void> {
    // A copy: what is noted while the transaction is written goes with the next one.
    const finished = [...this.#finished]
    if (finished.length === 0) return
    await this.#store.transaction(() => this.#settle(finished))
    this.#finished = this.#finished.filter((one) => !finished.includes(one))
  }

  /** Forgets the counters of indices that are gone. */
  async forgetIndices(indices: readonly number[]): Promise<void> {
    await this.#store.transaction(() => {
      for (const index of indices) {
        this.#sequences.remove(indexKey(index))
        this.#lastIds.remove(indexKey(index))
      }
    })
  }

  #noteLastId(index: number, id: string, nextSeqNo: number): void {
    const before = this.lastId(index)
    if (before !== undefined) this.#lastIds.put(indexKey(index), [id > before ? id : before, nextSeqNo])
  }

  #settle(finished: readonly CommitRecord[]): void {
    for (const record of finished) {
      if (record.dead.length === 0) this.#records.remove(keyOf(record.seq))
      else this.#records.put(keyOf(record.seq), record)
    }
  }
}
