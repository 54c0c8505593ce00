import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect as connectPlain, createServer, type Socket } from 'node:net'
import { connect } from 'node:tls'
import { agentIndices, wazuhAgentsIndex } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { createApiKey } from '@logstack/passwords/api-key'
import { testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestedPart, type TestedPart } from '../../start-part.testing.ts'
import { Enrolment, type EnrolmentServices } from './enrolment.ts'
import { SimulatedAgent } from './simulated-agent.testing.ts'

const tokens = { good: createApiKey(), revoked: createApiKey(), expired: createApiKey() }
let part: TestedPart

async function ask(line: string): Promise<string> {
  const { ca } = await testCertificates()
  const socket = connect({ port: part.ports.enrolment, host: '127.0.0.1', servername: 'localhost', ca })
  let answer = ''
  socket.on('data', (bytes: Buffer) => {
    answer += bytes.toString()
  })
  socket.write(line)
  await once(socket, 'end')
  return answer
}

const enrol = (name: string, more = '', token = tokens.good.encoded): Promise<string> =>
  ask(`OSSEC PASS: ${token} OSSEC A:'${name}' V:'v4.14.7'${more}\n`)

/** The four fields of an answer with a key. */
async function enrolled(name: string, more = ''): Promise<[id: string, name: string, ip: string, key: string]> {
  const [, fields = ''] = /^OSSEC K:'(.*)'\n\n$/.exec(await enrol(name, more)) ?? []
  return fields.split(' ') as [string, string, string, string]
}

beforeAll(async () => {
  part = await startTestedPart()
  const token = (sha256: string, more: object = {}) => ({
    active: true,
    expires_at: '2999-01-01T00:00:00Z',
    key_sha256: sha256,
    ...more,
  })
  part.search.indices.set(
    agentIndices.tokens.name,
    new Map<string, unknown>([
      [tokens.good.id, token(tokens.good.sha256)],
      [tokens.revoked.id, token(tokens.revoked.sha256, { active: false })],
      [tokens.expired.id, token(tokens.expired.sha256, { expires_at: '2020-01-01T00:00:00Z' })],
    ]),
  )
})
afterAll(() => part.stop())

describe('a Wazuh agent that enrols', () => {
  it('gets an id and a key, which it can send with at once', async () => {
    const [id, name, ip, key] = await enrolled('web1', " IP:'src'")
    expect([id, name, ip]).toEqual(['001', 'web1', 'any'])
    expect(key).toMatch(/^[0-9a-f]{64}$/)
    const agent = await SimulatedAgent.connect(part.ports.https, { id, key })
    agent.send('#!-agent startup {"version":"v4.14.7"}')
    await part.until(() => agent.received.includes('#!-agent ack '))
    expect(await enrol('web1')).toBe('ERROR: Duplicate agent name: web1. Unable to add agent\n\n')
    agent.close()
  })

  it('gets an id of its own, however many come at one time', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, (_, n) => enrolled(`many${n}`)))
    expect(new Set(all.map(([id]) => id)).size).toBe(20)
    expect(part.search.indices.get(wazuhAgentsIndex.name)?.size).toBeGreaterThanOrEqual(20)
  })

  it('keeps its id when it comes again without its key, and its key when it has it', async () => {
    const [id, name, , key] = await enrolled('again')
    const hash = createHash('sha1').update(`${id}${name}${key}`).digest('hex')
    expect(await enrol('again', ` K:'${hash}'`)).toBe('ERROR: Duplicate agent name: again. Unable to add agent\n\n')
    const [second, , , other] = await enrolled('again', ` K:'${'0'.repeat(40)}'`)
    expect(second).toBe(id)
    expect(other).not.toBe(key)
  })

  it.each([
    ['a revoked token', 'x1', tokens.revoked.encoded, 'Invalid password'],
    ['an expired token', 'x1', tokens.expired.encoded, 'Invalid password'],
    ['no token', 'x1', 'secret', 'Invalid password'],
    ['a name that is none', 'a b', tokens.good.encoded, 'Invalid agent name: a b'],
  ])('is refused with %s', async (_, name, token, reason) => {
    expect(await enrol(name, '', token)).toBe(`ERROR: ${reason}. Unable to add agent\n\n`)
  })

  it('is refused without a password, and with a request that is none', async () => {
    expect(await ask("OSSEC A:'web9'\n")).toBe('ERROR: Invalid password. Unable to add agent\n\n')
    expect(await ask('GET / HTTP/1.1\r\n\r\n')).toBe('ERROR: Invalid request for new agent. Unable to add agent\n\n')
  })
})

describe('an enrolment', () => {
  it('leaves an agent that may not come from there as it is, and keeps where the others may come from', async () => {
    const imported = (name: string, ip: string) => ({
      name,
      ip,
      key,
      added: '2026-01-01T00:00:00Z',
      added_by: 'import',
    })
    const key = 'a'.repeat(64)
    const entries = part.search.indices.get(wazuhAgentsIndex.name) as Map<string, unknown>
    entries.set('501', imported('far', '192.0.2.0/24')).set('502', imported('near', '127.0.0.0/8'))
    expect(await enrol('far')).toBe('ERROR: Duplicate agent name: far. Unable to add agent\n\n')
    expect(entries.get('501')).toMatchObject({ key })
    const [id, , , other] = await enrolled('near')
    expect(id).toBe('502')
    expect(entries.get('502')).toMatchObject({ ip: '127.0.0.0/8', key: other })
  })

  it('gives no agent the id of one that was removed', async () => {
    const [first] = await enrolled('removed')
    part.search.indices.get(wazuhAgentsIndex.name)?.delete(first)
    const [second] = await enrolled('newcomer')
    expect(Number(second)).toBe(Number(first) + 1)
  })

  it('ends the connection of who was answered and stays', async () => {
    const enrolment = new Enrolment({ logger: createLogger('endpoint-manager', 'silent') } as EnrolmentServices)
    const server = createServer((socket) => void enrolment.serve(socket, '127.0.0.1')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const client = connectPlain({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    })
    const [socket] = (await once(server, 'connection')) as [Socket]
    client.on('error', () => undefined).write('no request\nand more')
    await once(client.resume(), 'end')
    await once(socket, 'close')
    client.destroy()
    server.close()
  })
})
