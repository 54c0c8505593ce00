import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { isDiskFull } from '../durable-file.ts'
import { pause } from '../pause.ts'
import { type Checkpoint, readCheckpoint, writeCheckpoint, writeCheckpointIfRoom } from './checkpoint.ts'
import { decodeFrame, encodeFrames, type SpoolRecord } from './frame.ts'
import { listSegments, recoverSegment, type Segment, segmentPath } from './segments.ts'

const diskRetryMs = 1_000

/** Limits of a spool on disk. When it is full, inputs wait: nothing is dropped. */
export interface SpoolLimits {
  readonly bytesMax: number
  readonly segmentBytesMax: number
}

/** A record as an input gives it; the spool adds offset and time. */
export type NewRecord = Omit<SpoolRecord, 'offset' | 'time'>

/** How much is sent at once. */
export interface BatchLimits {
  readonly recordsMax: number
  readonly bytesMax: number
}

/** Records to send, and what to hand back once the server acknowledged them. */
export interface SpoolBatch {
  readonly records: readonly SpoolRecord[]
  readonly end: { readonly segment: number; readonly position: number; readonly offset: number }
}

/**
 * Events on disk between the inputs and the server. A record and its input's bookmark are one write, so after a crash an input goes on
 * exactly behind its last record here. Records are handed out only when they are on disk, and again until they are acknowledged.
 */
export class Spool {
  readonly id: string
  readonly #folder: string
  readonly #limits: SpoolLimits
  readonly #segments: Segment[]
  readonly #bookmarks: Map<string, unknown>
  readonly #waiting = new Set<() => void>()
  #sent: SpoolBatch['end']
  #next: number
  #file: number | undefined
  #dirty = false
  #closed = false
  #lacksRoom: boolean
  /** Whether `id` is on disk: it is part of the id of every event, so nothing is added before. */
  #isNamed: boolean

