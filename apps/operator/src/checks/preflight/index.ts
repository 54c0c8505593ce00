import { diskSpace } from './disk-space.ts'
import { folderWritable } from './folder-writable.ts'
import { notRunning } from './not-running.ts'
import { portsFree } from './ports-free.ts'
import type { Preflight } from './preflight.ts'

/** What must hold before a start, in the order in which it is asked; `machine` after the operator's lock was taken and leftovers were ended. */
export const preflights: { readonly folder: readonly Preflight[]; readonly machine: readonly Preflight[] } = {
  folder: [notRunning, folderWritable, diskSpace],
  machine: [portsFree],
}
