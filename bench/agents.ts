// Measures agent-server with many agents: `node tools/build.mjs agent-server && node tools/run-ts.mjs bench/agents.ts [agents] [hold_ms]`. The agents are put into
// search as if they had enrolled; each holds a TLS connection of its own, checks in and waits, all in this process. Then all check in again
// when their time is over, a new policy reaches all, and an action some. Prints Markdown.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accountOf, agentIndices } from '@logstack/contracts'
import { createAuthority } from '@logstack/pki'
import { ensureHiddenIndex, SearchClient, sendBulk } from '@logstack/search-client'
import { freePort, startSearch, tempDir, testCertificates } from '@logstack/testkit'
import { createApiKey } from '../packages/passwords/src/api-key.ts'
import { processorMs, residentMb } from './process-times.ts'

const count = Number(process.argv[2] ?? 10_000)
const holdMs = Number(process.argv[3] ?? 60_000)
const stepLimitMs = 300_000
const atOnce = 200
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

const folder = tempDir('logstack-bench-agents')
const search = await startSearch()
const client = new SearchClient({ url: search.url, ca: search.ca, credentials: search })
const certificates = await testCertificates()
const port = await freePort()

interface SimulatedAgent {
  readonly id: string
  readonly authorization: string
  readonly connection: Agent
  revision: number
  checkIns: number
  /** When it heard of the newest revision, and of its action. */
  heardMs: number
  actedMs: number
}

async function enrolAll(): Promise<SimulatedAgent[]> {
  await ensureHiddenIndex(client, agentIndices.agents)
  const agents: SimulatedAgent[] = []
  for (let from = 0; from < count; from += 1_000) {
    const some = Array.from({ length: Math.min(1_000, count - from) }, (_, n) => ({
      id: randomUUID(),
      key: createApiKey(),
      n: from + n,
    }))
    const enrolled_at = new Date().toISOString()
    await sendBulk(
      client,
      some.map(({ id, key, n }) => ({
        action: 'index',
        index: agentIndices.agents.name,
        id,
        document: {
          active: true,
          status: 'offline',
          policy_id: 'default',
          policy_revision: 0,
          enrolled_at,
          access_key_id: key.id,
          access_key_sha256: key.sha256,
          host_name: `host${n}`,
          tags: [],
        },
      })),
      { refresh: 'true' },
    )
    for (const { id, key } of some) {
      const connection = new Agent({ ca: certificates.ca, keepAlive: true, maxSockets: 1 })
      agents.push({
        id,
        authorization: `ApiKey ${key.encoded}`,
        connection,
        revision: 0,
        checkIns: 0,
        heardMs: 0,
        actedMs: 0,
      })
    }
  }
  return agents
}

async function startAgentServer() {
  const authority = await createAuthority({ commonName: 'logstack agents CA' })
  const secrets = join(folder.path, 'secrets')
  for (const path of [secrets, join(folder.path, 'data')]) mkdirSync(path, { mode: 0o700 })
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), authority.cert)
  writeFileSync(join(secrets, 'logstack_agents_ca_key'), authority.key)
  const { username, role } = accountOf('agent-server')
  const { name, ...privileges } = role
  await client.request({ method: 'PUT', path: `/_security/role/${name}`, body: privileges })
  await client.request({
    method: 'PUT',
    path: `/_security/user/${username}`,
    body: { password: 'password-of-the-bench', roles: [name] },
  })
  writeFileSync(join(secrets, username), 'password-of-the-bench\n')
  const config = join(folder.path, 'agent-server.yml')
  writeFileSync(config, `checkin.hold_ms: ${holdMs}\n`)
  const env = {
    PATH: process.env['PATH'],
    LOGSTACK_DATA_DIR: join(folder.path, 'data'),
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: secrets,
    LOGSTACK_CONFIG_FILE: config,
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_ENDPOINT_MANAGER_URL: 'https://logstack-endpoint-manager:1514',
    LOGSTACK_LISTEN: `127.0.0.1:${port}`,
    LOGSTACK_LOG_LEVEL: 'warn',
    IPVAR: '127.0.0.1',
  }
  return spawn(process.execPath, ['dist/agent-server.mjs'], { env, stdio: 'inherit' })
}

function post<T>(agent: SimulatedAgent, path: string, body: unknown): Promise<T> {
  const text = JSON.stringify(body)
  const headers = {
    authorization: agent.authorization,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { agent: agent.connection, host: '127.0.0.1', port, method: 'POST', path, headers },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const answer = Buffer.concat(chunks).toString()
          if (incoming.statusCode === 200) resolve(JSON.parse(answer) as T)
          else reject(new Error(`${incoming.statusCode}: ${answer}`))
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(text)
  })
}

interface Action {
  readonly id: string
  readonly type: string
  readonly data: { readonly policy?: { readonly revision: number } }
}

/** What an agent with the shipped policy says of its inputs, with each check-in. */
const components = ['file', 'journald', 'docker', 'metrics', 'file_integrity', 'inventory', 'checks', 'logstack'].map(
  (id) => ({
    id,
    type: id,
    status: 'HEALTHY',
    message: 'Healthy',
    units: Array.from({ length: 4 }, (_, n) => ({
      id: `${id}-stream-${n}`,
      type: 'input',
      status: 'HEALTHY',
      message: `following ${n} files; left to the journal: /var/log/syslog, /var/log/auth.log, /var/log/kern.log`,
    })),
  }),
)

let isOver = false
const failures = new Map<string, number>()

