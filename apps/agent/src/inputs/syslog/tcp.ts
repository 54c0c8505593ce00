import { createServer, type Socket } from 'node:net'
import { messageOf } from '@logstack/errors'
import { createFramer, framePiecesMax } from '@logstack/syslog'
import { plainAddress, type SyslogListening } from './listening.ts'

// A sender that went away, and our own end of the connection when the input ends.
const everyday = new Set(['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE'])

/** Takes lines and counted frames (RFC 6587) of many connections; resolves with what closes it once it listens. */
export async function listenTcp(listening: SyslogListening): Promise<() => Promise<void>> {
  const { host, port, connectionsMax, complain, broken } = listening
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    const sender = plainAddress(socket.remoteAddress)
    read(socket, sender, listening).catch((thrown: unknown) => {
      socket.destroy()
      complain(`a connection of ${sender} was ended: ${messageOf(thrown)}`)
    })
  })
  server.maxConnections = connectionsMax
  server.on('drop', (data) =>
    complain(`a connection of ${data?.remoteAddress} was refused: there are ${connectionsMax}`),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  server.on('error', broken)
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of open) socket.destroy()
    })
}

/** Reads as fast as the spool takes it: an unread socket is what makes the sender wait. */
async function read(socket: Socket, sender: string, { take, messageBytesMax }: SyslogListening): Promise<void> {
  const framer = createFramer({ frameBytesMax: messageBytesMax })
  const add = async (frames: readonly string[]): Promise<void> => {
    if (frames.length > 0) await take(frames, sender)
  }
  try {
    for await (const bytes of socket) {
      await add(framer.push(bytes as Buffer))
      if (framer.isOverlong)
        throw new Error(`a message is longer than ${framePiecesMax} times ${messageBytesMax} bytes`)
    }
  } catch (thrown) {
    if (!everyday.has((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown
  } finally {
    // What came before a break still counts.
    await add(framer.end())
  }
}
