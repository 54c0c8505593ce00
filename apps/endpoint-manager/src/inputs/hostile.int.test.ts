import { createSocket } from 'node:dgram'
import { request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestedPart, type TestedPart } from '../start-part.testing.ts'

// Messages as senders make them, broken at random: `LOGSTACK_HOSTILE_ROUNDS=20000` for a long run, `LOGSTACK_HOSTILE_SEED` for others.
const rounds = Number(process.env['LOGSTACK_HOSTILE_ROUNDS'] ?? 100)
const seed = Number(process.env['LOGSTACK_HOSTILE_SEED'] ?? 1)
const limitMs = 180_000 + rounds * 200
const goodLines = 300
const atOnce = 10

let part: TestedPart
let ca: string

beforeAll(async () => {
  ;({ ca } = await testCertificates())
  part = await startTestedPart()
})
afterAll(() => part?.stop())

/** Numbers below `end`, the same for the same seed (mulberry32). */
function randomBelow(start: number): (end: number) => number {
  let state = start
  return (end) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
}
const below = randomBelow(seed)

type Break = (bytes: Buffer) => Buffer
const breaks: readonly Break[] = [
  (bytes) => bytes.subarray(0, below(bytes.length + 1)),
  (bytes) => Buffer.concat([bytes.subarray(0, below(bytes.length + 1)), bytes]),
  (bytes) => Buffer.from(bytes.map((byte) => (below(20) === 0 ? below(256) : byte))),
  (bytes) => Buffer.from(bytes.map((byte) => (below(200) === 0 ? byte ^ (1 << below(8)) : byte))),
  (bytes) => Buffer.concat([Buffer.from(`${below(1_000_000_000)} `), bytes]),
  (bytes) => Buffer.concat(Array.from({ length: 1 + below(50) }, () => bytes)),
  () => Buffer.from(Array.from({ length: below(2_000) }, () => below(256))),
]

function broken(messages: readonly Buffer[]): Buffer {
  let bytes = messages[below(messages.length)] ?? Buffer.alloc(0)
  for (let times = 1 + below(3); times > 0; times -= 1) bytes = breaks[below(breaks.length)]?.(bytes) ?? bytes
  return bytes
}

const syslog = [
  '<34>1 2026-11-21T10:00:00.003Z host app 7 ID47 [a@1 b="c\\"d"][e@2] text',
  '<38>Nov 21 10:00:00 gate sshd[1]: Failed password for root from 192.0.2.1 port 4 ssh2',
  '58 <13>1 2026-11-21T10:00:00Z h a - - - counted, and no more of it',
].map((text) => Buffer.from(`${text}\n`))
const gelf = [
  Buffer.from('{"version":"1.1","host":"h","short_message":"s","_n":1,"level":3}\0'),
  Buffer.concat([Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 0, 2]), Buffer.from('{"version":"1.1"')]),
  gzipSync('{"version":"1.1","host":"h","short_message":"zipped"}'),
]
const fluent = [
  Buffer.from([
    0x93, 0xa3, 0x61, 0x2e, 0x62, 0xce, 0x6b, 2, 0x60, 0xac, 0x81, 0xa3, 0x6c, 0x6f, 0x67, 0xa2, 0x68, 0x69,
  ]),
  Buffer.from([0x92, 0xa1, 0x74, 0x91, 0x92, 0xce, 0x6b, 2, 0x60, 0xac, 0x81, 0xa1, 0x61, 0xc4, 3, 1, 2, 3]),
]
const bodies = [
  Buffer.from('{"message":"hello","host":{"name":"web1"},"deep":[[[{"a":[1,2,{"b":null}]}]]]}'),
  Buffer.from('{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","body":{"stringValue":"x"}}]}]}]}'),
  Buffer.from('0a1b0a0f0a0d0a0368737412060a04776562311208120612042a027878', 'hex'),
]

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    socket.resume()
  })

function sendTcp(port: number, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.end(bytes)
  return closed(socket)
}

function sendTls(port: number, bytes: Buffer): Promise<void> {
  const socket = connectTls({ port, host: '127.0.0.1', ca })
  socket.end(bytes)
  return closed(socket)
}

function sendUdp(port: number, bytes: Buffer): Promise<void> {
  const socket = createSocket('udp4')
  return new Promise((resolve) => socket.send(bytes, port, '127.0.0.1', () => socket.close(() => resolve())))
}

/** The status of an answer; 0 where the connection was cut instead. */
function post(path: string, type: string, packing: string, bytes: Buffer): Promise<number> {
  const authorization = `Basic ${Buffer.from('sender:secret').toString('base64')}`
  const headers = { authorization, 'content-type': type, 'content-encoding': packing }
  return new Promise((resolve) => {
    const url = `https://127.0.0.1:${part.ports.https}${path}`
    const outgoing = request(url, { method: 'POST', ca, headers, agent: false }, (incoming) => {
      incoming.resume()
      incoming.on('error', () => resolve(0))
      incoming.on('end', () => resolve(incoming.statusCode ?? 0))
    })
    outgoing.on('error', () => resolve(0))
    outgoing.end(bytes)
  })
}

async function many(send: () => Promise<unknown>): Promise<void> {
  for (let sent = 0; sent < rounds; sent += atOnce) await Promise.all(Array.from({ length: atOnce }, send))
}

/** A sender that does nothing wrong, on one connection, a line at a time. */
async function sendGood(): Promise<void> {
  const socket = connect(part.ports.syslog, '127.0.0.1')
  for (let number = 0; number < goodLines; number += 1) {
    socket.write(`<13>Nov 21 10:00:00 good good: number ${number}\n`)
    await new Promise((resolve) => setImmediate(resolve))
  }
  socket.end()
  await closed(socket)
}

it(
  `takes ${goodLines} lines of a good sender, each once, while every input is sent broken messages (seed ${seed})`,
  async () => {
    const statuses: number[] = []
    const postAnything = async (): Promise<void> => {
      const isPacked = below(3) === 0
      const path = ['/v1/logs', '/api/events/hostile', '/api/agents/x/events'][below(3)] ?? ''
      const type = ['application/json', 'application/x-protobuf', 'application/x-ndjson'][below(3)] ?? ''
      const bytes = broken(bodies)
      statuses.push(
        await post(path, type, isPacked ? 'gzip' : 'identity', isPacked && below(2) === 0 ? gzipSync(bytes) : bytes),
      )
    }
    const { ports } = part
    await Promise.all([
      sendGood(),
      many(() => sendTcp(ports.syslog, broken(syslog))),
      many(() => sendUdp(ports.syslog, broken(syslog))),
      many(() => sendTls(ports.syslogTls, broken(syslog))),
      many(() => sendTcp(ports.syslogTls, broken(syslog))),
      many(() => sendUdp(ports.gelf, broken(gelf))),
      many(() => sendTcp(ports.gelf, broken(gelf))),
      many(() => sendTcp(ports.fluent, broken(fluent))),
      many(postAnything),
    ])
    // Bad input is the sender's fault, and said so.
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    expect(statuses.filter((status) => status >= 400).length).toBeGreaterThan(0)
    const numbers = (): number[] =>
      part.documents('logs-syslog-default').flatMap(({ message, host }) => {
        const number = (host as { name?: unknown }).name === 'good' && /^number (\d+)$/.exec(String(message))?.[1]
        return number ? [Number(number)] : []
      })
    await part.until(() => numbers().length >= goodLines)
    expect(numbers()).toEqual(Array.from({ length: goodLines }, (_, number) => number))
  },
  limitMs,
)
