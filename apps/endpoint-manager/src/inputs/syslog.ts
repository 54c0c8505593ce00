import type { Socket } from 'node:net'
import { createFramer, framePiecesMax } from '@logstack/syslog'
import { EventQueue } from './event-queue.ts'
import type { EventSource } from './event-run.ts'
import type { Input, InputServices, RunningInput } from './input.ts'
import { addressIn, certificateOf, listenTcp, listenUdp, type TcpListener } from './listen.ts'
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
    const closers: (() => unknown)[] = []
    let tls: TcpListener | undefined
    try {
      if (plain) {
        const source = datagramSource(services)
        const udp = await listenUdp('syslog', plain, services, (datagrams) =>
          // Texts now: the bytes of many datagrams lie in one block, which none of them may keep while search is away.
          queue.offer(
            datagrams.map(({ bytes, sender }) => ({ text: bytes.toString('utf8'), sender, bytes: bytes.length })),
            source,
          ),
        )
        closers.push(() => udp.close())
        const tcp = await listenTcp('syslog', plain, limitsOf(services), reader(services, queue))
        closers.push(() => tcp.close())
      }
      if (secure) {
        const options = { ...limitsOf(services), tls: certificateOf(services) }
        tls = await listenTcp('syslog over TLS', secure, options, reader(services, queue))
        closers.push(() => tls?.close())
      }
    } catch (thrown) {
      await Promise.all(closers.map((close) => close()))
      throw thrown
    }
    services.logger.info({ plain, secure }, 'syslog')
    return stopper(services, queue, closers, () => tls)
  },
}

function stopper(
  services: InputServices,
  queue: EventQueue,
  closers: readonly (() => unknown)[],
  tls: () => TcpListener | undefined,
): RunningInput {
  return {
    async stop() {
      await queue.stop(Promise.all(closers.map((close) => close())))
    },
    reload: () => tls()?.renew(certificateOf(services)),
  }
}

function limitsOf({ logger, losses, settings }: InputServices) {
  return { logger, losses, connectionsMax: settings.get('syslog.connections_max') }
}

/** Frames of one sender. */
function frameSource({ settings }: InputServices, sender: string): EventSource<string> {
  return {
    describe: (frame, collected) => syslogEvent(frame, sender, settings.get('syslog.timezone'), collected),
    bytesOf: (frame) => frame.length,
  }
}

/** What comes over UDP, from whoever sends. */
function datagramSource({ settings }: InputServices): EventSource<{ text: string; sender: string; bytes: number }> {
  return {
    describe: ({ text, sender }, collected) => syslogEvent(text, sender, settings.get('syslog.timezone'), collected),
    bytesOf: ({ bytes }) => bytes,
  }
}

/** Takes frames as fast as the queue does: an unread socket is what makes the sender wait. */
function reader(services: InputServices, queue: EventQueue) {
  const frameBytesMax = services.settings.get('syslog.message_bytes_max')
  return async (socket: Socket, sender: string): Promise<void> => {
    const framer = createFramer({ frameBytesMax })
    const source = frameSource(services, sender)
    const add = (frames: readonly string[]): Promise<void> => queue.add(frames, source)
    try {
      for await (const bytes of socket) {
        await add(framer.push(bytes as Buffer))
        if (framer.isOverlong)
          throw new Error(`a message is longer than ${framePiecesMax} times ${frameBytesMax} bytes`)
      }
    } finally {
      // What came before a break still counts.
      await add(framer.end())
    }
  }
}
