import { checkinRequestSchema } from '@logstack/contracts'
import { SearchClient } from '@logstack/search-client'
import { type MemorySearch, memorySearch, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Actions } from './actions/actions.ts'
import { Agents, type StoredAgent } from './agents/agents.ts'
import { limits } from './limits.ts'
import { StateIndex } from './state-index.ts'
import { EnrolmentTokens } from './tokens/enrolment-tokens.ts'

let search: MemorySearch
let client: SearchClient
let asked: string[]

beforeAll(async () => {
  const certificates = await testCertificates()
  search = await memorySearch(certificates, ['agents:a'])
  const credentials = { username: 'agents', password: 'a' }
  client = new SearchClient({ url: search.url, ca: certificates.ca, credentials })
  const request = client.request.bind(client)
  client.request = (what) => {
    asked.push(`${what.method} ${what.path.split('?')[0]}`)
    return request(what)
  }
  const requestBytes = client.requestBytes.bind(client)
  client.requestBytes = (what) => {
    asked.push(`${what.method} ${what.path.split('?')[0]}`)
    return requestBytes(what)
  }
})

afterAll(async () => {
  client.close()
  await search.close()
})

const open = <T extends object>(name: string) => new StateIndex<T>(client, { name, version: 1, properties: {} })
const agent = {
  active: true,
  status: 'online',
  policy_id: 'default',
  enrolled_at: '2026-01-01T00:00:00Z',
} as StoredAgent

it('thousands of documents made and removed at one time take a request for many, and a list has all of them', async () => {
  const index = open<StoredAgent>('.agents-many')
  const ids = Array.from({ length: 12_000 }, (_, n) => `a${n}`)
  asked = []
  expect(new Set(await Promise.all(ids.map((id) => index.create(id, agent))))).toEqual(new Set([true]))
  expect(asked.length).toBeLessThan(20)
  expect(await index.create('a7', agent)).toBe(false)
  asked = []
  expect((await index.list(50_000)).map(({ id }) => id).sort()).toEqual([...ids].sort())
  expect(asked).toHaveLength(3)
  expect(await index.list(20)).toHaveLength(20)
  asked = []
  await Promise.all([...ids, 'unknown'].map((id) => index.remove(id)))
  expect(asked.length).toBeLessThan(20)
  expect(await index.list(50_000)).toEqual([])
})

it('hosts that enrol at one time with one token have it read once', async () => {
  const tokens = new EnrolmentTokens(open('.tokens'), () => Date.UTC(2026, 0, 1))
  const { apiKey, id } = await tokens.make({ name: '', policyId: 'default', createdBy: 'me', lifetimeMs: 1_000 })
  asked = []
  await Promise.all(Array.from({ length: 200 }, () => tokens.authenticate(`ApiKey ${apiKey}`)))
  expect(asked).toHaveLength(1)
  await tokens.revoke(id)
  await expect(tokens.authenticate(`ApiKey ${apiKey}`)).rejects.toMatchObject({ code: 'enrolment_token_invalid' })
})

it('an upgrade of thousands is forgotten after its week in a few requests', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const actions = new Actions(open('.actions'), () => clock.now)
  const order = { type: 'UPGRADE', data: {}, by: 'me', lifetimeMs: 1_000 } as const
  await Promise.all(Array.from({ length: 3_000 }, (_, n) => actions.order(`a${n}`, order)))
  asked = []
  clock.now += 1_000
  await actions.sweep()
  expect(actions.list('a2999')[0]?.action.status).toBe('expired')
  clock.now += 8 * 86_400_000
  await actions.sweep()
  expect(await open('.actions').list(10)).toEqual([])
  expect(asked.length).toBeLessThan(12)
})

it('agents that were taken off the list and never came to hear of it do not fill it for ever', async () => {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const agents = new Agents(open('.agents-gone'), () => clock.now)
  for (const id of ['gone', 'there']) await agents.add(id, { ...agent })
  await agents.unenrol('gone')
  clock.now += 1_000
  await agents.forgetUnenrolled(1_000)
  expect(agents.count).toBe(2)
  clock.now += 1
  await agents.forgetUnenrolled(1_000)
  expect(agents.list().map(({ id }) => id)).toEqual(['there'])
})

it('no more agents enrol than are kept, however many come at one time', async () => {
  const agents = new Agents(open('.agents-full'), () => 0)
  const many = Array.from({ length: limits.agentsMax + 50 }, (_, n) => agents.add(`a${n}`, { ...agent }))
  const refused = (await Promise.allSettled(many)).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(50)
  expect(refused[0]).toMatchObject({ reason: { code: 'agents_too_many' } })
})

it('an agent that tells of a thousand files is taken, and those are kept that are not well', async () => {
  const agents = new Agents(open('.agents-files'), () => 0)
  await agents.add('one', { ...agent })
  const unitOf = (n: number) => {
    const status = n === 999 ? 'FAILED' : 'HEALTHY'
    return { id: `file-${n}`, type: 'input', status, message: 'm' }
  }
  const units = Array.from({ length: 1_000 }, (_, n) => unitOf(n))
  const components = [{ id: 'file', type: 'file', status: 'FAILED', message: 'm', units }]
  agents.checkedIn('one', checkinRequestSchema.parse({ status: 'degraded', message: 'm', components }))
  const [kept] = agents.find('one').components ?? []
  expect([kept?.units?.length, kept?.units?.[0]?.id, kept?.units_total]).toEqual([256, 'file-999', 1_000])
  const told = [{ id: 'file', type: 'file', status: 'HEALTHY', message: 'm', units: [unitOf(1)], units_total: 5_000 }]
  agents.checkedIn('one', checkinRequestSchema.parse({ status: 'online', message: 'm', components: told }))
  expect(agents.find('one').components).toEqual(told)
})
