import { containerName } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { type Stack, searchIsRemote } from '../../stack.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'

const unit = `${containerName('search')}.service`
const limitMs = 120_000

/** Where a cluster stands in search's place its unit is masked: the other units, and people, start what they want, and this stays away. */
export const searchUnit = defineStep({
  name: 'search-unit',
  title: 'unit of search',
  async diagnose(stack) {
    return findingOf((await isRight(stack)) ? [] : commandsFor(stack).map((argv) => argv.join(' ')))
  },
  async apply(stack) {
    for (const argv of commandsFor(stack)) await runCommand(argv, { timeoutMs: limitMs })
  },
  async prove(stack) {
    if (!(await isRight(stack))) throw unproven(`${unit} is not as it should be`, `systemctl status ${unit}`)
  },
})

function commandsFor(stack: Stack): string[][] {
  return searchIsRemote(stack) ? [['systemctl', 'mask', '--now', unit]] : [['systemctl', 'unmask', unit]]
}

async function isRight(stack: Stack): Promise<boolean> {
  const argv = ['systemctl', 'show', '--property=LoadState', '--value', unit]
  const { stdout } = await runCommand(argv, { timeoutMs: limitMs })
  return (stdout.trim() === 'masked') === searchIsRemote(stack)
}
