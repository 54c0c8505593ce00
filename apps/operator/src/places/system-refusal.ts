import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { AppError, messageOf, operatorErrors, systemSentence } from '@logstack/errors'

/** An error of the system that a person can do something about, said so; undefined for everything else. */
export function systemRefusal(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof Error)) return undefined
  const { code, path } = thrown as NodeJS.ErrnoException
  if ((code === 'EACCES' || code === 'EPERM') && path !== undefined) {
    const owner = ownerOf(path)
    return new AppError(operatorErrors.file_forbidden, `${path} is ${owner.name}'s, and closed to who runs this`, {
      cause: thrown,
      fix: `put ${owner.command} before it, to run it as ${owner.name}`,
    })
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new AppError(
      operatorErrors.disk_space_low,
      `no space is left to write ${path ?? 'a file'}: ${messageOf(thrown)}`,
      {
        cause: thrown,
        fix: './logstack doctor --repair --only disk-space',
      },
    )
  }
  const problem = path === undefined ? undefined : systemSentence(thrown)
  return problem === undefined ? undefined : new AppError(operatorErrors.file_unusable, problem, { cause: thrown, fix })
}

const fix = 'if it is a file that you named, name another one; if it is one of the stack: ./logstack doctor'

/** Whose a file is; of the folder above it that can be seen, where it cannot. */
function ownerOf(path: string): { readonly name: string; readonly command: string } {
  let seen = path
  while (!existsSync(seen) && dirname(seen) !== seen) seen = dirname(seen)
  const { uid } = statSync(seen)
  return uid === 0 ? { name: 'root', command: 'sudo' } : { name: `user ${uid}`, command: `sudo -u "#${uid}"` }
}
