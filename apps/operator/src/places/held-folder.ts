import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs'

/**
 * Calls `work` with a path that stays the folder, whatever whoever owns what is above it does to its name meanwhile. A link to a folder is none: root must not
 * be led elsewhere by what a part put into its own. Throws the system's error (`ENOENT`, `ENOTDIR`, `ELOOP`) where there is no folder.
 */
export function withFolder<T>(folder: string, work: (held: string) => T): T {
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  try {
    return work(`/proc/self/fd/${descriptor}`)
  } finally {
    closeSync(descriptor)
  }
}

/** Calls `visit` with a path of each thing within a folder, at any depth; links are visited and not followed. The paths are good during the call only. */
export function visitWithin(folder: string, visit: (path: string) => void): void {
  withFolder(folder, (held) => {
    for (const entry of readdirSync(held, { withFileTypes: true })) {
      const path = `${held}/${entry.name}`
      visit(path)
      if (entry.isDirectory()) visitWithin(path, visit)
    }
  })
}

/** The text of a file of at most `bytesMax` bytes; undefined for what is no file, as a link, or a pipe, which would be waited for. */
export function readPlainFile(path: string, bytesMax: number): string | undefined {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    return stat.isFile() && stat.size <= bytesMax ? readFileSync(descriptor, 'utf8') : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Whether an error says that there is no such folder or file, or only a link in its place. */
export function isNoneThere(thrown: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP'].includes((thrown as NodeJS.ErrnoException).code ?? '')
}
