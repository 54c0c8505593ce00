import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { AppError, messageOf, platformErrors } from '@logstack/errors'
import { createFramer } from '@logstack/syslog'
import type { Input, InputServices, RunningInput } from './input.ts'
import { SyslogQueue } from './syslog/syslog-queue.ts'

const receiveBufferBytes = 8 * 1024 * 1024
const idleMs = 10 * 60_000

/** Syslog (RFC 3164, RFC 5424) over UDP and TCP on `LOGSTACK_SYSLOG_LISTEN` (`host:port`); not started without it. */
export const syslogInput: Input = {
  name: 'syslog',
  async start(services) {
    const address = services.environment.env['LOGSTACK_SYSLOG_LISTEN']
    if (!address) return undefined
    const { host, port } = readAddress(address)
    const queue = new SyslogQueue(services)
    const udp = await listenUdp(queue, services, { host, port }).catch((thrown: unknown) =>
      cannotListen(address, thrown),
    )
    const tcp = await listenTcp(queue, services, { host, port }).catch(async (thrown: unknown) => {
      udp.close()
      return cannotListen(address, thrown)
    })
    services.logger.info({ address }, 'syslog over UDP and TCP')
    return stopper(queue, udp, tcp)
  },
}

function stopper(queue: SyslogQueue, udp: UdpSocket, tcp: TcpListener): RunningInput {
  return {
    async stop() {
      udp.close()
      for (const socket of tcp.sockets) socket.destroy()
      tcp.server.close()
      await queue.stop()
    },
  }
}

function readAddress(text: string): { host: string; port: number } {
  const at = text.lastIndexOf(':')
  const port = Number(text.slice(at + 1))
  if (at > 0 && Number.isInteger(port)) return { host: text.slice(0, at).replace(/^\[|\]$/g, ''), port }
  throw new AppError(platformErrors.environment_missing, `LOGSTACK_SYSLOG_LISTEN is [${text}], expected host:port`)
}

function cannotListen(address: string, thrown: unknown): never {
  throw new AppError(
    platformErrors.environment_missing,
    `cannot listen for syslog on ${address}: ${messageOf(thrown)}`,
    {
      cause: thrown,
      fix: 'free the port, or set LOGSTACK_SYSLOG_LISTEN to another one',
    },
  )
}

async function listenUdp(
  queue: SyslogQueue,
  { logger }: InputServices,
  { host, port }: { host: string; port: number },
): Promise<UdpSocket> {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', recvBufferSize: receiveBufferBytes })
  socket.on('message', (bytes, sender) => queue.offer(bytes.toString('utf8'), sender.address))
  socket.bind(port, host)
  await Promise.race([once(socket, 'listening'), once(socket, 'error').then(([thrown]) => Promise.reject(thrown))])
  socket.on('error', (thrown) => logger.error({ err: thrown }, 'syslog over UDP'))
  return socket
}

interface TcpListener {
  readonly server: Server
  readonly sockets: ReadonlySet<Socket>
}

async function listenTcp(
  queue: SyslogQueue,
  { settings, logger }: InputServices,
  address: { host: string; port: number },
): Promise<TcpListener> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', (thrown) => logger.info({ sender: socket.remoteAddress }, `syslog sender: ${messageOf(thrown)}`))
    socket.setTimeout(idleMs, () => socket.destroy())
    void readFrames(socket, queue, settings.get('syslog.message_bytes_max'))
  })
  server.maxConnections = settings.get('syslog.connections_max')
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return { server, sockets }
}

/** Takes frames as fast as the queue does: an unread socket is what makes the sender wait. */
async function readFrames(socket: Socket, queue: SyslogQueue, frameBytesMax: number): Promise<void> {
  const framer = createFramer({ frameBytesMax })
  const sender = socket.remoteAddress ?? ''
  try {
    for await (const bytes of socket) {
      for (const frame of framer.push(bytes as Buffer)) await queue.add(frame, sender)
    }
  } catch (thrown) {
    // The socket's own error handler has logged it; what came before the break still counts.
    if (!(thrown instanceof Error)) throw thrown
  }
  for (const frame of framer.end()) await queue.add(frame, sender)
}
