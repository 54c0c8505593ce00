import type { Socket } from 'node:net'
import type { Server as TlsServer } from 'node:tls'

/** The first byte of a TLS connection: a record with a handshake. */
const handshakeByte = 0x16
/** How long a connection may be silent at first: as long as Node waits for a handshake. */
const silentMsMax = 120_000
/** How long a client that was answered may go on sending, however little at a time, or leave the answer unread. */
const leavingMsMax = 2_000

/** Takes a connection of another protocol, known by its first bytes, which are still to be read from it; false for one that is none of that. */
export type TakeOther = (first: Buffer, socket: Socket) => boolean

/**
 * Answers clients that speak HTTP to a port that speaks HTTPS, whose connection would otherwise just end: with 400 and the right URL, or with a redirect to
 * it where people come with browsers (`isRedirecting`). `takeOther` is asked before. Other connections are handed on untouched.
 */
export function answerPlainHttp(server: TlsServer, isRedirecting: boolean, takeOther: TakeOther = () => false): void {
  const serve = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const leave = (): void => void socket.destroy()
    const look = (): void => {
      const first = socket.read() as Buffer | null
      if (first === null) return
      socket.off('readable', look).off('error', leave).off('end', leave).off('timeout', leave).setTimeout(0)
      socket.unshift(first)
      if (takeOther(first, socket)) return
      const answer = first[0] === handshakeByte ? undefined : answerTo(first.toString('latin1'), isRedirecting)
      if (answer === undefined) for (const each of serve) each.call(server, socket)
      else end(socket, answer)
    }
    socket.on('readable', look).on('error', leave).on('end', leave).on('timeout', leave).setTimeout(silentMsMax)
  })
}

/** Reads and discards what still comes: closing a connection with unread data would lose the answer. */
function end(socket: Socket, answer: string): void {
  const leaving = setTimeout(() => socket.destroy(), leavingMsMax)
  socket.on('error', () => socket.destroy()).on('close', () => clearTimeout(leaving))
  socket.resume().end(answer)
}

/** The answer to an HTTP request; undefined for anything else. */
function answerTo(head: string, isRedirecting: boolean): string | undefined {
  const [, method, path = '/'] = /^([A-Z]{3,7}) (\/[!-~]*) HTTP\/1\.[01]\r\n/.exec(head) ?? []
  if (method === undefined) return undefined
  const host = /\r\nhost: *([\w.:[\]-]+)\r\n/i.exec(head)?.[1]
  const url = host === undefined ? undefined : `https://${host}`
  const text = `This port speaks HTTPS, and this was HTTP${url === undefined ? '' : `: use ${url}`}\n`
  const redirected = isRedirecting && url !== undefined && (method === 'GET' || method === 'HEAD')
  const status = redirected ? `302 Found\r\nLocation: ${url}${path}` : '400 Bad Request'
  const fields = `Content-Type: text/plain\r\nContent-Length: ${text.length}\r\nConnection: close`
  return `HTTP/1.1 ${status}\r\n${fields}\r\n\r\n${method === 'HEAD' ? '' : text}`
}
