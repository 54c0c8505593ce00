import { mkdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { CheckinResponse } from '@logstack/contracts'
import { createLogger } from '@logstack/logging'
import { type RunningPart, readPartEnvironment } from '@logstack/part'
import { type Authority, createAuthority, createClientRequest, inspectCertificate, isSignedBy } from '@logstack/pki'
import { LiveSettings } from '@logstack/settings'
import { freePort, type MemorySearch, memorySearch, type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes } from './routes/registry.ts'
import { agentServerSettings } from './settings.ts'
import { startAgentServer } from './start.ts'

const administrator = `Basic ${Buffer.from('elastic:secret').toString('base64')}`
const reader = `Basic ${Buffer.from('reader:r').toString('base64')}`
const holdMs = 1_500
const policyPath = '/api/fleet/agent_policies/default'

let temporary: TempDir
let search: MemorySearch
let part: RunningPart
let agentsAuthority: Authority
let port: number

interface Reply<T> {
  readonly status: number
  readonly body: T
}

async function call<T = unknown>(
  method: string,
  path: string,
  authorization?: string,
  body?: unknown,
): Promise<Reply<T>> {
  const { ca } = await testCertificates()
  const headers = authorization === undefined ? {} : { authorization }
  return new Promise((resolve, reject) => {
    const outgoing = request(`https://127.0.0.1:${port}${path}`, { method, ca, headers, agent: false }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) as T }))
    })
    outgoing.on('error', reject)
    outgoing.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body))
  })
}

interface Enrolled {
  readonly item: { readonly id: string; readonly access_api_key: string; readonly certificate?: string }
}

async function makeToken(body: unknown = {}): Promise<{ id: string; header: string }> {
  const path = '/api/fleet/enrollment_api_keys'
  const made = await call<{ item: { id: string; api_key: string } }>('POST', path, administrator, body)
  return { id: made.body.item.id, header: `ApiKey ${made.body.item.api_key}` }
}

async function enrolled(): Promise<{ id: string; header: string; certificate: string | undefined }> {
  const { header } = await makeToken()
  const { request: certificate_request } = await createClientRequest('whatever it says')
  const metadata = { local: { host: { hostname: 'web1' }, os: { full: 'Debian 13' } } }
  const body = { type: 'PERMANENT', metadata, certificate_request }
  const { item } = (await call<Enrolled>('POST', '/api/fleet/agents/enroll', header, body)).body
  return { id: item.id, header: `ApiKey ${item.access_api_key}`, certificate: item.certificate }
}

const checkIn = (agent: { id: string; header: string }, more: object = {}): Promise<Reply<CheckinResponse>> =>
  call('POST', `/api/fleet/agents/${agent.id}/checkin`, agent.header, { status: 'online', message: 'Running', ...more })

async function policyAtWork(): Promise<{ agent_policy_id: string; policy_revision_idx: number }> {
  const { body } = await call<{ item: { revision: number } }>('GET', policyPath, administrator)
  return { agent_policy_id: 'default', policy_revision_idx: body.item.revision }
}

function start(env: Record<string, string> = {}): Promise<RunningPart> {
  const environment = readPartEnvironment({
    LOGSTACK_LISTEN: `127.0.0.1:${port}`,
    LOGSTACK_DATA_DIR: temporary.path,
    LOGSTACK_CERTS_DIR: temporary.path,
    LOGSTACK_SECRETS_DIR: temporary.path,
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_ENDPOINT_MANAGER_URL: 'https://logstack-endpoint-manager:1514',
    IPVAR: '192.0.2.7',
    ...env,
  })
  const settings = new LiveSettings(agentServerSettings, {
    env: { LOGSTACK_AGENT_SERVER_CHECKIN_HOLD_MS: String(holdMs), LOGSTACK_AGENT_SERVER_DASHBOARD_WAIT_MS: '600' },
  })
  return startAgentServer({ environment, settings, logger: createLogger('agent-server', 'silent') })
}

