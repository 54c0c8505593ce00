import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { inodeOf } from './bookmark.ts'
import { namesIn } from './expand-paths.ts'

const packed = /\.(gz|zst|xz|bz2)$/
// `.1`, `.20`; `-20261122`, `-20261122-1699`, `.2026-11-22`
const generation = /^\.(\d{1,5})$/
const stamp = /^[.-](\d[\d_.:-]{3,})$/

/** How a compressed file is compressed, by its name. */
export function packingOf(path: string): string | undefined {
  return packed.exec(path)?.[1]
}

/** The path that a file with a rotated name (`app.log.1`, `app.log-20261122.gz`) was written at; undefined for other names. */
export function writtenAt(path: string): string | undefined {
  const plain = path.replace(packed, '')
  const found = /^(.*[^/.-])([.-]\d[\d_.:-]*)$/.exec(plain)
  const [, home, suffix = ''] = found ?? []
  return home !== undefined && (generation.test(suffix) || stamp.test(suffix)) ? home : undefined
}

/** A rotated file: its inode's name, its size, and when it was last written to, in milliseconds since 1970. */
export interface RotatedFile {
  readonly path: string
  readonly inode: string
  readonly bytes: number
  readonly modifiedMs: number
}

/** What was rotated away from `home` and lies beside it, oldest first. */
export function rotatedFiles(home: string): RotatedFile[] {
  const folder = dirname(home)
  const own = basename(home)
  return (
    namesIn(folder, true)
      .filter((name) => name.startsWith(own) && name !== own && writtenAt(join(folder, name)) === home)
      // While a file is being compressed both are there.
      .filter((name, _at, names) => packingOf(name) === undefined || !names.includes(name.replace(packed, '')))
      .flatMap((name) => {
        const path = join(folder, name)
        const stats = statSync(path, { throwIfNoEntry: false })
        if (!stats?.isFile()) return []
        return [{ path, inode: inodeOf(stats.dev, stats.ino), bytes: stats.size, modifiedMs: stats.mtimeMs }]
      })
      .sort((a, b) => byAge(home, a, b))
  )
}

/** Orders paths of one home, oldest first, the home itself last. */
export function compareAge(home: string, a: string, b: string): number {
  const [first, second] = [suffixOf(home, a), suffixOf(home, b)]
  if (first === '' || second === '') return first === second ? 0 : first === '' ? 1 : -1
  const [one, other] = [generation.exec(first)?.[1], generation.exec(second)?.[1]]
  if (one !== undefined && other !== undefined) return Number(other) - Number(one)
  return first < second ? -1 : 1
}

function byAge(home: string, a: RotatedFile, b: RotatedFile): number {
  const isMixed = generation.test(suffixOf(home, a.path)) !== generation.test(suffixOf(home, b.path))
  return isMixed ? a.modifiedMs - b.modifiedMs : compareAge(home, a.path, b.path)
}

const suffixOf = (home: string, path: string): string => path.replace(packed, '').slice(home.length)
