import type { Socket } from 'node:net'
import { messageOf } from '@logstack/errors'
import { EventQueue } from './event-queue.ts'
import { type DescribedEvent, describedSource } from './event-run.ts'
import { GelfChunks } from './gelf/gelf-chunks.ts'
import { gelfEvent, unpackGelf } from './gelf/gelf-event.ts'
import type { Input, InputServices } from './input.ts'
import { addressIn, listenTcp, listenUdp } from './listen.ts'
import type { Datagram } from './udp/datagrams.ts'
import { Unfinished, unfinishedRoom } from './unfinished.ts'

const reportEveryMs = 10_000

/** GELF 1.1 (Graylog's extended log format) on `LOGSTACK_GELF_LISTEN`: over UDP, in chunks or whole, plain, gzip or zlib; over TCP, one JSON text up to each zero byte. */
export const gelfInput: Input = {
  name: 'gelf',
  async start(services) {
    const address = addressIn(services, 'LOGSTACK_GELF_LISTEN')
    if (!address) return undefined
    const { logger, settings } = services
    const queue = new EventQueue(services, 'gelf')
    const chunks = new GelfChunks(() => performance.now())
    const refused = refusals(services)
    const read = ({ bytes, sender }: Datagram): DescribedEvent[] => {
      try {
        const whole = chunks.add(bytes)
        if (!whole) return []
        const text = unpackGelf(whole)
        return [{ event: gelfEvent(text, sender), bytes: text.length }]
      } catch (thrown) {
        refused(thrown, sender)
        return []
      }
    }
    const udp = await listenUdp('GELF', address, services, (datagrams) =>
      queue.offer(datagrams.flatMap(read), describedSource),
    )
    const connectionsMax = settings.get('syslog.connections_max')
    const room = unfinishedRoom(() => settings.get('gelf.message_bytes_max'))
    const tcp = await listenTcp('GELF', address, { ...services, connectionsMax }, (socket, sender) =>
      readTexts(socket, settings.get('gelf.message_bytes_max'), new Unfinished(room, sender), async (text) => {
        await queue.add([{ event: gelfEvent(text, sender), bytes: text.length }], describedSource)
      }),
    ).catch(async (thrown: unknown) => {
      await udp.close()
      throw thrown
    })
    logger.info(address, 'GELF over UDP and TCP')
    return {
      async stop() {
        await queue.stop(Promise.all([tcp.close(), udp.close()]))
      },
    }
  },
}

/** Logs refused datagrams, all of ten seconds in one line: anybody can send as many as they like. */
function refusals({ logger }: InputServices): (thrown: unknown, sender: string) => void {
  let count = 0
  let next = 0
  return (thrown, sender) => {
    count += 1
    if (performance.now() < next) return
    next = performance.now() + reportEveryMs
    logger.warn({ sender, refused: count }, `GELF datagram refused: ${messageOf(thrown)}`)
  }
}

/** Hands over each text up to a zero byte (or a line feed, as some senders end them); a longer one than the limit ends the connection. */
async function readTexts(
  socket: Socket,
  bytesMax: number,
  unfinished: Unfinished,
  take: (text: string) => Promise<void>,
): Promise<void> {
  try {
    await readAll(socket, bytesMax, unfinished, take)
  } finally {
    unfinished.keep(0)
  }
}

async function readAll(
  socket: Socket,
  bytesMax: number,
  unfinished: Unfinished,
  take: (text: string) => Promise<void>,
): Promise<void> {
  let pending: Buffer[] = []
  let length = 0
  for await (const chunk of socket) {
    let rest = chunk as Buffer
    for (let end = endOf(rest); end >= 0; end = endOf(rest)) {
      const text = Buffer.concat([...pending, rest.subarray(0, end)]).toString('utf8')
      pending = []
      length = 0
      rest = rest.subarray(end + 1)
      // What is held is held until the text is taken.
      if (text.trim() !== '') await take(text)
      unfinished.keep(0)
    }
    if (rest.length === 0) continue
    pending.push(rest)
    length += rest.length
    if (length > bytesMax) throw new Error(`a message is longer than ${bytesMax} bytes`)
    unfinished.keep(length)
  }
  const text = Buffer.concat(pending).toString('utf8')
  if (text.trim() !== '') await take(text)
}

function endOf(bytes: Buffer): number {
  const zero = bytes.indexOf(0)
  const line = bytes.indexOf(0x0a)
  return zero < 0 ? line : line < 0 ? zero : Math.min(zero, line)
}
