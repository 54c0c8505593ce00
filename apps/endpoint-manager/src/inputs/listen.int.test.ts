import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createLogger, type Logger } from '@logstack/logging'
import { freePort } from '@logstack/testkit'
import { expect, it } from 'vitest'
import { InputLosses } from '../outputs/input-losses.ts'
import { Connections, listenTcp } from './listen.ts'

it('connections beyond the limit are refused and counted, and the others go on', async () => {
  const losses = new InputLosses(() => 0)
  const address = { host: '127.0.0.1', port: await freePort() }
  const options = { logger: createLogger('endpoint-manager', 'silent'), losses, connectionsMax: 1 }
  const read: string[] = []
  const listener = await listenTcp('syslog', address, options, async (socket) => {
    for await (const bytes of socket) read.push(String(bytes))
  })
  const first = connect(address.port, address.host)
  await once(first, 'connect')
  first.write('one ')
  for (const end = Date.now() + 60_000; read.length === 0; await new Promise(setImmediate)) {
    expect(Date.now()).toBeLessThan(end)
  }
  for (let n = 0; n < 3; n += 1) {
    const refused = connect(address.port, address.host).on('error', () => undefined)
    await once(refused, 'close')
  }
  expect(losses.take().map(({ document }) => document['logstack'])).toEqual([
    { input: { name: 'syslog', place: 'connections', lost: 3 } },
  ])
  first.end('two')
  await once(first, 'close')
  await listener.close()
  expect(read.join('')).toBe('one two')
})

it('connections that have ended count until what they sent is taken', async () => {
  const losses = new InputLosses(() => 0)
  const address = { host: '127.0.0.1', port: await freePort() }
  const options = { logger: createLogger('endpoint-manager', 'silent'), losses, connectionsMax: 2 }
  let take = (): void => undefined
  const taken = new Promise<void>((resolve) => {
    take = resolve
  })
  let begun = 0
  const listener = await listenTcp('syslog', address, options, async (socket) => {
    begun += 1
    socket.resume()
    await taken
  })
  const come = async (): Promise<void> => {
    const sender = connect(address.port, address.host).on('error', () => undefined)
    sender.resume().end('a line')
    await once(sender, 'close')
  }
  for (let n = 0; n < 5; n += 1) await come()
  expect(begun).toBe(2)
  expect(losses.take().map(({ document }) => document['logstack'])).toEqual([
    { input: { name: 'syslog', place: 'connections', lost: 3 } },
  ])
  take()
  await taken
  await come()
  expect(begun).toBe(3)
  await listener.close()
})

it('tells once why a connection was ended whose reader gave up', async () => {
  const told: unknown[] = []
  const logger = { info: (...words: unknown[]) => void told.push(words[1]) } as unknown as Logger
  const connections = new Connections('Wazuh', logger, async (socket) => {
    for await (const bytes of socket) throw new Error(`${String(bytes)} is no message`)
  })
  const server = createServer((socket) => connections.serve(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sender = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined)
  sender.write('this')
  await once(sender, 'close')
  await connections.end()
  server.close()
  expect(told).toEqual(['Wazuh sender: this is no message'])
})
