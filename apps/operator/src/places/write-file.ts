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

/** Writes a whole file so that a reader, also after a power loss, sees the old text or the new one; makes its directory. Given an owner, the file is never another's. */
export function writeFileAtomically(
  path: string,
  text: string,
  mode = 0o644,
  owner?: { readonly uid: number; readonly gid: number },
): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}`)
  const descriptor = openSync(temporary, 'w', mode)
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
}
