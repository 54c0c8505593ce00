import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushDirectory } from '../documents/segment.ts'

/** The middle of the names of files that are not whole yet. */
const temporaryMark = '.tmp-'

/** Whether a file of that name was never finished. */
export function isTemporary(name: string): boolean {
  return name.includes(temporaryMark)
}

/** Makes a folder whose name outlasts a crash. */
export async function makeFolder(parent: string, name: string): Promise<void> {
  const made = await mkdir(join(parent, name), { recursive: true, mode: 0o700 })
  if (made !== undefined) await flushDirectory(parent)
}

/** Writes a file that is there whole or not at all, also after a crash; a file of that name is replaced. Errors are the file system's. */
export async function writeDurably(folder: string, name: string, bytes: Buffer): Promise<void> {
  const temporary = join(folder, `${name}${temporaryMark}${randomBytes(6).toString('hex')}`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, join(folder, name))
  } catch (thrown) {
    await rm(temporary, { force: true })
    throw thrown
  }
  await flushDirectory(folder)
}
