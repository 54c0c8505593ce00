import { realpath } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { AppError, searchErrors } from '@logstack/errors'

/** The real path of what is there of a path, with what is not there yet after it. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT') || dirname(path) === path)
      throw thrown
    return join(await realPath(dirname(path)), relative(dirname(path), path))
  }
}

const isBelow = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way === '' || (!isAbsolute(way) && way !== '..' && !way.startsWith('../'))
}

/**
 * The absolute folder of a repository: `location` below one of the allowed folders, a relative one below the first of them. Throws
 * `repository_exception` for any other, also when symbolic links lead out of them.
 */
export async function allowedFolder(repository: string, location: string, folders: readonly string[]): Promise<string> {
  const refused = (why: string): AppError =>
    new AppError(searchErrors.repository_exception, `[${repository}] location [${location}] ${why}`)
  const [first] = folders
  if (first === undefined)
    throw refused("doesn't match any of the locations specified by path.repo because this setting is empty")
  const path = resolve(first, location)
  if (/[*?{},]/.test(path)) throw refused('must not contain one of the characters [*?{},]')
  const real = await realPath(path)
  for (const folder of folders) if (isBelow(path, folder) && isBelow(real, await realPath(folder))) return path
  throw refused("doesn't match any of the locations specified by path.repo")
}
