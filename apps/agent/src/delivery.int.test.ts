import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAuthority } from '@logstack/pki'
import { freePort, type MemorySearch, memorySearch, type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

// The three programs as they run in a stack: real processes, killed without warning, against a search in memory.
const root = new URL('../../..', import.meta.url).pathname
const users = ['elastic:secret', 'logstack_agent_server:a', 'logstack_endpoint_manager:b']
const waitLimitMs = 50_000
const pollMs = 50

let temporary: TempDir
let search: MemorySearch
let environment: Record<string, string>
const ports = { 'agent-server': 0, 'endpoint-manager': 0, syslog: 0 }
const running = new Map<string, ChildProcess>()

const file = (name: string): string => join(temporary.path, name)
const logFile = (): string => file('logs/app.log')
const agentData = (): string => file('agent')

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + waitLimitMs
  while (!(await holds())) {
    if (Date.now() > deadline)
      throw new Error(`waited in vain: ${what} (${stored('numbered').length} of ${written} lines)`)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function launch(name: string, argv: readonly string[], env: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, [file(`programs/${name}.mjs`), ...argv], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdout?.on('data', (bytes: Buffer) => appendFileSync(file(`${name}.out`), bytes))
  running.set(name, child)
  return child
}

const ended = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', resolve))

async function kill(name: string, signal: NodeJS.Signals): Promise<void> {
  const child = running.get(name)
  child?.kill(signal)
  if (child) await ended(child)
}

function startPart(name: 'agent-server' | 'endpoint-manager'): ChildProcess {
  return launch(name, [], {
    ...environment,
    LOGSTACK_LISTEN: `127.0.0.1:${ports[name]}`,
    ...(name === 'endpoint-manager' ? { LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${ports.syslog}` } : {}),
  })
}

const startAgent = (): ChildProcess => {
  const extra = file('logs/*.log')
  return launch('agent', ['run', '--data', agentData()], { LOGSTACK_AGENT_EXTRA_LOG_PATHS: extra })
}

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const { request } = await import('node:https')
  const { ca } = await testCertificates()
  const authorization = `Basic ${Buffer.from('elastic:secret').toString('base64')}`
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${ports['agent-server']}${path}`
    const outgoing = request(url, { method, ca, headers: { authorization } }, (incoming) => {
      let text = ''
      incoming.on('data', (chunk) => {
        text += chunk
      })
      incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, body: JSON.parse(text) }))
    })
    outgoing.on('error', reject)
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

interface LogDocument {
  readonly message: string
  readonly log?: { readonly file?: { readonly path: string } }
}

function stored(prefix: string): string[] {
  const logs = [...search.indices]
    .filter(([name]) => name.startsWith('logs-'))
    .flatMap(([, documents]) => [...documents.values()])
  return logs.map((document) => (document as LogDocument).message).filter((message) => message.startsWith(prefix))
}

let written = 0
function write(count: number): void {
  const lines = Array.from({ length: count }, (_, index) => `numbered ${written + index}`)
  appendFileSync(logFile(), `${lines.join('\n')}\n`)
  written += count
}
const expected = (): string[] => Array.from({ length: written }, (_, index) => `numbered ${index}`)
const inOrder = (lines: string[]): string[] => lines.sort((a, b) => Number(a.split(' ')[1]) - Number(b.split(' ')[1]))
const allStored = (): boolean => stored('numbered').length >= written

beforeAll(async () => {
  temporary = tempDir('logstack-delivery')
  const certificates = await testCertificates()
  search = await memorySearch(certificates, users)
  const agentsAuthority = await createAuthority({ commonName: 'logstack agents CA' })
  for (const folder of ['logs', 'programs', 'secrets', 'data']) mkdirSync(file(folder))
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), agentsAuthority.cert)
  writeFileSync(file('secrets/logstack_agents_ca_key'), agentsAuthority.key)
  writeFileSync(file('secrets/logstack_agent_server'), 'a\n')
  writeFileSync(file('secrets/logstack_endpoint_manager'), 'b\n')
  for (const name of ['agent-server', 'endpoint-manager', 'syslog'] as const) ports[name] = await freePort()
  environment = {
    LOGSTACK_DATA_DIR: file('data'),
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: file('secrets'),
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_ENDPOINT_MANAGER_URL: `https://logstack-endpoint-manager:${ports['endpoint-manager']}`,
    LOGSTACK_RULES_DIR: join(root, 'rules'),
    LOGSTACK_LOG_LEVEL: 'info',
    IPVAR: '127.0.0.1',
  }
  const names = ['agent', 'agent-server', 'endpoint-manager']
  await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, join(root, `apps/${name}/src/main.ts`)])),
    outdir: file('programs'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire as r}from'node:module';const require=r(import.meta.url);" },
  })
  startPart('agent-server')
  startPart('endpoint-manager')
  await until('agent-server listens', () =>
    ask('GET', '/api/status').then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
})

