import { request } from 'node:https'
import { wazuhAgentsIndex } from '@logstack/contracts'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestedPart, type TestedPart } from '../../start-part.testing.ts'
import { frame } from './frames.ts'
import { SimulatedAgent } from './simulated-agent.testing.ts'

const key = '0123456789abcdef'.repeat(4)
const keepAlive =
  '#!-Linux |web1 |6.1.0-18-amd64 |#1 SMP |x86_64 [Debian GNU/Linux|debian: 12 (bookworm)] - Wazuh v4.14.7 / 1234\nx merged.mg\n'

let part: TestedPart
const entries = (): Map<string, unknown> => part.search.indices.get(wazuhAgentsIndex.name) ?? new Map()
const entry = (id: string) => entries().get(id) as Record<string, unknown> | undefined
const messages = (stream = 'logs-file.log-default'): unknown[] => part.documents(stream).map(({ message }) => message)

beforeAll(async () => {
  part = await startTestedPart()
  const known = (name: string, ip = 'any') => ({ name, ip, key, added: '2026-01-01T00:00:00Z', added_by: 'import' })
  part.search.indices.set(
    wazuhAgentsIndex.name,
    new Map<string, unknown>([
      ['001', known('web1')],
      ['002', known('web2', '127.0.0.1')],
      ['003', known('far', '192.0.2.0/24')],
      ['004', known('near', '127.0.0.0/8')],
    ]),
  )
})
afterAll(() => part.stop())

describe('a Wazuh agent', () => {
  it('is acknowledged on the port of the HTTPS, which goes on to speak that', async () => {
    const agent = await SimulatedAgent.connect(part.ports.https, { id: '001', key })
    agent.send('#!-agent startup {"version":"v4.14.7"}')
    await part.until(() => agent.received.length === 1)
    agent.send(keepAlive)
    await part.until(() => agent.received.length === 2)
    expect(agent.received).toEqual(['#!-agent ack ', '#!-agent ack '])
    await part.until(() => entry('001')?.['connected'] === true && entry('001')?.['os'] !== undefined)
    expect(entry('001')).toMatchObject({
      version: '4.14.7',
      os: 'Debian GNU/Linux 12 (bookworm)',
      address: '127.0.0.1',
      key,
    })
    expect(await status()).toBe(200)
    agent.send('#!-agent shutdown ')
    agent.close()
    await part.until(() => entry('001')?.['connected'] === false)
  })

  it('has every event stored, however many come in one go, and waits while there is no room', async () => {
    const agent = await SimulatedAgent.connect(part.ports.https, { id: '001', key })
    const sent = Array.from({ length: 12_000 }, (_, n) => `line ${n}`)
    agent.send(...sent.map((line) => `1:/srv/app/many.log:${line}`))
    await part.until(() => messages().length >= sent.length)
    expect(new Set(messages())).toEqual(new Set(sent))
    agent.close()
  })

  it('is known by its address where it has one of its own', async () => {
    const agent = await SimulatedAgent.connect(part.ports.https, { key })
    agent.send('#!-agent startup {"version":"v4.14.7"}')
    await part.until(() => agent.received.length === 1 && entry('002')?.['connected'] === true)
    agent.close()
  })
})

describe('a connection that speaks as a Wazuh agent', () => {
  it.each([
    ['another key', { id: '001', key: 'another key' }],
    ['an id that nobody has', { id: '777', key }],
    ['an address that is not its own', { id: '003', key }],
  ])('is cut off with %s', async (_, agent) => {
    const stranger = await SimulatedAgent.connect(part.ports.https, agent)
    stranger.send('1:/srv/app/stranger.log:from a stranger')
    await part.until(() => stranger.isClosed)
    expect(messages()).not.toContain('from a stranger')
  })

  it('may come from anywhere in its network', async () => {
    const agent = await SimulatedAgent.connect(part.ports.https, { id: '004', key })
    agent.send('#!-agent startup {"version":"v4.14.7"}')
    await part.until(() => agent.received.length === 1)
    agent.close()
  })

  it('answers pings of whoever asks, and takes nothing that is no frame of an agent', async () => {
    const stranger = await SimulatedAgent.connect(part.ports.https, { key })
    stranger.sendBytes(frame(Buffer.from('#ping')))
    await part.until(() => stranger.received.length === 1)
    expect(stranger.received).toEqual(['#pong'])
    stranger.sendBytes(frame(Buffer.from('!00x!garbage')))
    await part.until(() => stranger.isClosed)
    const long = await SimulatedAgent.connect(part.ports.https, { key })
    long.sendBytes(Buffer.from('ffffff7f21', 'hex'))
    await part.until(() => long.isClosed)
  })

  it('is asked for its packages when it tells of them first, and has them in the inventory', async () => {
    const agent = await SimulatedAgent.connect(part.ports.https, { id: '001', key })
    const question = { begin: 'a', end: 'a', id: 7, checksum: 'unknown' }
    const ask = (type: string, data: object): string =>
      `5:syscollector:${JSON.stringify({ component: 'syscollector_packages', data, type })}`
    agent.send(ask('integrity_check_global', question))
    await part.until(() => agent.received.length === 1)
    expect(agent.received).toEqual(['#!-syscollector_packages dbsync no_data {"begin":"a","end":"a","id":7}'])
    const attributes = { name: 'bash', version: '5.2.15-2+b7', architecture: 'amd64', format: 'deb', checksum: 'one' }
    agent.send(ask('state', { index: 'a', timestamp: '', attributes }))
    const inventory = () => part.documents('endpoint-inventory') as { package?: { name?: string }; agent: object }[]
    await part.until(() => inventory().some((each) => each.package?.name === 'bash'))
    expect(inventory().at(-1)?.agent).toMatchObject({ id: 'wazuh-001', name: 'web1', type: 'wazuh' })
    agent.close()
    await part.until(() => (entry('001')?.['sync'] as Record<string, unknown> | undefined)?.['packages'] !== undefined)
  })
})

it('hosts that were cloned send with one key at one time, and their agent is gone with the last', async () => {
  const [first, second] = [await comes('001'), await comes('001')]
  second.send('1:/srv/app/second.log:from the second')
  first.send('1:/srv/app/first.log:from the first')
  await part.until(() => messages().includes('from the first') && messages().includes('from the second'))
  second.close()
  // That another is gone is told after all that was to be told before.
  const before = entry('004')?.['last_seen']
  const other = await comes('004')
  other.close()
  await part.until(() => entry('004')?.['last_seen'] !== before && entry('004')?.['connected'] === false)
  expect(entry('001')?.['connected']).toBe(true)
  first.close()
  await part.until(() => entry('001')?.['connected'] === false)
})

async function comes(id: string): Promise<SimulatedAgent> {
  const agent = await SimulatedAgent.connect(part.ports.https, { id, key })
  agent.send('#!-agent startup {"version":"v4.14.7"}')
  await part.until(() => agent.received.length === 1)
  return agent
}

async function status(): Promise<number | undefined> {
  const { ca } = await testCertificates()
  return new Promise((resolve, reject) => {
    request(`https://127.0.0.1:${part.ports.https}/api/status`, { ca }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
}
