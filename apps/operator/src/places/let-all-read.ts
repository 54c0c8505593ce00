import { chmodSync, lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/**
 * Lets everybody read a file, or a folder with all in it, and only the owner write; what the owner can run all can. A copy has the modes of what it
 * was copied from, and who cloned under umask 077 has a checkout that no part's user could read a copy of. Links stay as they are.
 */
export function letAllRead(path: string): void {
  const stat = lstatSync(path)
  if (stat.isSymbolicLink()) return
  chmodSync(path, wantedMode(stat))
  if (stat.isDirectory()) for (const name of readdirSync(path)) letAllRead(join(path, name))
}

function wantedMode(stat: Stats): number {
  return stat.isDirectory() || (stat.mode & 0o100) !== 0 ? 0o755 : 0o644
}
