import { chownSync, existsSync, statSync } from 'node:fs'
import { parts } from '@logstack/contracts'
import { host } from '../../places/host.ts'
import { leafFilesOf } from '../../places/paths.ts'
import type { Stack } from '../../stack.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { unproven } from '../unproven.ts'
import { volumeNames } from './volumes.ts'

/** The containers' user owns its volumes and can read the keys of its certificates; nobody else but root can. */
export const owners = defineStep({
  name: 'owners',
  title: 'owners of volumes',
  async diagnose(stack) {
    return findingOf(foreign(stack).map((path) => `chown ${host.user.uid}:${host.user.gid} ${path}`))
  },
  async apply(stack) {
    for (const path of foreign(stack)) chownSync(path, host.user.uid, host.user.gid)
  },
  async prove(stack) {
    const [left] = foreign(stack)
    if (left) throw unproven(`${left} does not belong to the containers' user`)
  },
})

function foreign(stack: Stack): string[] {
  const { paths } = stack
  const wanted = [
    ...volumeNames(stack).map((name) => paths.volume(name)),
    ...parts.map((part) => leafFilesOf(paths, part).key),
  ]
  return wanted.filter((path) => !existsSync(path) || statSync(path).uid !== host.user.uid)
}
