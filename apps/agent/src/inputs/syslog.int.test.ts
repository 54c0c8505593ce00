import { createSocket } from 'node:dgram'
import { connect, createServer } from 'node:net'
import { freePort } from '@logstack/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { InputTrial } from '../run-input.testing.ts'
import { syslogInput } from './syslog.ts'

let trial: InputTrial
let port: number

beforeEach(async () => {
  trial = new InputTrial()
  port = await freePort()
  return () => trial.end()
})

async function listen(keys: Record<string, unknown> = {}): Promise<void> {
  trial.start(syslogInput, 'syslog', { listen: `127.0.0.1:${port}`, ...keys })
  await trial.until('a status', () => trial.status !== undefined)
}

/** Sends over one connection and waits until the other side has closed it too. */
function sendTcp(...pieces: readonly (string | Buffer)[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
    for (const piece of pieces) socket.write(piece)
    socket.end()
    socket.resume()
  })
}

async function sendUdp(...messages: readonly string[]): Promise<void> {
  const socket = createSocket('udp4')
  for (const message of messages)
    await new Promise<void>((resolve, reject) => {
      socket.send(message, port, '127.0.0.1', (thrown) => (thrown ? reject(thrown) : resolve()))
    })
  socket.close()
}

const messages = (): unknown[] => trial.events().map(({ message }) => message)

describe('the syslog listener of an agent', () => {
  it('takes datagrams, lines and counted frames, with their sender', async () => {
    await listen()
    expect(trial).toMatchObject({ status: 'HEALTHY', message: expect.stringContaining('udp and tcp') })
    const counted = '<13>1 2026-11-23T10:00:00Z fw app - - - two\nlines'
    await sendTcp(`<13>one\n${Buffer.byteLength(counted)} ${counted}<13>cut of`, 'f')
    await sendUdp('<13>by datagram\n', '\n', '<13>Grüße')
    await trial.until('five messages', () => trial.count() === 5)
    expect(messages()).toEqual(['<13>one', counted, '<13>cut off', '<13>by datagram', '<13>Grüße'])
    for (const event of trial.events()) expect(event).toMatchObject({ log: { source: { address: '127.0.0.1' } } })
  })

  it('lets senders over TCP wait while the spool takes nothing, and loses nothing', async () => {
    await listen({ protocols: ['tcp'] })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    trial.beforeAppend = () => held
    const lines = Array.from({ length: 5_000 }, (_, index) => `<13>line ${index} ${'x'.repeat(1_000)}`)
    const sent = sendTcp(...lines.map((line) => `${line}\n`))
    expect(trial.count()).toBe(0)
    release()
    await sent
    await trial.until('all lines', () => trial.count() === lines.length)
    expect(messages()).toEqual(lines)
  })

  it('ends the connection of a sender whose message has no end, and goes on with others', async () => {
    await listen({ message_bytes_max: 100 })
    await sendTcp(Buffer.alloc(100_000, 'x'))
    await trial.until('a complaint', () => trial.status === 'DEGRADED')
    expect(trial.message).toMatch(/127\.0\.0\.1 was ended: a message is longer/)
    await sendTcp('<13>hello\n')
    await trial.until('the next message', () => messages().includes('<13>hello'))
    expect(trial.count()).toBeLessThan(100)
  })

  it.each([
    ['without a port', { listen: '127.0.0.1' }, /HOST:PORT/],
    ['with a port that is none', { listen: '[::1]:70000' }, /HOST:PORT/],
    ['with an unknown protocol', { protocols: ['tls'] }, /not tls/],
  ])('says that it cannot listen %s', async (_, keys, reason) => {
    await listen(keys)
    expect(trial.status).toBe('FAILED')
    expect(trial.message).toMatch(reason)
  })

  it('says who else has its port', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    await listen()
    expect(trial).toMatchObject({ status: 'FAILED', message: expect.stringContaining('EADDRINUSE') })
    await new Promise((resolve) => other.close(resolve))
  })
})