/** Checks in again and again as an agent does, and acknowledges what it is told. */
async function live(agent: SimulatedAgent): Promise<void> {
  const metadata = { host: { hostname: agent.id }, os: { full: 'Debian 13' }, elastic: { agent: { version: '0.1.0' } } }
  while (!isOver) {
    try {
      const said = {
        status: 'online',
        message: 'Running',
        local_metadata: metadata,
        components,
        ...(agent.revision === 0 ? {} : { agent_policy_id: 'default', policy_revision_idx: agent.revision }),
      }
      const { actions } = await post<{ actions: Action[] }>(agent, `/api/fleet/agents/${agent.id}/checkin`, said)
      agent.checkIns += 1
      for (const { type, data } of actions) {
        if (type === 'POLICY_CHANGE') {
          agent.revision = data.policy?.revision ?? 0
          agent.heardMs = performance.now()
        } else agent.actedMs = performance.now()
      }
      const events = actions.map(({ id }) => ({
        action_id: id,
        agent_id: agent.id,
        type: 'ACTION_RESULT',
        subtype: 'ACKNOWLEDGED',
        message: 'done',
      }))
      if (events.length > 0) await post(agent, `/api/fleet/agents/${agent.id}/acks`, { events })
    } catch (thrown) {
      if (isOver) return
      const reason = thrown instanceof Error ? thrown.message.slice(0, 100) : String(thrown)
      failures.set(reason, (failures.get(reason) ?? 0) + 1)
      await sleep(1_000)
    }
  }
}

async function until(what: string, holds: () => boolean): Promise<void> {
  for (const end = performance.now() + stepLimitMs; !holds(); await sleep(20)) {
    if (performance.now() > end) throw new Error(`waited in vain: ${what}; ${JSON.stringify([...failures])}`)
  }
}

const quantile = (sorted: readonly number[], part: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)

const agents = await enrolAll()
const server = await startAgentServer()
const pid = server.pid ?? 0
const administrator = new SearchClient({ url: `https://127.0.0.1:${port}`, ca: search.ca, credentials: search })
for (const end = performance.now() + stepLimitMs; ; await sleep(200)) {
  if (
    await administrator.request({ method: 'GET', path: '/api/status' }).then(
      () => true,
      () => false,
    )
  )
    break
  if (performance.now() > end) throw new Error('agent-server does not answer')
}
const before = residentMb(pid)
print(
  `| ${count.toLocaleString('en')} agents, held for ${holdMs / 1000} s | took | agent-server's processor | its memory | search's processor | the simulated agents' |`,
)
print('|---|---|---|---|---|---|')

async function measure(what: string, work: () => Promise<string>): Promise<void> {
  const [own = 0, its = 0, mine = 0] = [pid, search.pid(), process.pid].map(processorMs)
  const from = performance.now()
  const said = await work()
  const tookMs = performance.now() - from
  const used = (ms: number): string => `${(ms / 1000).toFixed(1)} s (${Math.round((ms / tookMs) * 100)} % of a core)`
  print(
    `| ${what} | ${said || `${(tookMs / 1000).toFixed(1)} s`} | ${used(processorMs(pid) - own)} | ${residentMb(pid).toFixed(0)} MB | ${used(processorMs(search.pid()) - its)} | ${used(processorMs(process.pid) - mine)} |`,
  )
}

const lives: Promise<void>[] = []
await measure('all connect, check in, get their policy, acknowledge it and wait', async () => {
  for (let from = 0; from < agents.length; from += atOnce) {
    const some = agents.slice(from, from + atOnce)
    lives.push(...some.map(live))
    await until('some have their policy', () => some.every(({ revision }) => revision > 0))
  }
  return ''
})
await measure('nothing happens: each check-in ends and is made again', async () => {
  await sleep(holdMs)
  return ''
})
const path = '/api/fleet/agent_policies/default'
await measure('a new revision of the policy reaches all', async () => {
  const { body } = await administrator.request<{ item: { revision: number; inputs: unknown[] } }>({
    method: 'GET',
    path,
  })
  const from = performance.now()
  await administrator.request({ method: 'PUT', path, body: { name: 'Default policy', inputs: body.item.inputs } })
  await until('all have it', () => agents.every(({ revision }) => revision > body.item.revision))
  const delays = agents.map(({ heardMs }) => heardMs - from).sort((a, b) => a - b)
  return `median ${quantile(delays, 0.5)} ms, 95 % ${quantile(delays, 0.95)} ms, last ${quantile(delays, 1)} ms`
})
await sleep(2_000)
await measure('an action for each of a hundred agents', async () => {
  const told = agents.slice(0, 100)
  const delays: number[] = []
  for (const agent of told) {
    const from = performance.now()
    await administrator.request({
      method: 'POST',
      path: `/api/fleet/agents/${agent.id}/actions`,
      body: { action: { type: 'RUN_CHECK' } },
    })
    await until('it is told', () => agent.actedMs > from)
    delays.push(agent.actedMs - from)
  }
  delays.sort((a, b) => a - b)
  return `median ${quantile(delays, 0.5)} ms, 95 % ${quantile(delays, 0.95)} ms`
})
print(`\nMemory before the first agent: ${before.toFixed(0)} MB. Failed requests: ${JSON.stringify([...failures])}.`)
isOver = true
server.kill('SIGTERM')
await new Promise((resolve) => server.once('exit', resolve))
for (const { connection } of agents) connection.destroy()
administrator.close()
client.close()
await search.stop()
folder.remove()
await Promise.all(lives)
