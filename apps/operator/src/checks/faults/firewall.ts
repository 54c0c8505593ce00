import { type DoctorContext, defineFault } from '../../doctor/define-fault.ts'
import type { Firewall, Look, Opening } from '../../firewall/firewall.ts'
import { activeFirewall } from '../../firewall/index.ts'
import { innerOpeningOf, openingOf } from '../../firewall/opening.ts'
import { shellLine } from '../../firewall/shell-line.ts'
import { runStep } from '../../mending/run-step.ts'
import { containerNetwork } from '../../steps/host/container-network.ts'

const loopback = /^(127\.|::1$|localhost$)/

/** What lets the containers through, as argument lists. */
type Found = readonly (readonly string[])[]

/**
 * The host's firewall drops what the containers need: names, and each other. Ports that other hosts cannot reach are worth a line, as it may
 * be meant so; doctor opens none.
 */
export const firewall = defineFault<Found>({
  name: 'firewall',
  title: 'firewall',
  runtimes: ['podman'],
  explainedBy: ['container-runtime', 'container-runtime-lock', 'units', 'network'],
  limitMs: 9_000,
  async diagnose(context) {
    const { stack } = context
    const look = lookOf(context)
    const active = await activeFirewall(look)
    if (!active) return { status: 'healthy', detail: 'none filters here' }
    const inner = await innerOpeningOf(stack, look)
    if (!inner.bridge) return { status: 'unknown', why: 'podman does not tell the bridge of the containers' }
    const commands = await active.missing(inner, look)
    if (commands.length > 0) {
      return {
        status: 'fault',
        problem: `${active.name} drops what the containers need among themselves`,
        evidence: commands.map((argv) => `not let through: ${shellLine(argv)}`),
        meaning: 'parts do not find or reach search, and stop working at the latest when they start anew',
        found: commands,
      }
    }
    const closed = await closedPorts(active, await openingOf(stack, look), look)
    if (closed.length === 0 || loopback.test(stack.choices.ipvar)) {
      return { status: 'healthy', detail: `${active.name} lets the containers through` }
    }
    return {
      status: 'information',
      detail: `${active.name} has no rule of logstack for ports ${closed.join(', ')}: if other hosts shall reach them, logstack firewall apply`,
    }
  },
  plan: (_context, commands) => commands.map(shellLine),
  repair: ({ stack }, _found, progress) => runStep(containerNetwork, stack, progress),
})

// A command that fails says as little as one that is not there.
function lookOf({ look }: DoctorContext): Look {
  return async (argv) => {
    const [program, ...words] = argv
    const result = await (program === 'podman' ? look.podman(...words) : look.command(...argv))
    return result?.exitCode === 0 ? result.stdout : undefined
  }
}

async function closedPorts(active: Firewall, opening: Opening, look: Look): Promise<string[]> {
  const missing = await Promise.all(
    opening.ports.map(async (port) => {
      const commands = await active.missing({ ports: [port], bridge: opening.bridge }, look)
      return commands.length > 0 ? [`${port.port}/${port.protocol}`] : []
    }),
  )
  return [...new Set(missing.flat())]
}
