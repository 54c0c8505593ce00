import { connect } from 'node:tls'

/** What came back for a request whose body comes byte by byte, empty when the connection was reset before it was read, and how many bytes of the body were sent. */
export interface SlowAnswer {
  readonly text: string
  readonly sent: number
}

/** Sends a request to 127.0.0.1 whose head is whole and whose body never is; resolves when the server closes the connection. `everyMs`: the pause between two bytes. */
export function sendSlowly(request: {
  readonly port: number
  readonly ca: string
  readonly head: string
  readonly everyMs: number
}): Promise<SlowAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    let sent = 0
    let sending: NodeJS.Timeout | undefined
    const socket = connect({ host: '127.0.0.1', port: request.port, ca: request.ca }, () => {
      socket.write(`${request.head}\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n`)
      sending = setInterval(() => {
        if (!socket.writable || text !== '') return
        socket.write(' ')
        sent += 1
      }, request.everyMs)
    })
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    // Who writes while the other side closes is reset, and the system may drop an answer that was not read yet.
    socket.on('error', (thrown) => (sent === 0 ? reject(thrown) : undefined))
    socket.on('close', () => {
      clearInterval(sending)
      resolve({ text, sent })
    })
  })
}
