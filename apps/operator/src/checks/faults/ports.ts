import { setTimeout as delay } from 'node:timers/promises'
import { containerName, type PartName } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { defineFault } from '../../doctor/define-fault.ts'
import { partTroubles } from '../../doctor/part-troubles.ts'
import { startAll, startAllCommands } from '../../doctor/start-all.ts'
import { containerMonitor, endCommand, type PortHolder, portHolder } from '../../places/port-holder.ts'
import { identifyProcess, isRunning, type ProcessIdentity } from '../../places/process-identity.ts'
import { loadDefinitions } from '../../quadlet/load.ts'

/** A process that listens on a port of a part that is not up. */
interface Held extends ProcessIdentity, PortHolder {
  readonly part: PartName
  readonly port: string
}

const limits = { terminateMs: 3_000, pollMs: 100, stopUnitMs: 100_000 } as const

/** Another process listens on a port of the stack, and the part that needs it does not start. */
export const ports = defineFault<readonly Held[]>({
  name: 'ports',
  title: 'ports of the stack',
  explainedBy: ['container-runtime', 'supervisor', 'units'],
  async diagnose(context) {
    const { stack } = context
    const troubles = await partTroubles(context)
    if (!troubles) return { status: 'unknown', why: 'the runtime does not tell what runs' }
    const definitions = loadDefinitions(stack.paths)
    const held = troubles.flatMap(({ part }) =>
      (definitions.get(part)?.ports ?? []).flatMap((published): Held[] => {
        const port = stack.ports.of(published.hostPort)
        const holder = portHolder(port, published.protocol)
        if (!holder || holder.command === containerMonitor) return []
        const identity = identifyProcess(holder.pid)
        if (!identity) return []
        const name = published.protocol === 'udp' ? `${port}/udp` : `${port}`
        return [{ ...identity, ...holder, part, port: name }]
      }),
    )
    if (held.length === 0) return { status: 'healthy', detail: 'held by their parts' }
    return {
      status: 'fault',
      problem: held
        .map(
          ({ part, port, pid, command }) =>
            `port ${port}, which ${containerName(part)} needs, is used by ${command} (process ${pid})`,
        )
        .join('; '),
      evidence: held.map(
        ({ port, pid, command, unit }) => `port ${port}: process ${pid}, ${command}${unit ? `, of ${unit}` : ''}`,
      ),
      meaning: `${held.map(({ part }) => part).join(', ')} cannot start`,
      found: held,
    }
  },
  plan: ({ stack }, held) => [...new Set(held.map(endCommand)), ...startAllCommands(stack)],
  async repair({ stack }, held, progress) {
    for (const one of held) {
      if (one.unit) await runCommand(['systemctl', 'stop', one.unit], { timeoutMs: limits.stopUnitMs })
      else await endProcess(one)
    }
    await startAll(stack, progress)
  },
})

async function endProcess(identity: ProcessIdentity): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isRunning(identity)) return
    process.kill(identity.pid, signal)
    const end = performance.now() + limits.terminateMs
    while (isRunning(identity) && performance.now() < end) await delay(limits.pollMs)
  }
}
