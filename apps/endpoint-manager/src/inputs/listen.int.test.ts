import { once } from 'node:events'
import { connect } from 'node:net'
import { createLogger } from '@logstack/logging'
import { freePort } from '@logstack/testkit'
import { expect, it } from 'vitest'
import { InputLosses } from '../outputs/input-losses.ts'
import { listenTcp } from './listen.ts'

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