afterAll(async () => {
  for (const name of running.keys()) await kill(name, 'SIGKILL')
  await search?.close()
  temporary?.remove()
})

describe('enrolment', () => {
  it('shows the URL that IPVAR says', async () => {
    const { body } = await ask('GET', '/api/fleet/settings')
    expect(body).toMatchObject({ item: { fleet_server_hosts: [`https://127.0.0.1:${ports['agent-server']}`] } })
  })

  it('refuses a token that nobody made and one that was revoked', async () => {
    const { ca } = await testCertificates()
    writeFileSync(file('ca.crt'), ca)
    const made = (await ask('POST', '/api/fleet/enrollment_api_keys', {})).body as {
      item: { id: string; api_key: string }
    }
    await ask('DELETE', `/api/fleet/enrollment_api_keys/${made.item.id}`)
    for (const token of [Buffer.from('no:such').toString('base64'), made.item.api_key]) {
      writeFileSync(file('token'), token)
      const argv = ['enroll', '--url', `https://127.0.0.1:${ports['agent-server']}`, '--token-file', file('token')]
      const child = launch('agent', [...argv, '--ca', file('ca.crt'), '--data', agentData()], {})
      expect(await ended(child)).not.toBe(0)
    }
  })

  it('makes an agent of this host, knowing the server by the fingerprint of its authority', async () => {
    const { X509Certificate } = await import('node:crypto')
    const { ca } = await testCertificates()
    const made = (await ask('POST', '/api/fleet/enrollment_api_keys', { name: 'test' })).body as {
      item: { api_key: string }
    }
    const argv = [
      'enroll',
      '--url',
      `https://127.0.0.1:${ports['agent-server']}`,
      '--token-file',
      '-',
      '--data',
      agentData(),
    ]
    const child = launch('agent', [...argv, '--ca-fingerprint', new X509Certificate(ca).fingerprint256], {})
    child.stdin?.end(made.item.api_key)
    expect(await ended(child)).toBe(0)
    const { body } = await ask('GET', '/api/fleet/agents')
    expect(body).toMatchObject({ total: 1, items: [{ active: true, policy_id: 'default' }] })
    expect(JSON.stringify(body)).not.toContain('sha256')
  })
})

describe('delivery', () => {
  it('decodes a failed login within seconds', async () => {
    const line = 'Nov 21 10:00:00 gate sshd[4711]: Failed password for root from 203.0.113.9 port 4222 ssh2'
    writeFileSync(file('logs/auth.log'), `${line}\n`)
    startAgent()
    await until('the login is stored', () => stored('Failed password').length > 0)
    const auth = [...(search.indices.get('logs-system.auth-default')?.values() ?? [])]
    expect(auth).toEqual([
      expect.objectContaining({
        message: 'Failed password for root from 203.0.113.9 port 4222 ssh2',
        event: expect.objectContaining({ category: ['authentication'], outcome: 'failure', original: line }),
        user: { name: 'root' },
        source: { ip: '203.0.113.9', address: '203.0.113.9', port: 4222 },
        host: expect.objectContaining({ name: expect.any(String) }),
        data_stream: { type: 'logs', dataset: 'system.auth', namespace: 'default' },
      }),
    ])
  })

  it('measures the host and tells its state', async () => {
    await until('metrics are stored', () => (search.indices.get('metrics-system.memory-default')?.size ?? 0) > 0)
    await until('the agent has its policy', async () => {
      const { body } = await ask('GET', '/api/fleet/agents')
      const [agent] = (body as { items: { policy_revision: number; components?: unknown[] }[] }).items
      return agent?.policy_revision === 1 && (agent.components?.length ?? 0) > 0
    })
  })
})

