import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '@logstack/logging'
import { removeSegment, type SegmentRecord } from './segment.ts'

/** Smaller files are made as fast as they are found. */
const spareBytesMin = 1024 ** 2
/** Two times what waits to be inserted. */
const keptBytesMax = 64 * 1024 ** 2
/** Files that nobody asked for in this time are removed. */
const idleMs = 5_000

/**
 * Files of segments that nothing needs any more. Those that were inserted are kept for the next segments to be written over: their blocks are allocated and their pages
 * in memory, so that writing and flushing one takes a third of the time of a new file, and taking in as a whole a twentieth less (ADR 0003). What
 * they hold is never read again, and what a process leaves behind is removed at the next start.
 */
export class SegmentFiles {
  readonly #directory: string
  readonly #logger: Logger
  readonly #idleMs: number
  readonly #kept: { readonly file: string; readonly bytes: number }[] = []
  #keptBytes = 0
  #isUsed = false
  #timer: NodeJS.Timeout | undefined

  constructor(directory: string, logger: Logger, unusedMs = idleMs) {
    this.#directory = directory
    this.#logger = logger
    this.#idleMs = unusedMs
  }

  /** Makes a spare file the file of that name, for so many bytes; false when there is none or these are few. */
  async reuse(file: string, bytes: number): Promise<boolean> {
    const spare = bytes < spareBytesMin ? undefined : this.#kept.pop()
    if (spare === undefined) return false
    this.#keptBytes -= spare.bytes
    this.#isUsed = true
    await rename(join(this.#directory, spare.file), join(this.#directory, file))
    return true
  }

  /** Takes the files of segments that are in the engine; removes what is more than enough. */
  async spare(segments: readonly Pick<SegmentRecord, 'file' | 'bytes'>[]): Promise<void> {
    const enough = segments.filter(({ file, bytes }) => !this.#keep(file, bytes))
    await this.remove(enough)
  }

  /** Removes files. One that stays is removed at the next start. */
  async remove(segments: readonly Pick<SegmentRecord, 'file'>[]): Promise<void> {
    try {
      await Promise.all(segments.map(({ file }) => removeSegment(this.#directory, file)))
    } catch (thrown) {
      this.#logger.warn({ error: thrown }, 'a segment file could not be removed')
    }
  }

  /** Removes what is kept. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#keptBytes = 0
    await this.remove(this.#kept.splice(0))
  }

  #keep(file: string, bytes: number): boolean {
    if (bytes < spareBytesMin || this.#keptBytes + bytes > keptBytesMax) return false
    this.#kept.push({ file, bytes })
    this.#keptBytes += bytes
    this.#isUsed = true
    this.#timer ??= setInterval(() => void this.#look(), this.#idleMs).unref()
    return true
  }

  async #look(): Promise<void> {
    if (!this.#isUsed) await this.close()
    this.#isUsed = false
  }
}