  private constructor(folder: string, limits: SpoolLimits) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = readCheckpoint(folder)
    this.#folder = folder
    this.#limits = limits
    this.id = found?.spool ?? randomBytes(4).toString('hex')
    this.#sent = found?.sent ?? { segment: 0, position: 0, offset: 0 }
    this.#bookmarks = new Map(Object.entries(found?.bookmarks ?? {}))
    this.#next = found?.through ?? 0
    this.#segments = this.#recover()
    this.#isNamed = found !== undefined
    this.#lacksRoom = !this.checkpointIfRoom()
  }

  /** Opens or creates the spool in `folder`, which no other process may use; on a full disk too, where nothing is added until there is room. */
  static open(folder: string, limits: SpoolLimits): Spool {
    return new Spool(folder, limits)
  }

  /** Where an input goes on; undefined when the spool never saw the source. */
  bookmark(source: string): unknown {
    return this.#bookmarks.get(source)
  }

  /** What is known of the sources whose names begin so. */
  bookmarks(prefix: string): [source: string, bookmark: unknown][] {
    return [...this.#bookmarks].filter(([source]) => source.startsWith(prefix))
  }

  /** Forgets a source that is gone for good. */
  forget(source: string): void {
    this.#bookmarks.delete(source)
  }

  get bytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
  }

  /** Records that wait to be acknowledged. */
  get pending(): number {
    return this.#next - this.#sent.offset
  }

  /** Whether unacknowledged records fill the limit; acknowledged ones in the oldest segment do not count. */
  get full(): boolean {
    return this.#pendingBytes >= this.#limits.bytesMax
  }

  get #pendingBytes(): number {
    const acknowledged = this.#segments.some((segment) => segment.first === this.#sent.segment)
      ? this.#sent.position
      : 0
    return this.bytes - acknowledged
  }

  /** Whether the disk had no room for the last records, which wait for it. */
  get lacksRoom(): boolean {
    return this.#lacksRoom
  }

  /** Adds records and their bookmarks; waits while the spool is full. False when `signal` or `close` ended the wait and nothing was added. */
  async append(records: readonly NewRecord[], signal: AbortSignal): Promise<boolean> {
    for (;;) {
      while (this.full && !signal.aborted && !this.#closed) await this.#change(signal)
      if (signal.aborted || this.#closed) return false
      this.#lacksRoom = !this.#write(records)
      if (!this.#lacksRoom) return true
      await pause(diskRetryMs, signal)
    }
  }

  /** The next unacknowledged records, at least one when there is one; the same ones again until `acknowledge`. */
  peek(limits: BatchLimits): SpoolBatch | undefined {
    if (this.pending === 0) return undefined
    this.#sync()
    const records: SpoolRecord[] = []
    let { segment, position } = this.#sent
    let left = limits.bytesMax
    while (records.length < limits.recordsMax && left > 0) {
      const read = this.#readFrames({ segment, position, bytes: left, recordsMax: limits.recordsMax - records.length })
      records.push(...read.records)
      left -= read.position - position
      position = read.position
      const following = this.#segments.find((candidate) => candidate.first > segment)
      if (!read.atEnd || !following) break
      segment = following.first
      position = 0
    }
    const last = records.at(-1)
    // Counted, but not there: the disk lost what had been synced. Waiting for it would never end.
    if (!last) this.#sent = { segment, position, offset: this.#next }
    return last && { records, end: { segment, position, offset: last.offset + 1 } }
  }

  /** The server has these records for good: segments that hold nothing else are deleted and waiting inputs go on. */
  acknowledge(batch: SpoolBatch): void {
    this.#sent = batch.end
    const done = this.#segments.filter((segment) => segment.first < batch.end.segment)
    if (done.length > 0) {
      // The bookmarks in these segments must be kept elsewhere before the segments go.
      const isKept = this.checkpointIfRoom()
      if (!isKept) this.#empty(done)
      if (isKept || this.checkpointIfRoom()) this.#remove(done)
    }
    this.#notify()
  }

  #remove(done: readonly Segment[]): void {
    for (const segment of done) rmSync(segment.path)
    this.#segments.splice(0, done.length)
  }

  /**
   * Gives back the room of segments that the server has, where there is none for the checkpoint that must be written before they go. A crash just then
   * may bring events again whose bookmark stood there alone; it loses none.
   */
  #empty(done: readonly Segment[]): void {
    for (const segment of done) {
      truncateSync(segment.path)
      segment.bytes = 0
    }
  }

  /** Resolves when records wait to be sent, or when `signal` ends the wait. */
  async waitForRecords(signal: AbortSignal): Promise<void> {
    while (this.pending === 0 && !signal.aborted && !this.#closed) await this.#change(signal)
  }

  /** Resolves when a whole batch waits to be sent or the spool is full, after `ms`, or when `signal` ends the wait. */
  async waitForBatch(limits: BatchLimits, ms: number, signal: AbortSignal): Promise<void> {
    let isOver = false
    const timer = setTimeout(() => {
      isOver = true
      this.#notify()
    }, ms)
    const isWhole = (): boolean =>
      this.full || this.pending >= limits.recordsMax || this.#pendingBytes >= limits.bytesMax
    while (!isOver && !signal.aborted && !this.#closed && !isWhole()) await this.#change(signal)
    clearTimeout(timer)
  }

  /** Makes everything so far survive power loss: records first, then what is known about them. */
  checkpoint(): void {
    this.#sync()
    writeCheckpoint(this.#folder, this.#checkpoint)
    this.#isNamed = true
  }

  /** The same where the disk has room for it; false without. Until then records and their bookmarks are read from the segments. */
  checkpointIfRoom(): boolean {
    try {
      this.checkpoint()
      return true
    } catch (thrown) {
      if (!isDiskFull(thrown)) throw thrown
      return false
    }
  }

  get #checkpoint(): Checkpoint {
    return {
      version: 1,
      spool: this.id,
      sent: this.#sent,
      bookmarks: Object.fromEntries(this.#bookmarks),
      through: this.#next,
    }
  }

  close(): void {
    if (this.#closed) return
    this.checkpointIfRoom()
    this.#closed = true
    if (this.#file !== undefined) closeSync(this.#file)
    this.#notify()
  }

  /** False when the disk is full: then nothing was added, not even half a record. */
  #write(records: readonly NewRecord[]): boolean {
    const time = Date.now()
    const bytes = encodeFrames(records.map((record, index) => ({ offset: this.#next + index, time, ...record })))
    let target: { segment: Segment; file: number } | undefined
    try {
      if (!this.#isNamed) this.checkpoint()
      target = this.#writable()
      writeWhole(target.file, bytes)
    } catch (thrown) {
      if (!isDiskFull(thrown)) throw thrown
      if (target) ftruncateSync(target.file, target.segment.bytes)
      return false
    }
    target.segment.bytes += bytes.length
    this.#next += records.length
    this.#dirty = true
    for (const { source, bookmark } of records) if (source !== undefined) this.#bookmarks.set(source, bookmark)
    this.#notify()
    return true
  }

  #recover(): Segment[] {
    const segments = listSegments(this.#folder)
    for (const [index, segment] of segments.entries()) {
      const following = segments[index + 1]
      if (following && following.first <= this.#next) continue
      recoverSegment(segment, ({ offset, source, bookmark }) => {
        if (offset < this.#next) return
        this.#next = offset + 1
        if (source !== undefined) this.#bookmarks.set(source, bookmark)
      })
      if (this.#sent.segment === segment.first && this.#sent.position > segment.bytes) {
        this.#sent = { ...this.#sent, position: segment.bytes }
      }
    }
    // Where the records before it were acknowledged and given back.
    this.#next = Math.max(this.#next, segments.at(-1)?.first ?? 0)
    return segments
  }

  #writable(): { segment: Segment; file: number } {
    const last = this.#segments.at(-1)
    if (last && last.bytes < this.#limits.segmentBytesMax) {
      this.#file ??= openSync(last.path, 'a', 0o600)
      return { segment: last, file: this.#file }
    }
    // While nothing can be sent nothing else writes one: after a kill all of the spool would be read again.
    this.#sync()
    if (last) writeCheckpointIfRoom(this.#folder, this.#checkpoint)
    if (this.#file !== undefined) closeSync(this.#file)
    this.#file = undefined
    const segment = { first: this.#next, path: segmentPath(this.#folder, this.#next), bytes: 0 }
    this.#file = openSync(segment.path, 'a', 0o600)
    this.#segments.push(segment)
    return { segment, file: this.#file }
  }

  /** Whole frames from `position` on, at least one when there is one, about `bytes` of them. */
  #readFrames(from: { segment: number; position: number; bytes: number; recordsMax: number }) {
    const segment = this.#segments.find((candidate) => candidate.first === from.segment)
    const size = segment ? segment.bytes - from.position : 0
    const records: SpoolRecord[] = []
    if (!segment || size <= 0) return { records, position: from.position, atEnd: true }
    const file = openSync(segment.path, 'r')
    try {
      let chunk = readAt(file, from.position, Math.min(size, from.bytes))
      let at = 0
      let frame = decodeFrame(chunk, 0)
      if (frame === 'torn' && chunk.length < size) {
        chunk = readAt(file, from.position, size)
        frame = decodeFrame(chunk, 0)
      }
      while (typeof frame === 'object' && records.length < from.recordsMax) {
        records.push(frame.record)
        at = frame.end
        frame = at < from.bytes ? decodeFrame(chunk, at) : 'end'
      }
      return { records, position: from.position + at, atEnd: at === size }
    } finally {
      closeSync(file)
    }
  }

  #sync(): void {
    if (!this.#dirty || this.#file === undefined) return
    fdatasyncSync(this.#file)
    this.#dirty = false
  }

  #change(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.#waiting.add(done)
      signal.addEventListener('abort', done)
    })
  }

  #notify(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}

function writeWhole(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let read = 0
  while (read < length) {
    const got = readSync(file, bytes, read, length - read, position + read)
    if (got === 0) break
    read += got
  }
  return bytes.subarray(0, read)
}
