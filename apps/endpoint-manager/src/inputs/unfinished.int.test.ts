import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestedPart, type TestedPart } from '../start-part.testing.ts'

const connections = 60

let part: TestedPart

beforeAll(async () => {
  part = await startTestedPart()
})
afterAll(() => part?.stop())

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
  })

// The beginning of a message of `length` bytes that never ends.
const begun: Readonly<Record<'gelf' | 'fluent', (length: number) => Buffer>> = {
  gelf: (length) => Buffer.alloc(length, 'x'),
  fluent: (length) => Buffer.concat([Buffer.from([0x93, 0xc6, 0x00, 0xf0, 0x00, 0x00]), Buffer.alloc(length)]),
}
const good = {
  gelf: Buffer.from('{"version":"1.1","host":"good","short_message":"hello"}\0'),
  fluent: Buffer.concat([
    Buffer.from([0x93, 0xa1, 0x74, 0xce, 0x6b, 2, 0x60, 0xac, 0x81, 0xa3]),
    Buffer.from('log\xa5hello', 'latin1'),
  ]),
}

it.each(['gelf', 'fluent'] as const)(
  'a sender who begins many large messages of %s and ends none is refused those there is no room for, others go on',
  async (input) => {
    const bytes = begun[input](1_900_000)
    let refused = 0
    const sockets = Array.from({ length: connections }, () => {
      const socket = connect(part.ports[input], '127.0.0.1')
      void closed(socket).then(() => {
        refused += 1
      })
      socket.write(bytes)
      return socket
    })
    // Of 114 MB those that are beyond the 64 MiB of one address.
    await part.until(() => refused > connections / 3)
    const sender = connect(part.ports[input], '127.0.0.1')
    sender.end(good[input])
    await closed(sender)
    await part.until(() => part.documents(`logs-${input}-default`).some(({ message }) => message === 'hello'))
    // Those there was room for are held, not refused with the others.
    expect(refused).toBeLessThan(connections)
    for (const socket of sockets) socket.destroy()
  },
)
