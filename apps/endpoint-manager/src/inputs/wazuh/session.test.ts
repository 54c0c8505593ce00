import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLogger } from '@logstack/logging'
import { expect, it, vi } from 'vitest'
import type { DescribedEvent } from '../event-run.ts'
import { Unfinished, unfinishedRoom } from '../unfinished.ts'
import { cipherKey, sealMessage } from './cipher.ts'
import { ConnectedAgents } from './connected-agents.ts'
import { frame } from './frames.ts'
import { Session, type SessionServices } from './session.ts'

const key = '0123456789abcdef'.repeat(4)
const cipher = cipherKey(key)

/** A connection of agent 001, and what it hands on; `hasRoom` is whether the queue takes anything. */
function start(hasRoom: boolean, isRead = true) {
  const socket = new Duplex({ read: () => undefined, write: (_bytes, _encoding, done) => isRead && done() })
  const handedOn: number[] = []
  let asked = 0
  const agent = { id: '001', cipher, network: undefined, entry: { name: 'web1', ip: 'any', key } }
  const services = {
    agents: {
      isCurrent: () => true,
      byId: async () => {
        asked += 1
        return agent
      },
    },
    queue: {
      room: (gone: AbortSignal) =>
        hasRoom ? Promise.resolve() : new Promise((resolve) => gone.addEventListener('abort', resolve)),
      add: async (events: readonly DescribedEvent[]) => {
        handedOn.push(events.reduce((sum, { bytes }) => sum + bytes, 0))
      },
    },
    heard: { note: () => undefined },
    logger: createLogger('endpoint-manager', 'silent'),
    timezone: () => 'UTC',
    memories: new Map(),
    connected: new ConnectedAgents(),
    proved: () => undefined,
    now: () => 0,
  } as unknown as SessionServices
  const room = unfinishedRoom(() => 65_536)
  const session = new Session(socket as unknown as Socket, '127.0.0.1', services)
  const reading = session.read(new Unfinished(room, '127.0.0.1')).catch(() => undefined)
  return { session, socket, handedOn, reading, asked: () => asked }
}

const message = (text: string): Buffer =>
  frame(Buffer.concat([Buffer.from('!001!'), sealMessage(Buffer.from(text), cipher, { global: 0, local: 0 })]))

it('hands on what came packed in one go bit by bit', async () => {
  const { socket, handedOn, reading } = start(true)
  const text = `1:/srv/app/a.log:${'a'.repeat(60_000)}`
  socket.push(Buffer.concat(Array.from({ length: 40 }, () => message(text))))
  socket.push(null)
  await reading
  expect(handedOn.reduce((sum, bytes) => sum + bytes, 0)).toBe(40 * text.length)
  expect(Math.max(...handedOn)).toBeLessThan(256 * 1024 + text.length)
})

it('takes an agent for gone that has said nothing for a minute', async () => {
  const { session, socket, handedOn, reading } = start(true)
  expect(session.isHeard).toBe(false)
  socket.push(message('1:/srv/app/a.log:a'))
  while (handedOn.length === 0) await nextTurn()
  await nextTurn()
  expect(session.isHeard).toBe(true)
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_001)
  expect(session.isHeard).toBe(false)
  clock.mockRestore()
  socket.push(null)
  await reading
})

it('reads nothing while there is no room, and keeps nothing of a connection that has gone', async () => {
  const { socket, reading, asked } = start(false)
  socket.push(message('1:/srv/app/a.log:a'))
  await nextTurn()
  expect(asked()).toBe(0)
  socket.destroy()
  await reading
  expect(asked()).toBe(0)
})

it('asks an agent that reads no answers to leave by ending its connection', async () => {
  const { session, socket, reading } = start(true, false)
  const pings = Array.from({ length: Math.floor((2 * 1024 * 1024) / 9) + 1 }, () => frame(Buffer.from('#ping')))
  socket.push(Buffer.concat([message('1:/srv/app/a.log:a'), ...pings]))
  while (socket.writableLength <= 2 * 1024 * 1024) await nextTurn()
  expect(socket.destroyed).toBe(false)
  session.askToLeave()
  expect(socket.destroyed).toBe(true)
  await reading
})
