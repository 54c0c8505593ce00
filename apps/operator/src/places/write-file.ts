import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a whole file so that a reader sees the old text or the new one, and after this returned the new one, also after a power loss; makes its directory. Given an owner, the
 * file is never another's.
 */
export function writeFileAtomically(
  path: string,
  text: string,
  mode = 0o644,
  owner?: { readonly uid: number; readonly gid: number },
): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`)
  // Made anew: whoever may write in the folder could have put a link there that leads elsewhere.
  rmSync(temporary, { force: true })
  const descriptor = openSync(temporary, 'wx', mode)
  try {
    fchmodSync(descriptor, mode)
    if (owner) fchownSync(descriptor, owner.uid, owner.gid)
    writeSync(descriptor, text)
    fsyncSync(descriptor)
  } catch (thrown) {
    rmSync(temporary, { force: true })
    throw thrown
  } finally {
    closeSync(descriptor)
  }
  renameSync(temporary, path)
  flushFolder(dirname(path))
}

/** Makes outlive a power loss which files a folder holds under which names. */
export function flushFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
