import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'

/**
 * `not_running` while there is nothing of a stack in the data directory `root` (empty: the host). Where nothing was ever set up every check fails,
 * each for another reason, and a list is empty without a word: one sentence says more.
 */
export function requireSetUp(root: string): void {
  if (root === '' || ['opt/logstack', 'etc/logstack'].some((folder) => existsSync(join(root, folder)))) return
  throw new AppError(operatorErrors.not_running, `there is no stack in ${root} yet`, {
    fix: './logstack up --detach',
  })
}
