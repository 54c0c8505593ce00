import { existsSync, rmSync } from 'node:fs'
import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { z } from 'zod'
import { defineFault } from '../../doctor/define-fault.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { host } from '../../places/host.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'

const file = `/etc/containers/networks/${host.network}.json`
const unit = `${host.network}-network.service`
// What podman's name server knows of the network. A container that was taken away with the network by force stays in it, and with it the old
// network's address: in the new network no name would be answered.
const namesFile = `/run/containers/networks/aardvark-dns/${host.network}`
// Where podman forwards published ports. What a container that went with the network by force had published stays there, leads to an address
// that nobody has, and comes before the rules of the new containers.
const chain = ['inet', 'netavark', 'NETAVARK-HOSTPORT-DNAT'] as const
const forwards = {
  listArgv: ['nft', '--json', '--handle', 'list', 'chain', ...chain],
  deleteArgv: ['nft', 'delete', 'rule', ...chain, 'handle'],
} as const
const systemctlLimitMs = 180_000
const nftLimitMs = 30_000

const rulesSchema = z.object({
  nftables: z.array(
    z.object({ rule: z.object({ handle: z.number(), expr: z.array(z.record(z.string(), z.unknown())) }).optional() }),
  ),
})
const portMatchSchema = z.object({
  match: z.object({
    left: z.object({ payload: z.object({ protocol: z.string(), field: z.literal('dport') }) }),
    right: z.number(),
  }),
})

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
    `# of what is left in \`${forwards.listArgv.join(' ')}\` of the stack's own ports: ${forwards.deleteArgv.join(' ')} <HANDLE>`,
    `systemctl start ${unit}`,
    ...startAllCommands(stack),
  ],
  async repair({ stack }, _found, progress) {
    const units = parts.map((part) => `${containerName(part)}.service`)
    await runCommand(['systemctl', 'stop', unit, ...units], { timeoutMs: systemctlLimitMs })
    rmSync(namesFile, { force: true })
    await forgetForwards(stack)
    await runCommand(['systemctl', 'start', unit], { timeoutMs: systemctlLimitMs })
    await startAll(stack, progress)
  },
})

// Only while all parts are stopped: then nobody has these ports published, and other containers of this host never have.
async function forgetForwards(stack: Stack): Promise<void> {
  const { stdout, exitCode } = await runCommand(forwards.listArgv, { timeoutMs: nftLimitMs, accept: [1] })
  if (exitCode !== 0) return
  const published = [...loadDefinitions(stack.paths).values()].flatMap((definition) => definition.ports)
  const own = new Set(published.map(({ protocol, hostPort }) => `${protocol} ${stack.ports.of(hostPort)}`))
  for (const { handle, port } of forwardedPorts(stdout)) {
    if (own.has(port)) await runCommand([...forwards.deleteArgv, `${handle}`], { timeoutMs: nftLimitMs })
  }
}

/** The ports a chain of podman forwards (`tcp 9200`) and the handles of their rules, from the JSON of `nft --handle list chain`. */
export function forwardedPorts(listed: string): { readonly handle: number; readonly port: string }[] {
  return rulesSchema.parse(JSON.parse(listed)).nftables.flatMap(({ rule }) => {
    if (!rule) return []
    return rule.expr.flatMap((statement) => {
      const found = portMatchSchema.safeParse(statement)
      if (!found.success) return []
      const { left, right } = found.data.match
      return [{ handle: rule.handle, port: `${left.payload.protocol} ${right}` }]
    })
  })
}
