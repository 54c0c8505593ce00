import { accessSync, constants, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, messageOf, operatorErrors } from '@logstack/errors'
import type { Preflight } from './preflight.ts'

/** Refuses a data folder that cannot be made or written; leaves nothing behind where the folder did not exist. */
export const folderWritable: Preflight = async ({ paths }) => {
  const existed = existsSync(paths.root)
  try {
    makeFolder(paths.root)
    accessSync(paths.root, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(paths.root, `.write-probe-${process.pid}`)
    writeFileSync(probe, 'x')
    rmSync(probe)
  } catch (thrown) {
    const code = (thrown as NodeJS.ErrnoException).code
    if (code === undefined) throw thrown
    const full = code === 'ENOSPC' || code === 'EDQUOT'
    const entry = full ? operatorErrors.disk_space_low : operatorErrors.folder_unwritable
    throw new AppError(entry, `the data folder ${paths.root} cannot be written: ${messageOf(thrown)}`, {
      cause: thrown,
      fix: full ? 'free some space, or choose another folder with --data DIR' : fixFor(paths.root, existed),
    })
  }
}

// One level at a time: node's own recursion never ends below a folder like /proc, where nothing can be made.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  makeFolder(dirname(folder))
  mkdirSync(folder, { mode: 0o755 })
}

function fixFor(folder: string, existed: boolean): string {
  let there = folder
  while (!existsSync(there)) there = dirname(there)
  if (existed && !statSync(folder).isDirectory()) return `move ${folder} away, or choose another folder with --data DIR`
  return `make ${there} writable for ${process.env['USER'] ?? 'this user'}, or choose another folder with --data DIR`
}
