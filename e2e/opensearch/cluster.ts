import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createAuthority, issueClientCertificate, issueServerCertificate } from '@logstack/pki'
import { freePort } from '@logstack/testkit'
import { eventually, hasProgram, sendJson } from '../stack.ts'

const run = promisify(execFile)
const tools = fileURLToPath(new URL('../../tools/opensearch', import.meta.url))
/** What was fetched once serves all runs. */
const fetched = process.env['LOGSTACK_OPENSEARCH_DIR'] ?? join(tmpdir(), 'logstack-opensearch-2.19')
const fetchLimitMs = 280_000
const startLimitMs = 600_000

const plugins = [
  'transport.Netty4Plugin',
  'painless.PainlessPlugin',
  'search.aggregations.matrix.MatrixAggregationPlugin',
  'analysis.common.CommonAnalysisPlugin',
  'geo.GeoModulePlugin',
  'script.mustache.MustachePlugin',
  'index.mapper.MapperExtrasPlugin',
  'join.ParentJoinPlugin',
  'index.reindex.ReindexPlugin',
  'security.OpenSearchSecurityPlugin',
]

/** A cluster of two nodes with TLS and the security plugin: the first manages, both hold data. */
export interface OpenSearchCluster {
  /** Of the first and of the second node. */
  readonly urls: readonly [string, string]
  readonly caFile: string
  /** What is in it. */
  readonly ca: string
  /** The plugin's own administrator. */
  readonly admin: { readonly username: string; readonly password: string }
  request(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  /** Ends the second node at once, without a farewell. */
  killSecond(): Promise<void>
  stop(): Promise<void>
}

/** Why there can be no cluster here; undefined when there can. Fetches it, where that has not been done. */
export async function whyNoOpenSearch(): Promise<string | undefined> {
  for (const program of ['mvn', 'java', 'jar']) if (!(await hasProgram(program))) return `no ${program}`
  try {
    await run(join(tools, 'fetch-secured.sh'), [fetched], { timeout: fetchLimitMs })
    return undefined
  } catch {
    return 'Maven Central is out of reach'
  }
}

/** Starts both nodes and waits until they are one cluster. */
export async function startOpenSearch(): Promise<OpenSearchCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'logstack-opensearch-run-'))
  const ports = await Promise.all(Array.from({ length: 4 }, () => freePort()))
  const [firstPort = 0, secondPort = 0, ...transport] = ports
  await writeCertificates(folder)
  const nodes = [firstPort, secondPort].map((port, at) => startNode({ folder, at, port, transport }))
  const urls = [`https://127.0.0.1:${firstPort}`, `https://127.0.0.1:${secondPort}`] as const
  const caFile = join(folder, 'ca.crt')
  const ca = readFileSync(caFile, 'utf8')
  // The plugin's demonstration users: the tests' own cluster, for minutes, on loopback.
  const admin = { username: 'admin', password: 'admin' }
  const request: OpenSearchCluster['request'] = (method, path, body) =>
    sendJson(`${urls[0]}${path}`, { method, ca, user: `${admin.username}:${admin.password}`, body })
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map(end))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await eventually('two nodes of OpenSearch', startLimitMs, async () => {
      const { status, body } = await request('GET', '/_cluster/health')
      const { number_of_nodes: count, status: colour } = body as { number_of_nodes?: number; status?: string }
      return status === 200 && count === 2 && colour === 'green' ? true : undefined
    })
  } catch (thrown) {
    await stop()
    throw thrown
  }
  return { urls, caFile, ca, admin, request, killSecond: () => end(nodes[1] as ChildProcess), stop }
}

async function end(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return
  const ended = once(node, 'exit')
  node.kill('SIGKILL')
  await ended
}

async function writeCertificates(folder: string): Promise<void> {
  const authority = await createAuthority({ commonName: 'authority of a foreign cluster' })
  const server = await issueServerCertificate(authority, { commonName: 'node', hosts: ['127.0.0.1'] })
  const client = await issueClientCertificate(authority, { commonName: 'node' })
  writeFileSync(join(folder, 'ca.crt'), authority.cert)
  for (const [name, pair] of Object.entries({ server, client })) {
    writeFileSync(join(folder, `${name}.crt`), pair.cert)
    writeFileSync(join(folder, `${name}.key`), pair.key, { mode: 0o600 })
  }
}

function startNode(of: { folder: string; at: number; port: number; transport: readonly number[] }): ChildProcess {
  const home = join(of.folder, `node-${of.at + 1}`)
  const config = join(home, 'config')
  for (const name of ['config', 'modules', 'plugins', 'logs']) mkdirSync(join(home, name), { recursive: true })
  cpSync(join(fetched, 'security/config'), join(config, 'opensearch-security'), { recursive: true })
  for (const name of ['ca.crt', 'server.crt', 'server.key', 'client.crt', 'client.key']) {
    cpSync(join(of.folder, name), join(config, name))
  }
  writeFileSync(join(config, 'opensearch.yml'), settingsOf(of))
  const log = openSync(join(home, 'out.log'), 'a')
  const classes = plugins.map((name) => `org.opensearch.${name}`).join(',')
  const argv = ['-Xms512m', '-Xmx512m', '-cp', `${fetched}/lib/*`, join(tools, 'RunNode.java'), home, classes]
  return spawn('java', argv, { stdio: ['ignore', log, log] })
}

function settingsOf({ at, port, transport }: { at: number; port: number; transport: readonly number[] }): string {
  const tls = (part: string, name: string): Record<string, string> => ({
    [`plugins.security.ssl.${part}.pemcert_filepath`]: `${name}.crt`,
    [`plugins.security.ssl.${part}.pemkey_filepath`]: `${name}.key`,
    [`plugins.security.ssl.${part}.pemtrustedcas_filepath`]: 'ca.crt',
  })
  const settings = {
    'cluster.name': 'foreign',
    'node.name': `foreign-${at + 1}`,
    'node.roles': at === 0 ? ['cluster_manager', 'data', 'ingest'] : ['data', 'ingest'],
    'network.host': '127.0.0.1',
    'http.port': port,
    'transport.port': transport[at],
    'discovery.seed_hosts': transport.map((one) => `127.0.0.1:${one}`),
    'cluster.initial_cluster_manager_nodes': ['foreign-1'],
    'cluster.routing.allocation.disk.threshold_enabled': false,
    'plugins.security.ssl.http.enabled': true,
    ...tls('http', 'server'),
    // Server and client have certificates of their own here.
    'plugins.security.ssl.transport.extended_key_usage_enabled': true,
    ...tls('transport.server', 'server'),
    ...tls('transport.client', 'client'),
    'plugins.security.ssl.transport.enforce_hostname_verification': false,
    'plugins.security.nodes_dn': ['CN=node'],
    'plugins.security.allow_default_init_securityindex': true,
    'plugins.security.restapi.roles_enabled': ['all_access'],
  }
  // JSON is YAML.
  return JSON.stringify(settings, undefined, 1)
}
