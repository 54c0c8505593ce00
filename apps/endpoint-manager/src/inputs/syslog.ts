import type { Socket } from 'node:net'
import { readCertificates } from '@logstack/part'
import { createFramer, framePiecesMax } from '@logstack/syslog'
import { EventQueue } from './event-queue.ts'
import type { Input, InputServices, RunningInput } from './input.ts'
import { addressIn, listenTcp, listenUdp, type TcpListener } from './listen.ts'
import { syslogEvent } from './syslog/syslog-event.ts'

/**
 * Syslog (RFC 3164, RFC 5424): over UDP and TCP on `LOGSTACK_SYSLOG_LISTEN`, over TLS (RFC 5425) with the part's own certificate on
 * `LOGSTACK_SYSLOG_TLS_LISTEN`, both `host:port`; what is not set is not opened.
 */
export const syslogInput: Input = {
  name: 'syslog',
  async start(services) {
    const plain = addressIn(services, 'LOGSTACK_SYSLOG_LISTEN')
    const secure = addressIn(services, 'LOGSTACK_SYSLOG_TLS_LISTEN')
    if (!plain && !secure) return undefined
    const queue = new EventQueue(services, 'syslog')
    const closers: (() => void)[] = []
    let tls: TcpListener | undefined
    try {
      if (plain) {
        const udp = await listenUdp('syslog', plain, services.logger, (bytes, sender) => {
          const text = bytes.toString('utf8')
          queue.offer(() => describe(services, text, sender))
        })
        closers.push(() => udp.close())
        const tcp = await listenTcp('syslog', plain, limitsOf(services), reader(services, queue))
        closers.push(() => tcp.close())
      }
      if (secure) {
        const options = { ...limitsOf(services), tls: certificate(services) }
        tls = await listenTcp('syslog over TLS', secure, options, reader(services, queue))
        closers.push(() => tls?.close())
      }
    } catch (thrown) {
      for (const close of closers) close()
      throw thrown
    }
    services.logger.info({ plain, secure }, 'syslog')
    return stopper(services, queue, closers, () => tls)
  },
}

function stopper(
  services: InputServices,
  queue: EventQueue,
  closers: readonly (() => void)[],
  tls: () => TcpListener | undefined,
): RunningInput {
  return {
    async stop() {
      for (const close of closers) close()
      await queue.stop()
    },
    reload: () => tls()?.renew(certificate(services)),
  }
}

function limitsOf({ logger, settings }: InputServices) {
  return { logger, connectionsMax: settings.get('syslog.connections_max') }
}

function certificate({ environment }: InputServices): { cert: string; key: string; minVersion: 'TLSv1.2' } {
  const { cert, key } = readCertificates(environment, 'endpoint-manager')
  return { cert, key, minVersion: 'TLSv1.2' }
}

function describe({ settings }: InputServices, text: string, sender: string) {
  return syslogEvent(text, sender, settings.get('syslog.timezone'))
}

/** Takes frames as fast as the queue does: an unread socket is what makes the sender wait. */
function reader(services: InputServices, queue: EventQueue) {
  const frameBytesMax = services.settings.get('syslog.message_bytes_max')
  return async (socket: Socket, sender: string): Promise<void> => {
    const framer = createFramer({ frameBytesMax })
    const add = (frame: string): Promise<void> => queue.add(() => describe(services, frame, sender))
    try {
      for await (const bytes of socket) {
        for (const frame of framer.push(bytes as Buffer)) await add(frame)
        if (framer.isOverlong)
          throw new Error(`a message is longer than ${framePiecesMax} times ${frameBytesMax} bytes`)
      }
    } finally {
      // What came before a break still counts.
      for (const frame of framer.end()) await add(frame)
    }
  }
}
