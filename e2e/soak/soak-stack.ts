import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountOf } from '@logstack/contracts'
import { indexTemplates } from '@logstack/ecs'
import { createAuthority } from '@logstack/pki'
import { SearchClient } from '@logstack/search-client'
import { freePort, startSearch, type TestSearch, tempDir, testCertificates } from '@logstack/testkit'
import { eventually } from '../stack.ts'
import { CutProxy } from './cut-proxy.ts'

const dist = fileURLToPath(new URL('../../dist', import.meta.url))
const logCharactersMax = 6_000
const restartMs = 1_000
const startLimitMs = 120_000
const password = 'service-account-password'
const servers = ['agent-server', 'endpoint-manager'] as const
type Server = (typeof servers)[number]

/** Search, agent-server, endpoint-manager and agents as programs of their own, each of which can be killed, with lines between that can be cut. */
export interface SoakStack {
  readonly search: TestSearch
  /** Search as the administrator, past the lines. */
  readonly client: SearchClient
  /** The way to each server, for agents and for the servers themselves. */
  readonly lines: Readonly<Record<Server | 'search', CutProxy>>
  /** What can be killed: `search`, the servers, and the agents by their names. */
  readonly parts: readonly string[]
  folderOf(agent: string): string
  /** The end of what each program but search logged. */
  logs(): string
  /** Ends a part without warning and starts it again on its data. */
  kill(part: string): Promise<void>
  stop(): Promise<void>
}

/** Starts everything and enrols the agents, each following `*.log` of a folder of its own. */
export async function startSoakStack(agents: readonly string[]): Promise<SoakStack> {
  const folder = tempDir('logstack-soak')
  const search = await startSearch()
  const client = new SearchClient({ url: search.url, ca: search.ca, credentials: search })
  const programs = new Programs(folder.path)
  const ports = { 'agent-server': await freePort(), 'endpoint-manager': await freePort() }
  const lines = {
    search: await CutProxy.start(await freePort(), Number(new URL(search.url).port)),
    'agent-server': await CutProxy.start(await freePort(), ports['agent-server']),
    'endpoint-manager': await CutProxy.start(await freePort(), ports['endpoint-manager']),
  }
  const environment = await prepare(client, folder.path)
  for (const server of servers) {
    programs.start(server, [], {
      ...environment,
      LOGSTACK_LISTEN: `127.0.0.1:${ports[server]}`,
      LOGSTACK_SEARCH_URL: `https://127.0.0.1:${lines.search.port}`,
      LOGSTACK_ENDPOINT_MANAGER_URL: `https://logstack-endpoint-manager:${lines['endpoint-manager'].port}`,
    })
  }
  const url = `https://127.0.0.1:${lines['agent-server'].port}`
  const token = await openToken(new SearchClient({ url, ca: search.ca, credentials: search }))
  writeFileSync(join(folder.path, 'ca.crt'), search.ca)
  const folderOf = (agent: string): string => join(folder.path, `logs of ${agent}`)
  for (const agent of agents) {
    mkdirSync(folderOf(agent))
    const data = ['--data', join(folder.path, agent)]
    const enrol = ['enroll', '--url', url, '--token', token, '--ca', join(folder.path, 'ca.crt'), ...data]
    await programs.run(agent, 'agent', enrol)
    programs.start(agent, ['run', ...data], { LOGSTACK_AGENT_EXTRA_LOG_PATHS: `${folderOf(agent)}/*.log` }, 'agent')
  }
  return {
    search,
    client,
    lines,
    parts: ['search', ...servers, ...agents],
    folderOf,
    logs: () => [...servers, ...agents].map((name) => `== ${name}\n${programs.log(name)}`).join('\n'),
    async kill(part) {
      if (part !== 'search') return await programs.kill(part)
      await search.kill()
      await search.restart()
    },
    async stop() {
      await programs.stop()
      for (const line of Object.values(lines)) line.close()
      client.close()
      await search.stop()
      folder.remove()
    },
  }
}

