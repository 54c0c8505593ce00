import { existsSync, readFileSync, realpathSync } from 'node:fs'

/** A place where a file system is mounted. */
export interface MountedAt {
  readonly point: string
  /** Whether nothing can be written there. */
  readonly readOnly: boolean
}

/** A line of the table of file systems that are mounted when the host starts. */
export interface MountWanted {
  /** `/dev/sdb1`, `UUID=…`. */
  readonly source: string
  readonly point: string
}

const mountsFile = '/proc/self/mountinfo'
const tableFile = '/etc/fstab'

/** What is mounted now, as the kernel lists it. */
export function mountedNow(mountinfo = readFileSync(mountsFile, 'utf8')): MountedAt[] {
  return mountinfo
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const fields = line.split(' ')
      const [, , , , point = '', own = ''] = fields
      // Those of this mount, and at the end those of the file system.
      const readOnly = [own, fields.at(-1) ?? ''].some((options) => options.split(',').includes('ro'))
      return { point: unescaped(point), readOnly }
    })
}

/** What is to be mounted when the host starts; a host without a table has none. */
export function mountsWanted(table = existsSync(tableFile) ? readFileSync(tableFile, 'utf8') : ''): MountWanted[] {
  return table.split('\n').flatMap((line) => {
    const [source = '#', point = '', , options = ''] = line.trim().split(/\s+/)
    if (source.startsWith('#') || !point.startsWith('/') || options.split(',').includes('noauto')) return []
    return [{ source, point: unescaped(point).replace(/(?<=.)\/+$/, '') }]
  })
}

/** What of the table a folder lies on, and is not mounted: who writes to the folder now writes below the disk. */
export function disksMissingUnder(
  folder: string,
  wanted: readonly MountWanted[] = mountsWanted(),
  mounted: readonly MountedAt[] = mountedNow(),
): MountWanted[] {
  return wanted.filter(({ point }) => lies(folder, point) && !mounted.some((one) => one.point === point))
}

/** Where other file systems are mounted at or below one of the folders, the deepest first. */
export function mountsIn(folders: readonly string[], mounted: readonly MountedAt[] = mountedNow()): string[] {
  const real = folders.map((folder) => (existsSync(folder) ? realpathSync(folder) : folder))
  const within = mounted.map(({ point }) => point).filter((point) => real.some((folder) => lies(point, folder)))
  return [...new Set(within)].sort().reverse()
}

/** Whether a path is a folder, or lies in it. */
export function lies(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

// Spaces, tabs, line feeds and backslashes of a path are octal numbers in both.
function unescaped(field: string): string {
  return field.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}
