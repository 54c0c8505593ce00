import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { createAuthority } from '@logstack/pki'
import { SearchClient } from '@logstack/search-client'
import { LiveSettings } from '@logstack/settings'
import { freePort, type MemorySearch, memorySearch, type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentServerSettings } from '../settings.ts'
import { startAgentServer } from '../start.ts'

const policies = '/api/fleet/agent_policies'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
interface Answer {
  readonly status: number
  /** What the answers here are made of. */
  readonly body: {
    readonly item: { readonly id: string; readonly inputs: unknown; readonly statuses: unknown } & {
      readonly revision: number
      readonly api_key: string
      readonly access_api_key: string
    }
    readonly actions: readonly { readonly type: string }[]
  }
}

let temporary: TempDir
let search: MemorySearch
let part: RunningPart
let caller: SearchClient

beforeAll(async () => {
  temporary = tempDir('logstack-policies')
  const certificates = await testCertificates()
  const authority = await createAuthority({ commonName: 'logstack agents CA' })
  mkdirSync(temporary.path, { recursive: true })
  const files = {
    'root-ca.crt': certificates.ca,
    'agent-server.crt': certificates.cert,
    'agent-server.key': certificates.key,
    'agents-ca.crt': authority.cert,
    logstack_agents_ca_key: authority.key,
    logstack_agent_server: 'a',
    'agent.mjs': '// the program of agents',
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(temporary.path, name), text)
  search = await memorySearch(certificates, ['elastic:secret', 'reader:r', 'logstack_agent_server:a'])
  const port = await freePort()
  const environment = readPartEnvironment({
    LOGSTACK_LISTEN: `127.0.0.1:${port}`,
    LOGSTACK_DATA_DIR: temporary.path,
    LOGSTACK_CERTS_DIR: temporary.path,
    LOGSTACK_SECRETS_DIR: temporary.path,
    LOGSTACK_PROGRAM_DIR: temporary.path,
    LOGSTACK_SEARCH_URL: search.url,
    IPVAR: '192.0.2.7',
  })
  const settings = new LiveSettings(agentServerSettings, { env: {} })
  part = await startAgentServer({ environment, settings, logger: createLogger('agent-server', 'silent') })
  caller = new SearchClient({ url: `https://127.0.0.1:${port}`, ca: certificates.ca })
})
afterAll(async () => {
  caller?.close()
  await part?.stop()
  await search?.close()
  temporary?.remove()
})

const statuses = [400, 401, 403, 404, 409, 429]
async function ask(method: Method, path: string, body?: unknown, username = 'elastic'): Promise<Answer> {
  const credentials = { username, password: username === 'elastic' ? 'secret' : 'r' }
  return await caller.withCredentials(credentials).request({ method, path, body, accept: statuses })
}

async function enrol(policy_id = 'default'): Promise<{ id: string; checkIn(more?: object): Promise<Answer> }> {
  const made = await ask('POST', '/api/fleet/enrollment_api_keys', { policy_id })
  const path = '/api/fleet/agents/enroll'
  const body = { type: 'PERMANENT' }
  const joined: Answer = await caller
    .withCredentials({ apiKey: made.body.item.api_key })
    .request({ method: 'POST', path, body })
  const { id, access_api_key: apiKey } = joined.body.item
  const checkIn = (more: object = {}): Promise<Answer> =>
    caller.withCredentials({ apiKey }).request({
      method: 'POST',
      path: `/api/fleet/agents/${id}/checkin`,
      body: { status: 'online', message: 'Running', ...more },
    })
  return { id, checkIn }
}

describe('a policy', () => {
  it('is made from another, given to an agent that waits, and deleted when no agent has it', async () => {
    const made = await ask('POST', policies, { id: 'quiet', name: 'Quiet hosts' })
    const shipped = await ask('GET', `${policies}/default`)
    expect(made.body.item).toMatchObject({ id: 'quiet', name: 'Quiet hosts', revision: 1 })
    expect(made.body.item.inputs).toEqual(shipped.body.item.inputs)
    const agent = await enrol()
    const held = agent.checkIn({ agent_policy_id: 'default', policy_revision_idx: shipped.body.item.revision })
    await new Promise((resolve) => setTimeout(resolve, 100))
    const moved = await ask('POST', `/api/fleet/agents/${agent.id}/reassign`, { policy_id: 'quiet' })
    expect(moved.body.item).toMatchObject({ policy_id: 'quiet' })
    expect((await held).body.actions).toMatchObject([{ type: 'POLICY_CHANGE', data: { policy: { id: 'quiet' } } }])
    expect(search.indices.get('.logstack-agents')?.get(agent.id)).toMatchObject({ policy_id: 'quiet' })
    expect(await ask('DELETE', `${policies}/quiet`)).toMatchObject({ status: 409 })
    await ask('POST', `/api/fleet/agents/${agent.id}/reassign`, { policy_id: 'default' })
    expect(await ask('DELETE', `${policies}/quiet`)).toMatchObject({ status: 200, body: { action: 'deleted' } })
    expect((await ask('GET', `${policies}/quiet`)).status).toBe(404)
  })

  it('that was deleted enrols nobody', async () => {
    await ask('POST', policies, { id: 'gone', name: 'Gone' })
    const made = await ask('POST', '/api/fleet/enrollment_api_keys', { policy_id: 'gone' })
    await ask('DELETE', `${policies}/gone`)
    const refused = caller.withCredentials({ apiKey: made.body.item.api_key }).request({
      method: 'POST',
      path: '/api/fleet/agents/enroll',
      body: { type: 'PERMANENT' },
    })
    await expect(refused).rejects.toThrow('no agent policy [gone]')
  })

  it.each([
    ['an id with other letters', 'POST', policies, { id: 'A b', name: 'x' }, 400],
    ['no name', 'POST', policies, { id: 'x' }, 400],
    ['a copy of none', 'POST', policies, { name: 'x', copy_of: 'none' }, 404],
    ['an id that is there', 'POST', policies, { id: 'default', name: 'x' }, 409],
    ['the end of the default one', 'DELETE', `${policies}/default`, undefined, 409],
    ['the end of none', 'DELETE', `${policies}/none`, undefined, 404],
    ['an agent there is none of', 'POST', '/api/fleet/agents/none/reassign', { policy_id: 'default' }, 404],
  ] as const)('is refused with %s', async (_, method, path, body, status) => {
    expect((await ask(method, path, body)).status).toBe(status)
    expect((await ask(method, path, body, 'reader')).status).toBe(403)
  })
})

