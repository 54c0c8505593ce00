import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { containerName } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import { runningStacks } from '../../places/data-dir.ts'
import { endCommand, portHolder } from '../../places/port-holder.ts'
import { runningSupervisor } from '../../places/supervisor-state.ts'
import type { PublishedPort } from '../../quadlet/container.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import type { Stack } from '../../stack.ts'
import type { Preflight } from './preflight.ts'

/** A port of the stack that cannot be listened on, and what to do about it. */
interface TakenPort {
  readonly port: number
  readonly problem: string
  readonly fix: string
}

/** Refuses to start when something else listens on a port of the stack; says what, if the system tells. */
export const portsFree: Preflight = async (stack) => {
  const [first] = await takenPorts(stack)
  if (!first) return
  throw new AppError(operatorErrors.port_in_use, first.problem, {
    detail: { port: first.port },
    fix: `${first.fix}, or move all ports with --port-offset N`,
  })
}

/** Every port of the stack that something else listens on. */
export async function takenPorts({ paths, ports }: Stack): Promise<TakenPort[]> {
  const taken: TakenPort[] = []
  for (const [part, definition] of loadDefinitions(paths)) {
    for (const published of definition.ports) {
      const port = ports.of(published.hostPort)
      const code = await listenProblem(ports.listenHost, port, published.protocol)
      if (code === undefined) continue
      const name = `port ${port}${published.protocol === 'udp' ? '/udp' : ''}, which ${containerName(part)} needs`
      taken.push({ port, ...explain(name, code, port, published.protocol) })
    }
  }
  return taken
}

function explain(
  name: string,
  code: string,
  port: number,
  protocol: PublishedPort['protocol'],
): Omit<TakenPort, 'port'> {
  const holder = code === 'EADDRINUSE' ? portHolder(port, protocol) : undefined
  if (!holder) return { problem: `${name}, is not free (${code})`, fix: 'stop what uses it' }
  const other = stackOfProcess(holder.pid)
  if (other !== undefined)
    return {
      problem: `${name}, is used by the stack in ${other}`,
      fix: `stop that with: ./logstack --data ${other} down`,
    }
  const of = holder.unit ? `, of ${holder.unit}` : ''
  const by = holder.container ? `container ${holder.container}${of}` : `${holder.command} (process ${holder.pid}${of})`
  return { problem: `${name}, is used by ${by}`, fix: `stop it with: ${endCommand(holder)}` }
}

/** The data directory of the stack of this user that a process belongs to: ended alone, it would be started again. */
function stackOfProcess(pid: number): string | undefined {
  return runningStacks(process.env).find((root) =>
    runningSupervisor({ runDir: join(root, 'run') })?.children.some((child) => child.pid === pid),
  )
}

function listenProblem(host: string, port: number, protocol: PublishedPort['protocol']): Promise<string | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve(error.code ?? error.message)
    if (protocol === 'udp') {
      const socket = createSocket('udp4')
      socket.once('error', failed)
      socket.bind(port, host, () => socket.close(() => resolve(undefined)))
      return
    }
    const server = createServer()
    server.once('error', failed)
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}
