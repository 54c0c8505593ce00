import { chmodSync, chownSync, statSync } from 'node:fs'
import { runCommand } from '@logstack/process'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { podmanLimits } from './podman-limits.ts'

/** The named volumes, before anything is put into them. One whose folder came from another host is made known to podman, and keeps what is in it. */
export const volumes = defineStep({
  name: 'volumes',
  title: 'volumes',
  async diagnose(stack) {
    return findingOf((await missing(stack)).map((name) => createArgv(name).join(' ')))
  },
  async apply(stack) {
    for (const name of await missing(stack)) {
      const folder = stack.paths.volume(name)
      const before = statSync(folder, { throwIfNoEntry: false })
      await runCommand(createArgv(name), { timeoutMs: podmanLimits.changeMs })
      // podman gives a folder that it finds there to root.
      if (!before) continue
      chownSync(folder, before.uid, before.gid)
      chmodSync(folder, before.mode & 0o7777)
    }
  },
  async prove(stack) {
    const [left] = await missing(stack)
    if (left) throw unproven(`the volume ${left} is not where podman keeps volumes`, `podman volume inspect ${left}`)
  },
})

/** The names of the volumes that the definitions use. */
export function volumeNames({ paths }: Stack): string[] {
  const used = [...loadDefinitions(paths).values()].flatMap((definition) => definition.volumes)
  return [...new Set(used.map(({ source }) => source).filter((source) => !source.startsWith('/')))].sort()
}

async function missing(stack: Stack): Promise<string[]> {
  const { stdout } = await runCommand(['podman', 'volume', 'ls', '--format', '{{.Name}}'], {
    timeoutMs: podmanLimits.lookMs,
  })
  const known = new Set(stdout.split('\n'))
  const isThere = (name: string) => statSync(stack.paths.volume(name), { throwIfNoEntry: false }) !== undefined
  return volumeNames(stack).filter((name) => !known.has(name) || !isThere(name))
}

function createArgv(name: string): string[] {
  return ['podman', 'volume', 'create', '--ignore', name]
}
