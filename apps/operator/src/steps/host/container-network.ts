import { runCommand } from '@logstack/process'
import { activeFirewall } from '../../firewall/index.ts'
import { innerOpeningOf, look } from '../../firewall/opening.ts'
import { shellLine } from '../../firewall/shell-line.ts'
import { firewallUnit } from '../../firewall/unit.ts'
import { host } from '../../places/host.ts'
import type { Stack } from '../../stack.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'

const commandLimitMs = 30_000

/**
 * A firewall that drops what it does not know would keep the containers from asking the host for each other's names: search would run, and
 * whatever needs it would wait in vain. No port is opened to other machines here: `logstack firewall apply` does.
 */
export const containerNetwork = defineStep({
  name: 'container-network',
  title: 'containers in the firewall',
  async diagnose(stack) {
    const { bridge } = await innerOpeningOf(stack)
    // Before the network is there, its bridge has no name that a rule could say.
    if (bridge === undefined)
      return findingOf((await activeFirewall(look)) ? [`${host.launcher} firewall apply --containers-only`] : [])
    return findingOf((await missing(stack)).map(shellLine))
  },
  async apply(stack) {
    for (const argv of await missing(stack)) await runCommand(argv, { timeoutMs: commandLimitMs })
    const active = await activeFirewall(look)
    // One that is there opens the ports as well, by somebody's wish.
    if (active && !active.keepsRules && !firewallUnit.isInstalled()) await firewallUnit.install(false)
  },
  async prove(stack) {
    const [left] = await missing(stack)
    if (left) throw unproven(`the firewall does not show the rule: ${shellLine(left)}`, 'sudo logstack firewall show')
  },
})

async function missing(stack: Stack): Promise<string[][]> {
  const active = await activeFirewall(look)
  return active ? active.missing(await innerOpeningOf(stack), look) : []
}