beforeAll(async () => {
  temporary = tempDir('logstack-agent-server')
  const certificates = await testCertificates()
  agentsAuthority = await createAuthority({ commonName: 'logstack agents CA' })
  const files = {
    'root-ca.crt': certificates.ca,
    'agent-server.crt': certificates.cert,
    'agent-server.key': certificates.key,
    'agents-ca.crt': agentsAuthority.cert,
    logstack_agents_ca_key: agentsAuthority.key,
    logstack_agent_server: 'a',
  }
  mkdirSync(temporary.path, { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(temporary.path, name), text)
  search = await memorySearch(certificates, ['elastic:secret', 'reader:r', 'logstack_agent_server:a'])
  port = await freePort()
  part = await start()
})

afterAll(async () => {
  await part?.stop()
  await search?.close()
  temporary?.remove()
})

describe('enrolment', () => {
  it('signs the certificate request under the name of the agent, whatever the request says', async () => {
    const agent = await enrolled()
    expect(isSignedBy(agent.certificate ?? '', agentsAuthority.cert)).toBe(true)
    expect(inspectCertificate(agent.certificate ?? '').commonName).toBe(agent.id)
  })

  it('keeps keys as hashes only', async () => {
    const token = await makeToken()
    const agent = await enrolled()
    const kept = JSON.stringify([...search.indices].map(([name, documents]) => [name, ...documents]))
    for (const { header } of [token, agent]) {
      const [, key = ''] = Buffer.from(header.slice('ApiKey '.length), 'base64').toString().split(':')
      expect(key.length).toBeGreaterThan(40)
      expect(kept).not.toContain(key)
    }
  })

  it.each([
    ['no token', () => undefined, 401],
    ['a token of nobody', () => `ApiKey ${Buffer.from('a:b').toString('base64')}`, 401],
    ['the password of a user', () => administrator, 401],
  ])('refuses %s', async (_, header, status) => {
    expect(await call('POST', '/api/fleet/agents/enroll', header(), { type: 'PERMANENT' })).toMatchObject({
      status,
      body: { statusCode: status, error: 'Unauthorized' },
    })
  })

  it('refuses a revoked and an expired token', async () => {
    const revoked = await makeToken()
    await call('DELETE', `/api/fleet/enrollment_api_keys/${revoked.id}`, administrator)
    const expired = await makeToken()
    const tokens = search.indices.get('.logstack-enrolment-tokens')
    tokens?.set(expired.id, { ...Object(tokens.get(expired.id)), expires_at: '2020-01-01T00:00:00Z' })
    for (const { header } of [revoked, expired]) {
      expect((await call('POST', '/api/fleet/agents/enroll', header, { type: 'PERMANENT' })).status).toBe(401)
    }
  })

  it.each([
    ['no JSON', '{', 400],
    ['another type', { type: 'TEMPORARY' }, 400],
    ['an id that is no UUID', { type: 'PERMANENT', id: '../../etc' }, 400],
    ['a request that is no certificate request', { type: 'PERMANENT', certificate_request: 'x' }, 400],
  ])('refuses a body with %s', async (_, body, status) => {
    const { header } = await makeToken()
    expect((await call('POST', '/api/fleet/agents/enroll', header, body)).status).toBe(status)
  })
})

describe('the client certificate', () => {
  const renew = async (agent: { id: string; header: string }, more: object = {}) => {
    const { request: certificate_request } = await createClientRequest('whatever it says')
    const path = `/api/fleet/agents/${agent.id}/certificate`
    return call<{ item: { certificate: string } }>('POST', path, agent.header, { certificate_request, ...more })
  }

  it('is renewed for the agent that asks with its key, under its own name, and for nobody else', async () => {
    const agent = await enrolled()
    const { body } = await renew(agent)
    const { certificate } = body.item
    expect(isSignedBy(certificate, agentsAuthority.cert)).toBe(true)
    const { commonName, serialNumber } = inspectCertificate(certificate)
    expect(commonName).toBe(agent.id)
    expect(search.indices.get('.logstack-agents')?.get(agent.id)).toMatchObject({ certificate_serial: serialNumber })
    expect((await renew({ ...agent, header: (await enrolled()).header })).status).toBe(401)
    expect((await renew(agent, { certificate_request: 'x' })).status).toBe(400)
    await call('DELETE', `/api/fleet/agents/${agent.id}`, administrator)
    expect((await renew(agent)).status).toBe(403)
  })
})

describe('check-in', () => {
  it('hands out the policy at once, with the addresses agents use', async () => {
    const agent = await enrolled()
    const { body } = await checkIn(agent)
    expect(body.actions).toMatchObject([
      {
        type: 'POLICY_CHANGE',
        data: { policy: { id: 'default', outputs: { default: { hosts: ['https://192.0.2.7:1514'] } } } },
      },
    ])
    const ack = {
      type: 'ACTION_RESULT',
      subtype: 'ACKNOWLEDGED',
      agent_id: agent.id,
      action_id: body.actions[0]?.id,
      message: '',
    }
    const acks = await call('POST', `/api/fleet/agents/${agent.id}/acks`, agent.header, { events: [ack] })
    expect(acks.body).toMatchObject({ action: 'acks', errors: false, items: [{ status: 200 }] })
    const unknown = await call('POST', `/api/fleet/agents/${agent.id}/acks`, agent.header, {
      events: [{ ...ack, action_id: 'x' }],
    })
    expect(unknown.body).toMatchObject({ errors: true, items: [{ status: 404 }] })
  })

  it('is held without news, and answered at once when the policy changes', async () => {
    const agent = await enrolled()
    const current = await policyAtWork()
    expect((await checkIn(agent, current)).body.actions).toEqual([])
    const held = checkIn(agent, current)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const { body } = await call<{ item: { name: string; inputs: unknown[] } }>('GET', policyPath, administrator)
    await call('PUT', policyPath, administrator, { name: 'Changed', inputs: body.item.inputs.slice(0, 1) })
    const { actions } = (await held).body
    expect(actions).toMatchObject([
      {
        type: 'POLICY_CHANGE',
        data: { policy: { revision: current.policy_revision_idx + 1, inputs: [{ type: 'journald' }] } },
      },
    ])
  })

  it('refuses the key of another agent', async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    expect((await checkIn({ id: one.id, header: other.header })).status).toBe(401)
  })

  it('tells an unenrolled agent so while it waits, then forgets it', async () => {
    const agent = await enrolled()
    const held = checkIn(agent, await policyAtWork())
    await new Promise((resolve) => setTimeout(resolve, 200))
    await call('DELETE', `/api/fleet/agents/${agent.id}`, administrator)
    const [action] = (await held).body.actions
    expect(action).toMatchObject({ type: 'UNENROLL' })
    expect(search.indices.get('.logstack-agents')?.get(agent.id)).toMatchObject({ active: false })
    const ack = {
      type: 'ACTION_RESULT',
      subtype: 'ACKNOWLEDGED',
      agent_id: agent.id,
      action_id: action?.id,
      message: '',
    }
    await call('POST', `/api/fleet/agents/${agent.id}/acks`, agent.header, { events: [ack] })
    expect((await checkIn(agent)).status).toBe(401)
  })

  it('shows the state an agent tells', async () => {
    const agent = await enrolled()
    const components = [{ id: 'journald', type: 'journald', status: 'DEGRADED', message: 'this host keeps no journal' }]
    await checkIn(agent, { status: 'degraded', message: 'no journal', components })
    const { body } = await call<{ item: object }>('GET', `/api/fleet/agents/${agent.id}`, administrator)
    expect(body.item).toMatchObject({ status: 'unhealthy', host_name: 'web1', os_name: 'Debian 13', components })
  })
})

