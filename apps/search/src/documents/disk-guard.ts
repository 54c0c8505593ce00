import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '@logstack/errors'
import type { Logger } from '@logstack/logging'
import { Periodic } from './sweep.ts'

/** How much of the disk documents may not take. */
export interface DiskLimits {
  /** Documents are refused when less than this would stay free: logins, deletions and merges need space too. */
  readonly keepFreeBytes: number
  /** The size of a file that is given up when something else has filled the disk, so that the catalogue can still be written. */
  readonly reserveBytes: number
  readonly checkIntervalMs: number
}

/** A batch needs its segment, the engine's part, and room for the merge of both with their like. */
const spacePerByte = 4
const reserveName = 'reserve'

/** Watches the free space of a directory's file system. What it says holds for the moment, so writing goes on as soon as there is space. */
export class DiskGuard {
  readonly #directory: string
  readonly #limits: DiskLimits
  readonly #logger: Logger
  readonly #checks: Periodic
  #isFull = false
  #hasReserve = false

  private constructor(directory: string, limits: DiskLimits, logger: Logger) {
    this.#directory = directory
    this.#limits = limits
    this.#logger = logger
    const onFailure = (error: unknown): void => logger.warn({ error }, 'the free space of the disk is not known')
    this.#checks = new Periodic(() => this.#tend(), limits.checkIntervalMs, onFailure)
  }

  /** Starts watching; a reserve left in the directory is made anew. */
  static async open(directory: string, limits: DiskLimits, logger: Logger): Promise<DiskGuard> {
    const guard = new DiskGuard(directory, limits, logger)
    await guard.#tend()
    return guard
  }

  /** Whether documents of so many bytes may be written now. */
  async hasRoom(bytes: number): Promise<boolean> {
    const free = await this.#freeBytes()
    const isFull = free < this.#limits.keepFreeBytes + bytes * spacePerByte
    if (isFull !== this.#isFull) {
      this.#isFull = isFull
      if (isFull)
        this.#logger.error({ freeBytes: free }, 'the disk is nearly full: documents are refused until there is space')
      else this.#logger.info({ freeBytes: free }, 'there is space again: documents are taken')
    }
    return !isFull
  }

  async close(): Promise<void> {
    await this.#checks.close()
  }

  async #freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.#directory)
    return bavail * bsize
  }

  /** Gives the reserve up where space is short, makes it again where there is plenty. */
  async #tend(): Promise<void> {
    const { reserveBytes, keepFreeBytes } = this.#limits
    const free = await this.#freeBytes()
    if (this.#hasReserve && free < reserveBytes) {
      await rm(join(this.#directory, reserveName), { force: true })
      this.#hasReserve = false
      this.#logger.error({ freeBytes: free }, 'the disk is full: the reserve was given up, free some space')
    } else if (!this.#hasReserve && free > keepFreeBytes + reserveBytes) await this.#makeReserve()
  }

  async #makeReserve(): Promise<void> {
    const path = join(this.#directory, reserveName)
    try {
      const file = await open(path, 'w', 0o600)
      try {
        // Written, because a file with a hole takes no space.
        const piece = Buffer.alloc(Math.min(this.#limits.reserveBytes, 1024 ** 2))
        for (let at = 0; at < this.#limits.reserveBytes; at += piece.length) await file.write(piece)
      } finally {
        await file.close()
      }
      this.#hasReserve = true
    } catch (thrown) {
      await rm(path, { force: true })
      this.#logger.warn({ error: messageOf(thrown) }, 'no reserve could be made on the disk')
    }
  }
}
