import type { Socket } from 'node:net'
import { EventQueue } from './event-queue.ts'
import { forwardMessage } from './fluent/forward-message.ts'
import { Incomplete, MessagePackReader } from './fluent/msgpack.ts'
import type { Input } from './input.ts'
import { addressIn, listenTcp } from './listen.ts'

/** Fluentd's and Fluent Bit's forward protocol 1.5 over TCP on `LOGSTACK_FLUENT_LISTEN`, without its handshake (`shared_key`); chunks are acknowledged once they are queued. */
export const fluentInput: Input = {
  name: 'fluent',
  async start(services) {
    const address = addressIn(services, 'LOGSTACK_FLUENT_LISTEN')
    if (!address) return undefined
    const { logger, settings } = services
    const queue = new EventQueue(services, 'fluent')
    const connectionsMax = settings.get('syslog.connections_max')
    const tcp = await listenTcp('Fluent forward', address, { logger, connectionsMax }, (socket, sender) =>
      readMessages(socket, sender, queue, settings.get('fluent.message_bytes_max')),
    )
    logger.info(address, 'Fluent forward over TCP')
    return {
      async stop() {
        tcp.close()
        await queue.stop()
      },
    }
  },
}

async function readMessages(socket: Socket, sender: string, queue: EventQueue, bytesMax: number): Promise<void> {
  let pending: Buffer[] = []
  let length = 0
  let atLeast = 1
  for await (const bytes of socket) {
    pending.push(bytes as Buffer)
    length += (bytes as Buffer).length
    if (length < atLeast) continue
    const buffer = Buffer.concat(pending)
    const { used, needed } = await takeWhole(buffer, socket, sender, queue)
    const rest = buffer.subarray(used)
    if (Math.max(rest.length, needed) > bytesMax) throw new Error(`a message is longer than ${bytesMax} bytes`)
    pending = [rest]
    length = rest.length
    atLeast = needed
  }
}

/** Takes every message that is there whole; answers how many bytes they were and how many the next one has at least. */
async function takeWhole(
  buffer: Buffer,
  socket: Socket,
  sender: string,
  queue: EventQueue,
): Promise<{ used: number; needed: number }> {
  let used = 0
  while (used < buffer.length) {
    const reader = new MessagePackReader(buffer, used)
    let value: unknown
    try {
      value = reader.read()
    } catch (thrown) {
      if (thrown instanceof Incomplete) return { used, needed: thrown.atLeast - used }
      throw thrown
    }
    const { events, chunk } = forwardMessage(value, sender)
    for (const event of events) await queue.add(() => event)
    if (chunk !== undefined) socket.write(acknowledgement(chunk))
    used = reader.position
  }
  return { used, needed: 1 }
}

/** `{"ack": chunk}` in MessagePack. */
function acknowledgement(chunk: string): Buffer {
  const text = Buffer.from(chunk)
  const size = Buffer.alloc(2)
  size.writeUInt16BE(Math.min(text.length, 0xffff))
  return Buffer.concat([
    Buffer.from([0x81, 0xa3]),
    Buffer.from('ack'),
    Buffer.from([0xda]),
    size,
    text.subarray(0, 0xffff),
  ])
}