describe('actions', () => {
  const order = (id: string, body: unknown) =>
    call<{ item: { id: string } }>('POST', `/api/fleet/agents/${id}/actions`, administrator, body)

  it('reach an agent that waits, are done once it says so, and show the outcome', async () => {
    const agent = await enrolled()
    const held = checkIn(agent, await policyAtWork())
    const ordered = await order(agent.id, { action: { type: 'COLLECT_FILE', data: { path: '/var/log/a' } } })
    const [action] = (await held).body.actions
    expect(action).toMatchObject({ id: ordered.body.item.id, type: 'COLLECT_FILE', data: { path: '/var/log/a' } })
    const outcome = { message: '2 bytes', data: { content_base64: 'aGk=' } }
    const event = {
      type: 'ACTION_RESULT',
      subtype: 'ACKNOWLEDGED',
      agent_id: agent.id,
      action_id: action?.id,
      ...outcome,
    }
    await call('POST', `/api/fleet/agents/${agent.id}/acks`, agent.header, { events: [event] })
    const { body } = await call('GET', `/api/fleet/agents/${agent.id}/actions`, administrator)
    expect(body).toMatchObject({
      total: 1,
      items: [{ status: 'done', message: '2 bytes', created_by: 'elastic', result: { content_base64: 'aGk=' } }],
    })
    expect((await checkIn(agent, await policyAtWork())).body.actions).toEqual([])
  })

  it.each([
    ['a type there is none of', { action: { type: 'FORMAT_DISK' } }, 400],
    ['data of another type', { action: { type: 'SETTINGS', data: { log_level: 'loud' } } }, 400],
    ['a path that is none', { action: { type: 'COLLECT_FILE', data: { path: 'etc/passwd' } } }, 400],
    ['a hash of the caller', { action: { type: 'UPGRADE', data: { sha256: '0' } } }, 400],
    ['a life without end', { action: { type: 'RESTART' }, expires_in_seconds: 1e9 }, 400],
  ])('are refused with %s', async (_, body, status) => {
    const agent = await enrolled()
    expect((await order(agent.id, body)).status).toBe(status)
  })

  it('are for agents that exist, from administrators', async () => {
    const agent = await enrolled()
    const path = `/api/fleet/agents/${agent.id}/actions`
    const body = { action: { type: 'RESTART' } }
    expect((await order('none', body)).status).toBe(404)
    for (const header of [reader, agent.header])
      expect((await call('POST', path, header, body)).status).toBeGreaterThan(400)
    expect((await call('GET', path, reader)).status).toBe(403)
  })
})

