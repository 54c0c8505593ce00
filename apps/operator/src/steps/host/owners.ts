import { chmodSync, existsSync, lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parts } from '@logstack/contracts'
import { containerUserOf } from '../../places/container-users.ts'
import { host } from '../../places/host.ts'
import { leafFilesOf } from '../../places/paths.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { unproven } from '../unproven.ts'

interface Owned {
  readonly path: string
  readonly uid: number
  readonly gid: number
  /** Others of the group may look into what all share. */
  readonly mode: number
}

/** Each part's user owns its volumes and the key of its certificate; no other part can read them. What all share belongs to root and their group. */
export const owners = defineStep({
  name: 'owners',
  title: 'owners of volumes',
  async diagnose(stack) {
    return findingOf(
      foreign(stack).map(
        ({ path, uid, gid, mode }) => `chown -R ${uid}:${gid} ${path}; chmod ${mode.toString(8)} ${path}`,
      ),
    )
  },
  async apply(stack) {
    for (const { path, uid, gid, mode } of foreign(stack)) {
      if (path === stack.paths.certsVolume) lchownSync(path, uid, gid)
      else chownAll(path, uid, gid)
      chmodSync(path, mode)
    }
  },
  async prove(stack) {
    const [left] = foreign(stack)
    if (left) throw unproven(`${left.path} does not belong to its part's user`)
  },
})

function foreign(stack: Stack): Owned[] {
  return ownedPaths(stack).filter(({ path, uid, gid, mode }) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    return !stat || stat.uid !== uid || stat.gid !== gid || (stat.mode & 0o777) !== mode
  })
}

function ownedPaths({ paths }: Stack): Owned[] {
  const own = parts.flatMap((part): Owned[] => {
    const { uid, gid } = containerUserOf(paths, part) ?? host.user
    const volumes = loadDefinitions(paths).get(part)?.volumes ?? []
    const written = volumes.filter(({ source, options }) => !source.startsWith('/') && !options.includes('ro'))
    return [
      { path: leafFilesOf(paths, part).key, uid, gid, mode: 0o600 },
      ...written.map(({ source }) => ({ path: paths.volume(source), uid, gid, mode: 0o700 })),
    ]
  })
  return [{ path: paths.certsVolume, uid: 0, gid: host.user.gid, mode: 0o750 }, ...own]
}

function chownAll(path: string, uid: number, gid: number): void {
  if (!existsSync(path)) return
  lchownSync(path, uid, gid)
  if (!lstatSync(path).isDirectory()) return
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' })) lchownSync(join(path, name), uid, gid)
}
