import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { containerName, type PartName } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { listPatiently, stopInOrder } from '../../runtimes/start-order.ts'
import { type Stack, searchIsRemote } from '../../stack.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { podmanLimits } from './podman-limits.ts'

/** Containers of an older image, definition or environment file are stopped; the steps after this one start them anew. */
export const stopOutdated = defineStep({
  name: 'stop-outdated',
  title: 'containers of older programs',
  async diagnose(stack) {
    return findingOf((await outdated(stack)).map((part) => `systemctl stop ${containerName(part)}.service`))
  },
  async apply(stack) {
    await stopInOrder(stack.runtime, await outdated(stack))
  },
  async prove() {
    // What was stopped is gone; that it runs again is proved by the steps that start it.
  },
})

async function outdated(stack: Stack): Promise<PartName[]> {
  const listed = (await listPatiently(stack.runtime)).filter(
    ({ part, state }) => state !== 'absent' && !(part === 'search' && searchIsRemote(stack)),
  )
  if (listed.length === 0) return []
  const imageArgv = ['podman', 'image', 'inspect', '--format', '{{.Id}}', host.image]
  const image = await runCommand(imageArgv, { timeoutMs: podmanLimits.lookMs, accept: [125] })
  const format = '{{.Image}} {{.State.StartedAt.Unix}}'
  const argv = ['podman', 'container', 'inspect', '--format', format, ...listed.map(({ name }) => name)]
  const { stdout } = await runCommand(argv, { timeoutMs: podmanLimits.lookMs })
  const lines = stdout.trim().split('\n')
  return listed
    .map(({ part }) => part)
    .filter((part, index) => {
      const [imageId, startedAtSeconds] = (lines[index] ?? '').split(' ')
      return imageId !== image.stdout.trim() || changedAtSeconds(stack, part) > Number(startedAtSeconds)
    })
}

/** When the newest file changed that a container reads only at its start. */
function changedAtSeconds({ paths }: Stack, part: PartName): number {
  const definition = join(host.quadletDir, `${containerName(part)}.container`)
  const dropIns = `${definition}.d`
  const files = [
    definition,
    ...(existsSync(dropIns) ? readdirSync(dropIns).map((name) => join(dropIns, name)) : []),
    paths.environmentFile,
  ]
  return Math.max(...files.filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs / 1000))
}
