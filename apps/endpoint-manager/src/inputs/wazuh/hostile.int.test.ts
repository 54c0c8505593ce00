import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { wazuhAgentsIndex } from '@logstack/contracts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestedPart, type TestedPart } from '../../start-part.testing.ts'
import { cipherKey, sealMessage } from './cipher.ts'
import { frame } from './frames.ts'
import { SimulatedAgent } from './simulated-agent.testing.ts'

const key = '0123456789abcdef'.repeat(4)
const startup = '#!-agent startup {"version":"v4.14.7"}'
const ping = frame(Buffer.from('#ping'))
const connectionsMax = 4

let part: TestedPart
const entries = (): Map<string, unknown> => part.search.indices.get(wazuhAgentsIndex.name) ?? new Map()
const sealed = (id: string, message: string): Buffer =>
  frame(
    Buffer.concat([Buffer.from(`!${id}!`), sealMessage(Buffer.from(message), cipherKey(key), { global: 0, local: 0 })]),
  )

async function arrived(id: string): Promise<SimulatedAgent> {
  const agent = await SimulatedAgent.connect(part.ports.https, { id, key })
  agent.send(startup)
  await part.until(() => agent.received.length === 1)
  return agent
}

/** A connection of which nothing is read. */
async function unread(): Promise<Socket> {
  const socket = connect(part.ports.https, '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

beforeAll(async () => {
  part = await startTestedPart({
    env: { LOGSTACK_ENDPOINT_MANAGER_WAZUH_CONNECTIONS_MAX: String(connectionsMax) },
  })
  const known = (name: string) => ({ name, ip: 'any', key, added: '2026-01-01T00:00:00Z', added_by: 'import' })
  part.search.indices.set(
    wazuhAgentsIndex.name,
    new Map<string, unknown>(['001', '002', '003', '004', '005'].map((id) => [id, known(`web${id}`)])),
  )
})
afterAll(() => part.stop())

describe('the port of Wazuh agents', () => {
  it('lets agents in though others hold all connections without saying who they are', async () => {
    const strangers = await Promise.all(Array.from({ length: connectionsMax }, unread))
    for (const stranger of strangers) stranger.resume().write(sealed('001', startup).subarray(0, 20))
    const silent = await arrived('001')
    const agents = [silent, await arrived('002'), await arrived('003'), await arrived('004')]
    await part.until(() => strangers.every(({ closed }) => closed))
    const late = await SimulatedAgent.connect(part.ports.https, { id: '005', key })
    late.send(startup)
    await part.until(() => late.isClosed)
    expect(late.received).toEqual([])
    expect(agents.map(({ isClosed }) => isClosed)).toEqual([false, false, false, false])
    for (const agent of agents) agent.close()
  })

  it('ends connections that ask and read no answers', async () => {
    const socket = await unread()
    socket.write(sealed('001', startup))
    await once(socket, 'data')
    socket.pause()
    const pings = Buffer.concat(Array.from({ length: 8_000 }, () => ping))
    for (let sent = 0; sent < 500 && !socket.destroyed; sent += 1)
      if (!socket.write(pings)) await once(socket, 'drain').catch(() => undefined)
    await part.until(() => socket.closed)
  })

  it('ends connections that send as another agent, too', async () => {
    const agent = await arrived('001')
    agent.sendBytes(sealed('002', startup))
    await part.until(() => agent.isClosed)
    expect(agent.received).toHaveLength(1)
  })

  it('ends connections of agents that may not send any more, though they send pings alone', async () => {
    const agents = [await arrived('002'), await arrived('003')]
    entries().delete('002')
    entries().set('003', { ...(entries().get('003') as object), ip: '192.0.2.1' })
    const pinging = setInterval(() => {
      for (const agent of agents) agent.sendBytes(ping)
    }, 100)
    await part.until(() => agents.every(({ isClosed }) => isClosed))
    clearInterval(pinging)
  })
})
