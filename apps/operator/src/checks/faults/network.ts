import { existsSync, rmSync } from 'node:fs'
import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { host } from '../../places/host.ts'
import { defineFault } from './define-fault.ts'

const file = `/etc/containers/networks/${host.network}.json`
const unit = `${host.network}-network.service`
// What podman's name server knows of the network. A container that was taken away with the network by force stays in it, and with it the old
// network's address: in the new network no name would be answered.
const namesFile = `/run/containers/networks/aardvark-dns/${host.network}`
const systemctlLimitMs = 180_000

/** podman's network of the parts is gone. */
export const network = defineFault<undefined>({
  name: 'network',
  title: 'network of the containers',
  runtimes: ['podman'],
  explainedBy: ['container-runtime', 'units'],
  async diagnose({ look }) {
    if (existsSync(file)) return { status: 'healthy', detail: `podman's network [${host.network}]` }
    const state = (await look.units()).get(unit)
    return {
      status: 'fault',
      problem: `podman has no network [${host.network}]`,
      evidence: [`${file} is missing`, ...(state ? [`${unit} is ${state.active} (${state.sub})`] : [])],
      meaning: 'no part can start: each container belongs to this network',
      found: undefined,
    }
  },
  // Restarting the unit would restart all that requires it at once; stopped and started apart, the parts keep their order.
  plan: ({ stack }) => [
    `systemctl stop ${unit} ${parts.map((part) => `${containerName(part)}.service`).join(' ')}`,
    `rm -f ${namesFile}`,
    `systemctl start ${unit}`,
    ...startAllCommands(stack),
  ],
  async repair({ stack }, _found, progress) {
    const units = parts.map((part) => `${containerName(part)}.service`)
    await runCommand(['systemctl', 'stop', unit, ...units], { timeoutMs: systemctlLimitMs })
    rmSync(namesFile, { force: true })
    await runCommand(['systemctl', 'start', unit], { timeoutMs: systemctlLimitMs })
    await startAll(stack, progress)
  },
})
