import { chmodSync, chownSync, existsSync, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { containerUserOf } from '../../places/container-users.ts'
import { visitWithin } from '../../places/held-folder.ts'
import { host } from '../../places/host.ts'
import { leafFilesOf } from '../../places/paths.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'

interface Owned {
  readonly path: string
  readonly uid: number
  readonly gid: number
  /** Others of the group may look into what all share. */
  readonly mode: number
  /** Whether what is in it belongs to the same user. */
  readonly within: boolean
}

/**
 * How deep a volume is looked into. A copy that lost its owners (`cp -r` as root, an archive that was unpacked) lost them at the top, too, and below lie the
 * engine's files, hundreds of thousands of them.
 */
const lookedIntoDepth = 3
const lookLimitMs = 4_000

/**
 * Each part's user owns its volumes and the key of its certificate; no other part can read them. What all share belongs to root and their group.
 * Settings and rules are people's, who may close them to all but the parts.
 */
export const owners = defineStep({
  name: 'owners',
  title: 'owners of files',
  async diagnose(stack) {
    return findingOf([
      ...(await foreign(stack)).map(
        ({ path, uid, gid, mode }) => `chown -R ${uid}:${gid} ${path}; chmod ${mode.toString(8)} ${path}`,
      ),
      ...openings(stack).map(({ path, all }) => {
        const how = all ? ' -R' : ''
        return `chgrp${how} ${host.user.gid} '${path}'; chmod${how} g+rX '${path}'`
      }),
    ])
  },
  async apply(stack) {
    for (const { path, uid, gid, mode } of await foreign(stack)) {
      if (path === stack.paths.certsVolume) lchownSync(path, uid, gid)
      else chownAll(path, uid, gid)
      chmodSync(path, mode)
    }
    for (const { path, all } of openings(stack)) for (const one of all ? allIn(path) : [path]) letGroupRead(one)
  },
  async prove(stack) {
    const [left] = await foreign(stack)
    if (left) throw unproven(`${left.path} does not belong to its part's user`)
    const [unread] = openings(stack)
    if (unread) throw unproven(`${unread.path} cannot be read by the parts`)
  },
})

async function foreign(stack: Stack): Promise<Owned[]> {
  const found: Owned[] = []
  for (const owned of ownedPaths(stack)) if (isForeign(owned) || (await holdsForeign(owned))) found.push(owned)
  return found
}

function isForeign({ path, uid, gid, mode }: Owned): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return !stat || stat.uid !== uid || stat.gid !== gid || (stat.mode & 0o777) !== mode
}

async function holdsForeign({ path, uid, within }: Owned): Promise<boolean> {
  if (!within) return false
  // A disk's own `lost+found` is root's. Files go while they are looked at, which is no error.
  const others = ['-name', 'lost+found', '-prune', '-o', '!', '-uid', String(uid), '-print', '-quit']
  const argv = ['find', path, '-mindepth', '1', '-maxdepth', String(lookedIntoDepth), ...others]
  return (await runCommand(argv, { timeoutMs: lookLimitMs, accept: [1] })).stdout !== ''
}

function ownedPaths({ paths }: Stack): Owned[] {
  const own = parts.flatMap((part): Owned[] => {
    const { uid, gid } = containerUserOf(paths, part) ?? host.user
    const volumes = loadDefinitions(paths).get(part)?.volumes ?? []
    const written = volumes.filter(({ source, options }) => !source.startsWith('/') && !options.includes('ro'))
    return [
      { path: leafFilesOf(paths, part).key, uid, gid, mode: 0o600, within: false },
      ...written.map(({ source }) => ({ path: paths.volume(source), uid, gid, mode: 0o700, within: true })),
    ]
  })
  return [{ path: paths.certsVolume, uid: 0, gid: host.user.gid, mode: 0o750, within: false }, ...own]
}

/** Gives a path, and where it is a folder all within it, to a user; links themselves and not what they lead to. */
export function chownAll(path: string, uid: number, gid: number): void {
  if (!existsSync(path)) return
  lchownSync(path, uid, gid)
  // What a part put into its volume may be a link to a folder of the host, whose files must not become that part's.
  if (lstatSync(path).isDirectory()) visitWithin(path, (inside) => lchownSync(inside, uid, gid))
}

/** From so many on, all of a folder is opened: a long list tells nobody more. */
const manyClosed = 6

interface Opening {
  readonly path: string
  /** With all that is in it. */
  readonly all: boolean
}

function openings(stack: Stack): Opening[] {
  return [stack.paths.configDir, stack.paths.rulesDir].flatMap((folder): Opening[] => {
    const found = closed(stack, folder)
    return found.length < manyClosed ? found.map((path) => ({ path, all: false })) : [{ path: folder, all: true }]
  })
}

/** Settings or rules, files and folders, in `folder` that the parts' users cannot read: written by root in a shell with umask 077, say. */
function closed({ paths }: Stack, folder: string): string[] {
  const users = new Set(parts.map((part) => (containerUserOf(paths, part) ?? host.user).uid))
  return allIn(folder).filter((path) => {
    const stat = statSync(path)
    // To look for what is in a folder is to run it, in the words of modes.
    const wanted = stat.isDirectory() ? 5 : 4
    const read =
      stat.mode | (stat.gid === host.user.gid ? stat.mode >> 3 : 0) | (users.has(stat.uid) ? stat.mode >> 6 : 0)
    return (read & wanted) !== wanted
  })
}

function allIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const inside = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  // A link that leads nowhere is nothing to read.
  return [folder, ...inside].filter((path) => existsSync(path))
}

function letGroupRead(path: string): void {
  const { uid, mode } = statSync(path)
  chownSync(path, uid, host.user.gid)
  chmodSync(path, (mode & 0o7777) | ((mode & 0o500) >> 3))
}
