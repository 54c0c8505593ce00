import type { Socket } from 'node:net'
import type { BodyRoom } from './body-room.ts'
import { EventQueue } from './event-queue.ts'
import { describedSource } from './event-run.ts'
import { forwardMessage } from './fluent/forward-message.ts'
import { GrowingBuffer } from './fluent/growing-buffer.ts'
import { MessagePackReader } from './fluent/msgpack.ts'
import { MessagePackScanner } from './fluent/msgpack-scanner.ts'
import type { Input } from './input.ts'
import { addressIn, listenTcp } from './listen.ts'
import { Unfinished, unfinishedRoom } from './unfinished.ts'

/** Fluentd's and Fluent Bit's forward protocol 1.5 over TCP on `LOGSTACK_FLUENT_LISTEN`, without its handshake (`shared_key`); chunks are acknowledged once they are queued. */
export const fluentInput: Input = {
  name: 'fluent',
  async start(services) {
    const address = addressIn(services, 'LOGSTACK_FLUENT_LISTEN')
    if (!address) return undefined
    const { logger, settings } = services
    const queue = new EventQueue(services, 'fluent')
    const connectionsMax = settings.get('syslog.connections_max')
    const shared: Shared = {
      queue,
      room: unfinishedRoom(() => settings.get('fluent.message_bytes_max')),
      get bytesMax() {
        return settings.get('fluent.message_bytes_max')
      },
      turn: Promise.resolve(),
    }
    const tcp = await listenTcp('Fluent forward', address, { ...services, connectionsMax }, (socket, sender) =>
      readMessages(socket, sender, shared),
    )
    logger.info(address, 'Fluent forward over TCP')
    return {
      async stop() {
        await queue.stop(tcp.close())
      },
    }
  },
}

/** What the connections of the input share. */
interface Shared {
  readonly queue: EventQueue
  readonly room: BodyRoom
  readonly bytesMax: number
  /** One message at a time is unpacked and read, and waits for the queue: a thousand that wait would fill the memory, packed ones do not. */
  turn: Promise<unknown>
}

async function readMessages(socket: Socket, sender: string, shared: Shared): Promise<void> {
  const unfinished = new Unfinished(shared.room, sender)
  try {
    await readAll(socket, sender, shared, unfinished)
  } finally {
    unfinished.keep(0)
  }
}

async function readAll(socket: Socket, sender: string, shared: Shared, unfinished: Unfinished): Promise<void> {
  const { bytesMax, queue } = shared
  const pending = new GrowingBuffer()
  let scanner = new MessagePackScanner()
  for await (const bytes of socket) {
    pending.add(bytes as Buffer)
    unfinished.keep(pending.length)
    for (let end = scanner.end(pending.bytes); end !== undefined; end = scanner.end(pending.bytes)) {
      if (end > bytesMax) throw tooLong(bytesMax)
      const length = end
      await inTurn(shared, () =>
        take(new MessagePackReader(pending.bytes).read(), { socket, sender, queue, bytes: length }),
      )
      pending.drop(length)
      unfinished.keep(pending.length)
      scanner = new MessagePackScanner()
    }
    if (scanner.atLeast > bytesMax) throw tooLong(bytesMax)
  }
}

/** Runs after all that came before; a failure is the sender's own. */
function inTurn(shared: Shared, work: () => Promise<void>): Promise<void> {
  const done = shared.turn.then(work)
  shared.turn = done.catch(() => undefined)
  return done
}

const tooLong = (bytesMax: number): Error => new Error(`a message is longer than ${bytesMax} bytes`)

async function take(
  value: unknown,
  {
    socket,
    sender,
    queue,
    bytes,
  }: { readonly socket: Socket; readonly sender: string; readonly queue: EventQueue; readonly bytes: number },
): Promise<void> {
  const { events, chunk } = forwardMessage(value, sender)
  const each = Math.ceil(bytes / Math.max(1, events.length))
  const waiting = events.map((event) => ({ event, bytes: each }))
  await queue.add(waiting, describedSource)
  if (chunk !== undefined) socket.write(acknowledgement(chunk))
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
