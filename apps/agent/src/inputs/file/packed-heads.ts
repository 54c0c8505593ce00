import type { RotatedFile } from './rotated-files.ts'

/** 256 bytes each, so a megabyte at most. */
const keptMax = 4_096

/**
 * What compressed files begin with. A log has dozens of them, and at each rotation all are asked whether they go on where something was read last: each is
 * unpacked once, not each time, and known again by its inode, its size and when it was written.
 */
export class PackedHeads {
  readonly #kept = new Map<string, Buffer>()

  /** The first bytes of a file, by `read` where they are not known. */
  async of({ inode, bytes, modifiedMs }: RotatedFile, read: () => Promise<Buffer>): Promise<Buffer> {
    const key = `${inode} ${bytes} ${modifiedMs}`
    const known = this.#kept.get(key)
    if (known) return known
    const head = await read()
    if (this.#kept.size >= keptMax) this.#kept.clear()
    this.#kept.set(key, head)
    return head
  }
}
