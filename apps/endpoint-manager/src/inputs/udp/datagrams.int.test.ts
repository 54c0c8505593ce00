import { spawnSync } from 'node:child_process'
import { createLogger } from '@logstack/logging'
import { freePort } from '@logstack/testkit'
import { expect, it } from 'vitest'
import { type Datagram, Datagrams } from './datagrams.ts'

const count = 4_000
const logger = createLogger('test', 'silent')

// Sends some, then waits until nobody has left any in the kernel's buffer, which is much smaller than all of them.
const sender = `
const { createSocket } = require('node:dgram')
const { readFileSync } = require('node:fs')
const [port, count] = process.argv.slice(1).map(Number)
const ending = ':' + port.toString(16).toUpperCase().padStart(4, '0')
const row = () => readFileSync('/proc/net/udp', 'utf8').split('\\n').map((line) => line.trim().split(/\\s+/)).find((columns) => columns[1]?.endsWith(ending))
const waiting = () => Number('0x' + row()[4].split(':')[1])
const socket = createSocket('udp4')
const send = (n) => new Promise((resolve, reject) => socket.send('message ' + n + ' ' + 'x'.repeat(900), port, '127.0.0.1', (thrown) => thrown ? reject(thrown) : resolve()))
const run = async () => {
  for (let n = 0; n < count; n += 1) {
    await send(n)
    if (n % 20 === 19) for (const end = Date.now() + 10_000; waiting() > 0; ) {
      if (Date.now() > end) process.exit(3)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  }
  socket.close()
}
run()
`

it('are fetched while the process does something else, and come in their order', async () => {
  const port = await freePort()
  const got: Datagram[] = []
  const lost: unknown[] = []
  const datagrams = await Datagrams.listen({ host: '127.0.0.1', port }, logger, {
    take: (some) => got.push(...some),
    lost: (...what) => lost.push(what),
  })
  // Nothing of this thread runs until the sender has ended.
  const { status, stderr } = spawnSync(process.execPath, ['-e', sender, String(port), String(count)])
  expect([status, String(stderr)]).toEqual([0, ''])
  await datagrams.close()
  expect(lost).toEqual([])
  expect(got.map(({ bytes }) => Number(bytes.toString().split(' ')[1]))).toEqual(
    Array.from({ length: count }, (_, n) => n),
  )
  expect(new Set(got.map(({ sender: address }) => address))).toEqual(new Set(['127.0.0.1']))
})

it('cannot be had on a port that is taken', async () => {
  const port = await freePort()
  const receiver = { take: () => undefined, lost: () => undefined }
  const first = await Datagrams.listen({ host: '127.0.0.1', port }, logger, receiver)
  await expect(Datagrams.listen({ host: '127.0.0.1', port }, logger, receiver)).rejects.toThrow('EADDRINUSE')
  await first.close()
})
