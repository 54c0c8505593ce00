import { statSync } from 'node:fs'
import { inodeOf } from './bookmark.ts'
import { expandPaths, pathMatches } from './expand-paths.ts'
import { compareAge, packingOf, writtenAt } from './rotated-files.ts'

/** A file that is there, where it was written, its inode's name, and when it was written to last, in milliseconds since 1970. */
export interface FoundFile {
  readonly path: string
  readonly home: string
  readonly inode: string
  readonly written: number
}

/** The files at some patterns: of one home, older ones first. Compressed ones are only read as what was rotated away. `failed` hears of what cannot be looked at. */
export function findFiles(
  patterns: readonly string[],
  isWanted: (path: string, home: string) => boolean,
  failed: (path: string, thrown: unknown) => void,
): FoundFile[] {
  const homeOf = (path: string): string => {
    const home = writtenAt(path)
    return home !== undefined && patterns.some((pattern) => pathMatches(home, pattern)) ? home : path
  }
  return [...new Set(patterns.flatMap(expandPaths))]
    .filter((path) => packingOf(path) === undefined)
    .map((path) => ({ path, home: homeOf(path) }))
    .filter(({ path, home }) => isWanted(path, home))
    .sort((a, b) => (a.home === b.home ? compareAge(a.home, a.path, b.path) : a.home < b.home ? -1 : 1))
    .flatMap(({ path, home }) => {
      try {
        const stats = statSync(path, { throwIfNoEntry: false })
        return stats?.isFile() ? [{ path, home, inode: inodeOf(stats.dev, stats.ino), written: stats.mtimeMs }] : []
      } catch (thrown) {
        failed(path, thrown)
        return []
      }
    })
}

/** At most `max` files, those that were written to last, in the order given, and the others. By name it would be the oldest where dates are in names. */
export function newestFiles<T extends { readonly written: number }>(
  files: readonly T[],
  max: number,
): { readonly newest: readonly T[]; readonly older: readonly T[] } {
  if (files.length <= max) return { newest: files, older: [] }
  const kept = new Set([...files].sort((a, b) => b.written - a.written).slice(0, max))
  return { newest: files.filter((file) => kept.has(file)), older: files.filter((file) => !kept.has(file)) }
}
