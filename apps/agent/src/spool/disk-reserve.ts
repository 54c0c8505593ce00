import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFull } from '../durable-file.ts'

const reserveBytes = 512 * 1024
const reserveFile = (folder: string): string => join(folder, 'reserve')

/** Keeps some room of the disk, to be freed when there is no other. Does nothing when it is kept already or cannot be. */
export function keepReserve(folder: string): void {
  const path = reserveFile(folder)
  // A process killed while writing it left less.
  if (statSync(path, { throwIfNoEntry: false })?.size === reserveBytes) return
  try {
    writeFileSync(path, Buffer.alloc(reserveBytes, 1), { mode: 0o600 })
  } catch (thrown) {
    if (!isDiskFull(thrown)) throw thrown
    rmSync(path, { force: true })
  }
}

/** Gives the kept room back. */
export function freeReserve(folder: string): void {
  rmSync(reserveFile(folder), { force: true })
}
