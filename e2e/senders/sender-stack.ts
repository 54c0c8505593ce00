import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accountOf } from '@logstack/contracts'
import { indexTemplates } from '@logstack/ecs'
import { SearchClient } from '@logstack/search-client'
import { freePort, startSearch, type TestSearch, tempDir, testCertificates } from '@logstack/testkit'
import { eventually } from '../stack.ts'

const startLimitMs = 120_000
const arriveLimitMs = 120_000
const password = 'service-account-password'
const program = fileURLToPath(new URL('../../dist/endpoint-manager.mjs', import.meta.url))

/** Search and endpoint-manager as programs of their own, with every way in open. */
export interface SenderStack {
  readonly search: TestSearch
  readonly client: SearchClient
  /** The file with the authority's certificate. */
  readonly caFile: string
  readonly ports: Readonly<Record<'https' | 'syslog' | 'syslogTls', number>>
  /** Waits until a search for `query` in these indices finds `count` documents; their sources by `@timestamp`. Fails when there are more. */
  arrived(indices: string, query: object, count: number): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

/** Starts both; what endpoint-manager logged is in the error when it does not start. */
export async function startSenderStack(): Promise<SenderStack> {
  const folder = tempDir('logstack-senders')
  const search = await startSearch()
  const client = new SearchClient({ url: search.url, ca: search.ca, credentials: search })
  const certificates = await testCertificates()
  const ports = { https: await freePort(), syslog: await freePort(), syslogTls: await freePort() }
  await prepareSearch(client, folder.path)
  writeFileSync(join(certificates.dir, 'agents-ca.crt'), certificates.ca)
  const readyFile = join(folder.path, 'ready')
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env['PATH'],
      LOGSTACK_LISTEN: `127.0.0.1:${ports.https}`,
      LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${ports.syslog}`,
      LOGSTACK_SYSLOG_TLS_LISTEN: `127.0.0.1:${ports.syslogTls}`,
      LOGSTACK_SEARCH_URL: search.url,
      LOGSTACK_DATA_DIR: join(folder.path, 'data'),
      LOGSTACK_CERTS_DIR: certificates.dir,
      LOGSTACK_SECRETS_DIR: join(folder.path, 'secrets'),
      LOGSTACK_RULES_DIR: fileURLToPath(new URL('../../rules', import.meta.url)),
      LOGSTACK_READY_FILE: readyFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stop = async (): Promise<void> => {
    await ended(child)
    client.close()
    await search.stop()
    folder.remove()
  }
  await started(child, readyFile, stop)
  const arrived: SenderStack['arrived'] = (indices, query, count) =>
    eventually(`${count} documents in ${indices}`, arriveLimitMs, () => found(client, indices, query, count))
  return { search, client, caFile: join(certificates.dir, 'root-ca.crt'), ports, arrived, stop }
}

/** The account of the endpoint-manager and the stack's index templates. */
async function prepareSearch(client: SearchClient, folder: string): Promise<void> {
  const { username, role } = accountOf('endpoint-manager')
  const { name, ...privileges } = role
  await client.request({ method: 'PUT', path: `/_security/role/${name}`, body: privileges })
  await client.request({ method: 'PUT', path: `/_security/user/${username}`, body: { password, roles: [name] } })
  for (const { name, body } of indexTemplates()) {
    await client.request({ method: 'PUT', path: `/_index_template/${name}`, body })
  }
  for (const made of ['secrets', 'data']) mkdirSync(join(folder, made), { mode: 0o700 })
  writeFileSync(join(folder, 'secrets', username), `${password}\n`)
}

async function started(child: ChildProcess, readyFile: string, stop: () => Promise<void>): Promise<void> {
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      log = `${log}${bytes.toString('utf8')}`.slice(-4_000)
    })
  }
  process.once('exit', () => child.kill('SIGKILL'))
  try {
    await eventually('endpoint-manager is ready', startLimitMs, async () => {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`)
      return existsSync(readyFile) ? true : undefined
    })
  } catch (thrown) {
    await stop()
    throw new Error(`endpoint-manager did not start:\n${log}`, { cause: thrown })
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM')) await once(child, 'exit')
}

async function found(client: SearchClient, indices: string, query: object, count: number) {
  const body = { query, size: 10_000, sort: [{ '@timestamp': 'asc' }] }
  const path = `/${indices}/_search?ignore_unavailable=true`
  const answer = await client.request<{ hits: { hits: { _source: Record<string, unknown> }[] } }>({
    method: 'POST',
    path,
    body,
  })
  const sources = answer.body.hits.hits.map(({ _source }) => _source)
  if (sources.length !== count) throw new Error(`${sources.length} of ${count}`)
  return sources
}