/** The accounts of the servers, the stack's index templates, and what the servers find in their environment. */
async function prepare(client: SearchClient, folder: string): Promise<Record<string, string>> {
  const certificates = await testCertificates()
  const agentsAuthority = await createAuthority({ commonName: 'logstack agents CA' })
  const secrets = join(folder, 'secrets')
  for (const path of [secrets, join(folder, 'data')]) mkdirSync(path, { mode: 0o700 })
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), agentsAuthority.cert)
  writeFileSync(join(secrets, 'logstack_agents_ca_key'), agentsAuthority.key)
  for (const server of servers) {
    const { username, role } = accountOf(server)
    const { name, ...privileges } = role
    await client.request({ method: 'PUT', path: `/_security/role/${name}`, body: privileges })
    const account = { password, roles: [name] }
    await client.request({ method: 'PUT', path: `/_security/user/${username}`, body: account })
    writeFileSync(join(secrets, username), `${password}\n`)
  }
  for (const { name, body } of indexTemplates()) {
    await client.request({ method: 'PUT', path: `/_index_template/${name}`, body })
  }
  return {
    LOGSTACK_DATA_DIR: join(folder, 'data'),
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: secrets,
    LOGSTACK_RULES_DIR: fileURLToPath(new URL('../../rules', import.meta.url)),
    IPVAR: '127.0.0.1',
  }
}

/** Waits for agent-server, leaves the agents' own files as the only input, and makes a token to enrol with. */
async function openToken(agentServer: SearchClient): Promise<string> {
  const stream = { id: 'soak', data_stream: { type: 'logs', dataset: 'soak' }, paths: [], extra: true }
  const inputs = [{ id: 'file', type: 'file', streams: [stream] }]
  const path = '/api/fleet/agent_policies/default'
  await eventually('agent-server answers', startLimitMs, () =>
    agentServer.request({ method: 'PUT', path, body: { name: 'soak', inputs, collect_paths: [] } }),
  )
  const made = await agentServer.request<{ item: { api_key: string } }>({
    method: 'POST',
    path: '/api/fleet/enrollment_api_keys',
    body: {},
  })
  agentServer.close()
  return made.body.item.api_key
}

/** Node programs of `dist` as child processes, by a name; their output goes to `<name>.out` of a folder. */
class Programs {
  readonly #folder: string
  readonly #running = new Map<string, { child: ChildProcess; start: () => void }>()

  constructor(folder: string) {
    this.#folder = folder
    // A test that is ended must leave none behind.
    process.once('exit', () => {
      for (const { child } of this.#running.values()) child.kill('SIGKILL')
    })
  }

  start(name: string, argv: readonly string[], env: Readonly<Record<string, string>>, program = name): void {
    const start = (): void => {
      const child = this.#spawn(name, program, argv, env)
      this.#running.set(name, { child, start })
      // As systemd does with one that ends by itself: agent-server when it finds no search.
      child.once('exit', () => {
        setTimeout(() => {
          if (this.#running.get(name)?.child === child) start()
        }, restartMs)
      })
    }
    start()
  }

  /** Runs one to its end; throws when it fails. */
  async run(name: string, program: string, argv: readonly string[]): Promise<void> {
    const child = this.#spawn(name, program, argv, {})
    await ended(child)
    if (child.exitCode !== 0) throw new Error(`${program} ${argv[0]} ended with ${child.exitCode}`)
  }

  log(name: string): string {
    return readFileSync(join(this.#folder, `${name}.out`), 'utf8').slice(-logCharactersMax)
  }

  async kill(name: string): Promise<void> {
    const known = this.#running.get(name)
    if (!known) throw new Error(`BUG: no program ${name}`)
    known.child.kill('SIGKILL')
    await ended(known.child)
    known.start()
  }

  async stop(): Promise<void> {
    const children = [...this.#running.values()].map(({ child }) => child)
    this.#running.clear()
    for (const child of children) {
      child.kill('SIGTERM')
      await ended(child)
    }
  }

  #spawn(name: string, program: string, argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
    const child = spawn(process.execPath, [join(dist, `${program}.mjs`), ...argv], {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes: Buffer) => appendFileSync(join(this.#folder, `${name}.out`), bytes))
    }
    return child
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))
