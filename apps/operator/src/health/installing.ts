import { type LockHolder, lockHolder } from '../lock/lock.ts'
import type { Paths } from '../places/paths.ts'

/** What `logstack install` calls itself while it holds the operator's lock. */
export const installCommand = 'logstack install'

/**
 * The installation that is at work now, if one is: it replaces programs, image and parts one after the other, and what a look sees meanwhile
 * (an image of other programs, parts that are down) is no fault.
 */
export function installing(paths: Pick<Paths, 'lockFile'>): LockHolder | undefined {
  const holder = lockHolder(paths.lockFile)
  return holder?.command === installCommand ? holder : undefined
}
