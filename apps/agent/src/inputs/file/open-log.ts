import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'

const linksMax = 40

/**
 * Opens a log to read it. Whoever may write where a log lies must not have another's file read by root: a link on the way is followed only where root, the
 * agent's own user or the owner of the file made it, and what is no file, such as a pipe that would be waited for, is not opened. Throws what opening throws.
 */
export function openLog(path: string): number {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw new Error('it is no file')
    // Windows lets only administrators make links, and its paths and owners are others.
    if (process.platform !== 'win32') requireTrustedWay(path, stats)
    return file
  } catch (thrown) {
    closeSync(file)
    throw thrown
  }
}

/** Goes the way to a file as the system does, link by link; throws where it leads over somebody else's, or to another file by now. */
function requireTrustedWay(path: string, file: Stats): void {
  const trusted = new Set([0, process.geteuid?.() ?? 0, file.uid])
  const rest = path.split('/')
  let at = '/'
  let last: Stats | undefined
  let links = 0
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === '' || name === '.') continue
    const next = name === '..' ? dirname(at) : join(at, name)
    last = lstatSync(next)
    if (!last.isSymbolicLink()) {
      at = next
      continue
    }
    links += 1
    if (links > linksMax || !trusted.has(last.uid))
      throw new Error(
        `it is not read over the link ${next} of user ${last.uid}: only root's and those of the file's own user are followed`,
      )
    const target = readlinkSync(next)
    if (target.startsWith('/')) at = '/'
    rest.unshift(...target.split('/'))
  }
  if (last?.dev !== file.dev || last.ino !== file.ino) throw new Error('it was replaced while it was opened')
}
