import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import type { Watermarks } from '../cluster-settings/watermarks.ts'
import { Periodic } from './sweep.ts'

/** How much of the disk documents may not take. */
export interface DiskLimits {
  /** No document but of the stack's own state is taken when less than this would stay free: logins, deletions and merges need space too. */
  readonly keepFreeBytes: number
  /** The size of a file that is given up when something else has filled the disk, so that the catalogue can still be written. */
  readonly reserveBytes: number
  readonly checkIntervalMs: number
  /** The longest a batch waits between the low and the high watermark. */
  readonly slowestMs: number
}

/** What a guard watches with. */
export interface DiskGuardOptions {
  readonly directory: string
  readonly limits: DiskLimits
  readonly logger: Logger
  /** The watermarks of a disk of so many bytes, as they are set now. */
  watermarks(totalBytes: number): Watermarks
  /** Told when the disk crosses the flood stage, and when it is below the high watermark again; asked again at the next check when it fails. */
  onFlood(isFlooded: boolean): Promise<void>
  /** Removes files that are not needed; answers whether there were any. Asked before the disk is said to press, and whether documents would be refused else. */
  makeRoom?(isShort: boolean): Promise<boolean>
  /** The disk's size and free space; the file system of `directory` unless a test gives its own. */
  space?(): Promise<DiskRoom>
}

/** A file system's size and what of it is free for this process, in bytes. */
export interface DiskRoom {
  readonly totalBytes: number
  readonly freeBytes: number
}

/**
 * How hard the disk presses: `low` slows writing, `high` refuses documents for a while, `flood` blocks indices, `full` takes nothing but deletions.
 */
export type DiskPressure = 'none' | 'low' | 'high' | 'flood' | 'full'

/** A batch needs its segment, the engine's part, and room for the merge of both with their like. */
const spacePerByte = 4
const reserveName = 'reserve'

/** Watches the free space of a directory's file system. What it says holds for the moment, so writing goes on as soon as there is space. */
export class DiskGuard {
  readonly #options: DiskGuardOptions
  readonly #checks: Periodic
  #pressure: DiskPressure = 'none'
  #isFlooded = false
  /** What `onFlood` was last told with success. */
  #told: boolean | undefined
  #hasReserve = false

  private constructor(options: DiskGuardOptions) {
    this.#options = options
    const onFailure = (error: unknown): void =>
      options.logger.warn({ error }, 'the free space of the disk is not known')
    this.#checks = new Periodic(() => this.#tend(), options.limits.checkIntervalMs, onFailure)
  }

  /** Starts watching; a reserve left in the directory is made anew. */
  static async open(options: DiskGuardOptions): Promise<DiskGuard> {
    const guard = new DiskGuard(options)
    await guard.#tend()
    return guard
  }

  /**
   * How hard the disk presses when documents of so many bytes come, and how long they should wait for it. `pendingBytes` are in segments whose parts
   * are still to be made, compressed, and merged.
   */
  async look(bytes: number, pendingBytes: number): Promise<{ pressure: DiskPressure; waitMs: number }> {
    const { limits, watermarks, makeRoom } = this.#options
    const needed = limits.keepFreeBytes + bytes * spacePerByte + pendingBytes
    let { totalBytes, freeBytes } = await this.#space()
    const { low, high, flood } = watermarks(totalBytes)
    if (freeBytes < Math.max(low, needed) && (await makeRoom?.(freeBytes < Math.max(high, needed))) === true)
      ({ totalBytes, freeBytes } = await this.#space())
    this.#isFlooded = freeBytes < flood || (this.#isFlooded && freeBytes < high)
    const isFull = freeBytes < needed
    this.#note(
      isFull ? 'full' : this.#isFlooded ? 'flood' : freeBytes < high ? 'high' : freeBytes < low ? 'low' : 'none',
      freeBytes,
    )
    // What comes now must not meet a block that has just ended.
    if (this.#told === true) await this.#tell()
    const waitMs = this.#pressure === 'low' ? Math.ceil((limits.slowestMs * (low - freeBytes)) / (low - high)) : 0
    return { pressure: this.#pressure, waitMs }
  }

  async close(): Promise<void> {
    await this.#checks.close()
  }

  #note(pressure: DiskPressure, freeBytes: number): void {
    if (pressure === this.#pressure) return
    this.#pressure = pressure
    if (pressure === 'none') this.#options.logger.info({ freeBytes }, 'there is space again: documents are taken')
    else this.#options.logger.error({ freeBytes }, said[pressure])
  }

  async #space(): Promise<DiskRoom> {
    if (this.#options.space) return this.#options.space()
    const { bavail, bsize, blocks } = await statfs(this.#options.directory)
    return { totalBytes: blocks * bsize, freeBytes: bavail * bsize }
  }

  /** Gives the reserve up where space is short, makes it again where there is plenty; says when the flood begins and ends. */
  async #tend(): Promise<void> {
    const { reserveBytes, keepFreeBytes } = this.#options.limits
    const { freeBytes } = await this.#space()
    if (this.#hasReserve && freeBytes < reserveBytes) {
      await rm(join(this.#options.directory, reserveName), { force: true })
      this.#hasReserve = false
      this.#options.logger.error({ freeBytes }, 'the disk is full: the reserve was given up, free some space')
    } else if (!this.#hasReserve && freeBytes > keepFreeBytes + reserveBytes) await this.#makeReserve()
    await this.look(0, 0)
    await this.#tell()
  }

  /** Says once when the flood begins and when it ends. */
  async #tell(): Promise<void> {
    const isFlooded = this.#pressure === 'flood' || this.#pressure === 'full'
    if (isFlooded === this.#told) return
    await this.#options.onFlood(isFlooded)
    this.#told = isFlooded
  }

  async #makeReserve(): Promise<void> {
    const { directory, limits, logger } = this.#options
    const path = join(directory, reserveName)
    try {
      const file = await open(path, 'w', 0o600)
      try {
        // Written, because a file with a hole takes no space.
        const piece = Buffer.alloc(Math.min(limits.reserveBytes, 1024 ** 2))
        for (let at = 0; at < limits.reserveBytes; at += piece.length) await file.write(piece)
      } finally {
        await file.close()
      }
      this.#hasReserve = true
    } catch (thrown) {
      await rm(path, { force: true })
      logger.warn({ error: messageOf(thrown) }, 'no reserve could be made on the disk')
    }
  }
}

const said: Readonly<Record<Exclude<DiskPressure, 'none'>, string>> = {
  low: 'the disk is above the low watermark: documents are taken more slowly',
  high: 'the disk is above the high watermark: documents are refused until there is space',
  flood: 'the disk is above the flood stage: indices are blocked for documents until there is space',
  full: 'the disk is nearly full: nothing but deletions is taken until there is space',
}