/** Runs a command of the agent. */
const run = async (...argv: string[]): Promise<{ code: number | null; text: string }> => {
  const child = spawn(process.execPath, [file('programs/agent.mjs'), ...argv, '--data', agentData()])
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('utf8')
    })
  }
  const code = await ended(child)
  return { code, text }
}

describe('commands', () => {
  it('status tells who the agent is and that it runs', async () => {
    const { code, text } = await run('status', '--json')
    expect(code).toBe(0)
    const pid = running.get('agent')?.pid
    expect(JSON.parse(text)).toMatchObject({ enrolled: true, url: `https://127.0.0.1:${ports['agent-server']}`, pid })
  })

  it.each([
    ['run'],
    ['uninstall'],
    ['enroll', '--force', '--url', 'https://127.0.0.1:1', '--token', 'x', '--ca', '/etc/hostname'],
  ])('%s is refused while the agent runs, and says which process it is', async (...argv) => {
    const { code, text } = await run(...argv)
    expect(code).toBe(5)
    expect(text).toContain(String(running.get('agent')?.pid))
  })
})

describe('faults', () => {
  it('delivers every line once while endpoint-manager is killed and comes back', async () => {
    write(500)
    await until('the first lines are stored', allStored)
    write(500)
    await kill('endpoint-manager', 'SIGKILL')
    write(2000)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    startPart('endpoint-manager')
    write(500)
    await until('all lines are stored', allStored)
    expect(inOrder(stored('numbered'))).toEqual(expected())
  })

  it('delivers every line once while the agent is killed, its log is rotated, and search goes away', async () => {
    for (let round = 0; round < 4; round += 1) {
      write(1500)
      if (round === 1) search.unavailable = true
      await new Promise((resolve) => setTimeout(resolve, 150 * round))
      await kill('agent', 'SIGKILL')
      write(700)
      if (round === 2) renameSync(logFile(), file('logs/app.1.log'))
      search.unavailable = false
      startAgent()
    }
    await until('all lines are stored', allStored)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    expect(inOrder(stored('numbered'))).toEqual(expected())
  })

  it('keeps an event whose fields search refuses, as text, and goes on', async () => {
    // Measurements pass here as well: they have no message.
    search.refuse = (index, document) =>
      index !== 'logs-rejected-default' && (document as Partial<LogDocument>).message?.startsWith('poison')
        ? { status: 400, reason: 'not my type' }
        : undefined
    appendFileSync(logFile(), 'poison one\n')
    write(10)
    await until('the lines behind it are stored', allStored)
    const rejected = () => [...(search.indices.get('logs-rejected-default')?.values() ?? [])]
    await until('the event is kept', () => rejected().length > 0)
    const [kept] = rejected()
    expect(kept).toMatchObject({ error: { message: 'not my type' }, message: expect.stringContaining('poison one') })
    search.refuse = undefined
  })
})

describe('uninstall', () => {
  it('takes leave of agent-server, and goes on where nobody answers', async () => {
    await kill('agent', 'SIGTERM')
    const known = () => [...(search.indices.get('.logstack-agents')?.keys() ?? [])]
    expect(known()).toHaveLength(1)
    const identity = readFileSync(join(agentData(), 'identity.json'), 'utf8')
    expect(await run('uninstall')).toMatchObject({ code: 0, text: expect.stringMatching(/^removed [^\n]*\n$/) })
    expect(known()).toEqual([])
    expect(existsSync(join(agentData(), 'identity.json'))).toBe(false)
    writeFileSync(join(agentData(), 'identity.json'), identity.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'))
    const alone = await run('uninstall')
    expect(alone.code).toBe(0)
    expect(alone.text).toContain('https://127.0.0.1:1 was not told that this host left: cannot reach')
    expect(existsSync(join(agentData(), 'identity.json'))).toBe(false)
    writeFileSync(join(agentData(), 'identity.json'), identity.slice(0, 20))
    const broken = await run('uninstall')
    expect(broken).toMatchObject({ code: 0, text: expect.stringContaining('identity.json could not be read') })
    expect(existsSync(join(agentData(), 'identity.json'))).toBe(false)
  })
})