describe('leaving', () => {
  it('forgets an agent that takes its leave, and nobody else may take it', async () => {
    const [one, other] = [await enrolled(), await enrolled()]
    const path = `/api/fleet/agents/${one.id}/leave`
    expect((await call('POST', path, other.header)).status).toBe(401)
    expect(await call('POST', path, one.header)).toMatchObject({ status: 200, body: { action: 'left' } })
    expect((await checkIn(one)).status).toBe(401)
    expect(search.indices.get('.logstack-agents')?.has(one.id)).toBe(false)
  })
})

describe('administration', () => {
  const theirs = routes.filter(({ access }) => access === 'administrator')
  it.each(theirs)('$method $path needs an administrator', async ({ method, path }) => {
    const wrong = `Basic ${Buffer.from('elastic:wrong').toString('base64')}`
    expect((await call(method, path)).status).toBe(401)
    expect((await call(method, path, wrong)).status).toBe(401)
    expect((await call(method, path, reader)).status).toBe(403)
  })

  it('never shows a token again', async () => {
    const token = await makeToken({ name: 'once' })
    const { body } = await call<{ item: object }>('GET', `/api/fleet/enrollment_api_keys/${token.id}`, administrator)
    expect(body.item).toMatchObject({ name: 'once', active: true, created_by: 'elastic' })
    expect(JSON.stringify(body)).not.toMatch(/sha256|"api_key"/)
  })

  it('answers unknown routes and agents in the same form', async () => {
    expect(await call('GET', '/nothing')).toMatchObject({ status: 404, body: { statusCode: 404, error: 'Not Found' } })
    expect(await call('GET', '/api/fleet/agents/none', administrator)).toMatchObject({ status: 404 })
  })
})

describe('start', () => {
  it('keeps policies and agents, follows IPVAR, and does not wait for a dashboard for ever', async () => {
    const agent = await enrolled()
    const before = await policyAtWork()
    await part.stop()
    part = await start({ IPVAR: '192.0.2.8', LOGSTACK_DASHBOARD_URL: `https://127.0.0.1:${await freePort()}` })
    const settings = await call('GET', '/api/fleet/settings', administrator)
    expect(settings.body).toMatchObject({ item: { fleet_server_hosts: [`https://192.0.2.8:${port}`] } })
    const { actions } = (await checkIn(agent, before)).body
    expect(actions).toMatchObject([
      { data: { policy: { outputs: { default: { hosts: ['https://192.0.2.8:1514'] } } } } },
    ])
  })

  it('leaves an address that a person chose', async () => {
    const chosen = {
      fleet_server_hosts: ['https://agents.example.com:8220'],
      source: 'administrator',
      updated_at: '2026-01-01T00:00:00Z',
    }
    search.indices.get('.logstack-agent-server')?.set('settings', chosen)
    await part.stop()
    part = await start()
    const settings = await call('GET', '/api/fleet/settings', administrator)
    expect(settings.body).toMatchObject({ item: { fleet_server_hosts: ['https://agents.example.com:8220'] } })
  })

  it('has no address without IPVAR when it listens to all', async () => {
    search.indices.delete('.logstack-agent-server')
    await part.stop()
    part = await start({ IPVAR: '', LOGSTACK_LISTEN: `0.0.0.0:${port}` })
    const settings = await call('GET', '/api/fleet/settings', administrator)
    expect(settings.body).toMatchObject({ item: { fleet_server_hosts: [] } })
  })
})
