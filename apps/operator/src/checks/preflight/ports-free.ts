import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { containerName } from '@logstack/contracts'
import { AppError, operatorErrors } from '@logstack/errors'
import type { PublishedPort } from '../../quadlet/container.ts'
import { loadDefinitions } from '../../quadlet/load.ts'
import { portHolder } from './port-holder.ts'
import type { Preflight } from './preflight.ts'

/** Refuses to start when something else listens on a port of the stack; says what, if the system tells. */
export const portsFree: Preflight = async ({ paths, ports }) => {
  for (const [part, definition] of loadDefinitions(paths)) {
    for (const published of definition.ports) {
      const port = ports.of(published.hostPort)
      const code = await listenProblem(ports.listenHost, port, published.protocol)
      if (code === undefined) continue
      const holder = code === 'EADDRINUSE' ? portHolder(port, published.protocol) : undefined
      const by = holder ? `used by ${holder.command} (process ${holder.pid})` : `not free (${code})`
      throw new AppError(
        operatorErrors.port_in_use,
        `port ${port}${published.protocol === 'udp' ? '/udp' : ''}, which ${containerName(part)} needs, is ${by}`,
        {
          detail: { port },
          fix: `${holder ? `stop it with: kill ${holder.pid}` : 'stop what uses it'}, or move all ports with --port-offset N`,
        },
      )
    }
  }
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
