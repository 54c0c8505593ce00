import { existsSync } from 'node:fs'
import { runCommand } from '@logstack/process'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { podmanLimits } from './podman-limits.ts'

/** The named volumes, before anything is put into them. */
export const volumes = defineStep({
  name: 'volumes',
  title: 'volumes',
  async diagnose(stack) {
    return findingOf(missing(stack).map((name) => createArgv(name).join(' ')))
  },
  async apply(stack) {
    for (const name of missing(stack)) await runCommand(createArgv(name), { timeoutMs: podmanLimits.changeMs })
  },
  async prove(stack) {
    const [left] = missing(stack)
    if (left) throw unproven(`the volume ${left} is not where podman keeps volumes`, `podman volume inspect ${left}`)
  },
})

/** The names of the volumes that the definitions use. */
export function volumeNames({ paths }: Stack): string[] {
  const used = [...loadDefinitions(paths).values()].flatMap((definition) => definition.volumes)
  return [...new Set(used.map(({ source }) => source).filter((source) => !source.startsWith('/')))].sort()
}

function missing(stack: Stack): string[] {
  return volumeNames(stack).filter((name) => !existsSync(stack.paths.volume(name)))
}

function createArgv(name: string): string[] {
  return ['podman', 'volume', 'create', '--ignore', name]
}
