import { createHash } from 'node:crypto'
import { close, open, read, type Stats } from 'node:fs'
import { lstat, readlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { z } from 'zod'
import { nameOf, onDisk, shownPath } from './raw-names.ts'

const hashBufferBytes = 64 * 1024
// Handles of `node:fs/promises` cost more than reading a small file does.
const [openFile, readFile, closeFile] = [promisify(open), promisify(read), promisify(close)]

/** What is remembered of a file; equal ones mean that nobody touched it. */
export const fingerprintSchema = z.object({
  type: z.enum(['file', 'dir', 'symlink', 'other']),
  size: z.number(),
  mode: z.string(),
  uid: z.number(),
  gid: z.number(),
  inode: z.number(),
  mtime: z.number(),
  ctime: z.number(),
  /** Hexadecimal; absent for a file that is too large or may not be read. */
  sha256: z.string().optional(),
  target: z.string().optional(),
})

export type Fingerprint = z.infer<typeof fingerprintSchema>

/** What files are hashed through: one for all of a stream's files, which are read one at a time. */
export const hashBuffer = (): Buffer => Buffer.allocUnsafeSlow(hashBufferBytes)

/** Reads a file's fingerprint; its content, through `buffer`, only when `known` is not of the same change. Undefined when it is gone. */
export async function fingerprintOf(
  path: string,
  known: Fingerprint | undefined,
  { hashBytesMax, buffer }: { readonly hashBytesMax: number; readonly buffer: Buffer },
): Promise<Fingerprint | undefined> {
  try {
    const stats = await lstat(onDisk(path))
    const found = describe(stats)
    if (found.type === 'symlink') {
      const target = await readlink(onDisk(path), { encoding: 'buffer' })
      return { ...found, target: shownPath(nameOf(target)) }
    }
    if (found.type !== 'file' || stats.size > hashBytesMax) return found
    const isSame =
      known?.ctime === found.ctime &&
      known.mtime === found.mtime &&
      known.size === found.size &&
      known.inode === found.inode
    const sha256 = isSame ? known.sha256 : await hash(path, stats.size, buffer)
    return sha256 === undefined ? found : { ...found, sha256 }
  } catch (thrown) {
    if (/^(ENOENT|ENOTDIR)$/.test((thrown as NodeJS.ErrnoException).code ?? '')) return undefined
    throw thrown
  }
}

function describe(stats: Stats): Fingerprint {
  return {
    type: stats.isFile() ? 'file' : stats.isDirectory() ? 'dir' : stats.isSymbolicLink() ? 'symlink' : 'other',
    size: stats.isDirectory() ? 0 : stats.size,
    mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
    uid: stats.uid,
    gid: stats.gid,
    inode: stats.ino,
    // A directory's times change with every file in it, which has an event of its own.
    mtime: stats.isDirectory() ? 0 : Math.trunc(stats.mtimeMs),
    ctime: stats.isDirectory() ? 0 : Math.trunc(stats.ctimeMs),
  }
}

/** Reads through one buffer: a stream would leave one behind for each portion, and their room in memory for as long as the agent runs. */
async function hash(path: string, size: number, buffer: Buffer): Promise<string | undefined> {
  const digest = createHash('sha256')
  try {
    const file = await openFile(onDisk(path), 'r')
    try {
      for (let at = 0; ; ) {
        const { bytesRead } = await readFile(file, buffer, 0, buffer.length, null)
        digest.update(buffer.subarray(0, bytesRead))
        at += bytesRead
        // Where less came than was asked for, and as much as there was, nothing is left. Files of the kernel's say that they are empty.
        if (bytesRead === 0 || (bytesRead < buffer.length && at === size)) return digest.digest('hex')
      }
    } finally {
      await closeFile(file)
    }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === undefined) throw thrown
    return undefined
  }
}