describe('a policy that is changed', () => {
  it('is handed out without what is switched off, and keeps it', async () => {
    const stream = { id: 'a', data_stream: { type: 'logs', dataset: 'app' }, paths: ['/opt/app/*.log'] }
    const off = { ...stream, id: 'b', enabled: false }
    const inputs = [
      { id: 'file', type: 'file', streams: [stream, off] },
      { id: 'journald', type: 'journald', enabled: false, streams: [{ ...stream, id: 'c' }] },
    ]
    await ask('POST', policies, { id: 'partly', name: 'Partly' })
    const kept = await ask('PUT', `${policies}/partly`, { name: 'Partly', inputs, revision: 1 })
    expect(kept.body.item).toMatchObject({ revision: 2, inputs })
    const agent = await enrol('partly')
    const [change] = (await agent.checkIn()).body.actions as unknown as { data: { policy: { inputs: unknown } } }[]
    expect(change?.data.policy.inputs).toEqual([{ id: 'file', type: 'file', streams: [stream] }])
  })

  it('is not changed by who read an older revision, nor to one with an id twice', async () => {
    await ask('POST', policies, { id: 'shared', name: 'Shared' })
    const change = { name: 'Shared', inputs: [], revision: 1 }
    expect((await ask('PUT', `${policies}/shared`, change)).status).toBe(200)
    const late = await ask('PUT', `${policies}/shared`, { ...change, name: 'Late' })
    expect(late).toMatchObject({ status: 409, body: { message: expect.stringContaining('revision 2 by now') } })
    expect((await ask('GET', `${policies}/shared`)).body.item).toMatchObject({ name: 'Shared', revision: 2 })
    const twice = { id: 'file', type: 'file', streams: [] }
    const refused = await ask('PUT', `${policies}/shared`, { name: 'Shared', inputs: [twice, twice] })
    expect(refused).toMatchObject({ status: 400 })
    expect(JSON.stringify(refused.body)).toContain('there are two with the id [input file]')
  })
})

describe('a rollout', () => {
  const path = '/api/fleet/agents/bulk_upgrade'

  it('upgrades one agent of a policy at once and the others later', async () => {
    await ask('POST', policies, { id: 'staged', name: 'Staged' })
    const [one, two] = [await enrol('staged'), await enrol('staged')]
    await enrol()
    const { body } = await ask('POST', path, { policy_id: 'staged', rollout_duration_seconds: 3600 })
    expect(body.item).toMatchObject({ agents: 2, statuses: { pending: 2 } })
    const types = async ({ checkIn }: typeof one): Promise<string[]> =>
      (await checkIn()).body.actions.map(({ type }) => type)
    expect(await types(one)).toEqual(['POLICY_CHANGE', 'UPGRADE'])
    expect(await types(two)).toEqual(['POLICY_CHANGE'])
    const seen = await ask('GET', `${path}/${body.item.id}`)
    expect(seen.body.item.statuses).toEqual({ delivered: 1, pending: 1 })
  })

  it.each([
    ['nobody named', {}, 400],
    ['both named', { agents: ['a'], policy_id: 'default' }, 400],
    ['an agent there is none of', { agents: ['none'] }, 404],
    ['a policy without agents', { policy_id: 'empty' }, 400],
    ['a time that is too long', { policy_id: 'default', rollout_duration_seconds: 1e9 }, 400],
  ])('is refused with %s', async (_, body, status) => {
    await ask('POST', policies, { id: 'empty', name: 'Empty' })
    expect((await ask('POST', path, body)).status).toBe(status)
    expect((await ask('POST', path, body, 'reader')).status).toBe(403)
    expect((await ask('GET', `${path}/none`)).status).toBe(404)
  })
})
