import { createSocket } from 'node:dgram'

/** What became of a question for a name: an address, no such name, nobody listens, or nothing within the time. */
export type NameAnswer = 'known' | 'unknown' | 'refused' | 'silent'

const port = 53
/** RFC 1035, 4.1: a header of 12 bytes; recursion desired, one question for an address (A) of the Internet. */
const headerBytes = 12
const recursionDesired = 0x0100
const typeAddress = 1
const classInternet = 1

/**
 * Asks a name server for a host's IPv4 address over UDP. Unlike the resolver of Node it reads what has arrived before it calls a server
 * silent: in a program that was too busy to look, the answer lies there already. Never throws for what the server does.
 */
export function askName(
  server: string,
  name: string,
  options: { readonly timeoutMs: number; readonly port?: number },
): Promise<NameAnswer> {
  const question = questionFor(name)
  const socket = createSocket(server.includes(':') ? 'udp6' : 'udp4')
  return new Promise((resolve) => {
    let isOver = false
    const end = (answer: NameAnswer): void => {
      clearTimeout(timer)
      if (isOver) return
      isOver = true
      socket.close()
      resolve(answer)
    }
    // One turn of the event loop reads what has arrived, the next delivers it.
    const timer = setTimeout(() => setImmediate(() => setImmediate(() => end('silent'))), options.timeoutMs)
    socket.on('message', (message) => end(answerIn(message)))
    socket.on('error', () => end('refused'))
    socket.connect(options.port ?? port, server, (error?: Error) => {
      if (error) end('refused')
      else socket.send(question)
    })
  })
}

function questionFor(name: string): Buffer {
  const head = Buffer.alloc(headerBytes)
  head.writeUInt16BE(Math.floor(Math.random() * 0x10000), 0)
  head.writeUInt16BE(recursionDesired, 2)
  head.writeUInt16BE(1, 4)
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')]))
  const tail = Buffer.from([0, 0, typeAddress, 0, classInternet])
  return Buffer.concat([head, ...labels, tail])
}

// The lower four bits of the flags are the code (0 is no error), the count of answers follows that of questions.
function answerIn(message: Buffer): NameAnswer {
  if (message.length < headerBytes) return 'unknown'
  const code = message.readUInt16BE(2) & 0x000f
  return code === 0 && message.readUInt16BE(6) > 0 ? 'known' : 'unknown'
}
