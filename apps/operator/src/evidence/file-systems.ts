import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Stack } from '../stack.ts'

/** A file system the stack writes to, and what of the stack lies there. */
export interface FileSystem {
  /** Its device number, the same for all paths on it. */
  readonly device: number
  /** One of the stack's folders on it. */
  readonly path: string
  /** What the stack keeps there. */
  readonly holds: readonly (keyof typeof suffers)[]
  readonly bytesTotal: number
  /** Bytes that programs without root's reserve can still write. */
  readonly bytesFree: number
  /** How many files it can hold, and how many more; 0 of 0 where it makes room for them as they come (btrfs, xfs nearly). */
  readonly filesTotal: number
  readonly filesFree: number
}

type Room = Pick<FileSystem, 'bytesFree' | 'bytesTotal'>
type Files = Pick<FileSystem, 'filesFree' | 'filesTotal'>

const gibibyte = 1024 ** 3

/** What the stack keeps on a file system, and what a full one does to it. */
const suffers = {
  events: 'search refuses events when it is full; agents then keep theirs until there is room',
  containers: 'no container starts when it is full',
  volumes: 'parts cannot keep anything when it is full',
  configuration: 'settings and secrets cannot be changed when it is full',
  logs: 'what is done and seen is not written down when it is full',
} as const

// A file system is short of space when less than a tenth is free, unless that tenth is much.
const spaceLimits = { freeShareMin: 0.1, freeBytesEnough: 10 * gibibyte } as const
/** A small file takes a place in the table of files (inode) as well: without one, nothing new is written however many bytes are free. */
const fileLimits = { freeShareMin: 0.05, freeEnough: 100_000 } as const

/** The file systems of data, container storage and configuration, each once. Folders that do not exist yet count as their parent. */
export function fileSystemsOf({ paths }: Pick<Stack, 'paths'>): FileSystem[] {
  const folders: { readonly holds: keyof typeof suffers; readonly path: string }[] = [
    { holds: 'events', path: paths.volume('logstack_data_search') },
    { holds: paths.root === '' ? 'containers' : 'volumes', path: paths.volumesDir },
    { holds: 'configuration', path: paths.optDir },
    { holds: 'logs', path: paths.logDir },
  ]
  const found = new Map<number, FileSystem>()
  for (const { holds, path: wanted } of folders) {
    const path = existing(wanted)
    const device = statSync(path).dev
    const known = found.get(device)
    const { bsize, blocks, bavail, files, ffree } = statfsSync(path)
    const room = { bytesTotal: bsize * blocks, bytesFree: bsize * bavail, filesTotal: files, filesFree: ffree }
    const fresh = { device, path, holds: [], ...room }
    found.set(device, { ...(known ?? fresh), holds: [...(known?.holds ?? []), holds] })
  }
  return [...found.values()]
}

/** Whether so little is left that events will soon be refused. */
export function isShort(system: Room): boolean {
  return bytesLacking(system) > 0
}

/** Whether so few more files have a place that writes will soon be refused, whatever room there is. */
export function isShortOfFiles({ filesFree, filesTotal }: Files): boolean {
  return filesFree < Math.min(fileLimits.freeEnough, filesTotal * fileLimits.freeShareMin)
}

/** How many bytes must become free for a file system not to be short of space; 0 when it is not. */
export function bytesLacking({ bytesFree, bytesTotal }: Room): number {
  const wanted = Math.min(spaceLimits.freeBytesEnough, bytesTotal * spaceLimits.freeShareMin)
  return Math.max(0, Math.ceil(wanted - bytesFree))
}

/** What people notice when these file systems are full. */
export function fullMeans(systems: readonly Pick<FileSystem, 'holds'>[]): string {
  return [...new Set(systems.flatMap(({ holds }) => holds))].map((what) => suffers[what]).join('; ')
}

/** `1.5 GiB`, `300 MiB`. */
export function sizeWords(bytes: number): string {
  return bytes >= gibibyte ? `${(bytes / gibibyte).toFixed(1)} GiB` : `${Math.round(bytes / 1024 ** 2)} MiB`
}

/** `1.5 GiB of 20.0 GiB free (8 %)`. */
export function freeWords({ bytesFree, bytesTotal }: Room): string {
  const percent = bytesTotal === 0 ? 0 : Math.round((bytesFree / bytesTotal) * 100)
  return `${sizeWords(bytesFree)} of ${sizeWords(bytesTotal)} free (${percent} %)`
}

/** `120 of 3000 files (inodes) free (4 %)`. */
export function filesWords({ filesFree, filesTotal }: Files): string {
  return `${filesFree} of ${filesTotal} files (inodes) free (${Math.round((filesFree / filesTotal) * 100)} %)`
}

function existing(path: string): string {
  let at = path
  while (statSync(at, { throwIfNoEntry: false }) === undefined) at = dirname(at)
  return at
}
