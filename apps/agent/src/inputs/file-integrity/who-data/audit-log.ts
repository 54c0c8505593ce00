import { type FileHandle, open, stat } from 'node:fs/promises'

const chunkBytes = 64 * 1024
const readBytesMax = 8 * 1024 * 1024
const lineCharactersMax = 64 * 1024

/** The lines that auditd adds to its log from now on, through rotation. */
export class AuditLog {
  readonly #path: string
  #file: FileHandle
  #inode: number
  #offset: number
  #pending = ''
  #decoder = new TextDecoder()

  private constructor(path: string, file: FileHandle, at: { inode: number; offset: number }) {
    this.#path = path
    this.#file = file
    this.#inode = at.inode
    this.#offset = at.offset
  }

  /** Opens the log at its end; rejects when it cannot be read. */
  static async open(path: string): Promise<AuditLog> {
    const file = await open(path, 'r')
    const { ino, size } = await file.stat()
    return new AuditLog(path, file, { inode: ino, offset: size })
  }

  /** What came since the last time; of a great deal, a part that does not take long. */
  async lines(): Promise<string[]> {
    const lines: string[] = []
    let left = readBytesMax
    left -= await this.#readOn(lines, left)
    if (left <= 0) return lines
    const now = await this.#statNow()
    if (!now) return lines
    if (now.inode === this.#inode) {
      if (now.size < this.#offset) this.#goTo(0)
      return lines
    }
    // Written before it was rotated away, and after it was read above.
    left -= await this.#readOn(lines, left)
    if (left <= 0) return lines
    const next = await open(this.#path, 'r')
    await this.#file.close()
    this.#file = next
    this.#inode = (await next.stat()).ino
    this.#goTo(0)
    await this.#readOn(lines, left)
    return lines
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  #goTo(offset: number): void {
    this.#offset = offset
    this.#pending = ''
    this.#decoder = new TextDecoder()
  }

  async #readOn(lines: string[], bytesMax: number): Promise<number> {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    let done = 0
    while (done < bytesMax) {
      const { bytesRead } = await this.#file.read(buffer, 0, chunkBytes, this.#offset)
      if (bytesRead === 0) break
      done += bytesRead
      this.#offset += bytesRead
      const parts = (this.#pending + this.#decoder.decode(buffer.subarray(0, bytesRead), { stream: true })).split('\n')
      this.#pending = (parts.pop() ?? '').slice(0, lineCharactersMax)
      for (const part of parts) lines.push(part)
    }
    return done
  }

  /** Nothing in the moment between the old log's going and the new one's coming. */
  async #statNow(): Promise<{ inode: number; size: number } | undefined> {
    try {
      const { ino, size } = await stat(this.#path)
      return { inode: ino, size }
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw thrown
    }
  }
}
