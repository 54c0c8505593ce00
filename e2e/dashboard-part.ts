import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { accountOf } from '@logstack/contracts'
import { SearchClient } from '@logstack/search-client'
import { freePort, startSearch, type TestSearch, tempDir, testCertificates } from '@logstack/testkit'

const root = fileURLToPath(new URL('..', import.meta.url))
const readyTimeMsMax = 180_000
const accountPassword = 'service-account-password'

/** A real search and the built dashboard on it, without the other parts. */
export interface DashboardPart {
  readonly search: TestSearch
  /** Search as the administrator. */
  readonly client: SearchClient
  readonly url: string
  /** Imports an export file as scripts do; answers what the API says. */
  importFile(path: string): Promise<ImportAnswer>
  /** Ends the dashboard's program and starts it again at the same address, on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface ImportAnswer {
  readonly success: boolean
  readonly successCount: number
  readonly errors?: readonly unknown[]
}

/** Starts both; the dashboard is the program in the `dist` of `checkout`, this one unless told. */
export async function startDashboardPart(checkout: string = root): Promise<DashboardPart> {
  const folder = tempDir('logstack-dashboard-e2e')
  const search = await startSearch()
  const client = new SearchClient({ url: search.url, ca: search.ca, credentials: search })
  await createAccount(client)
  const port = await freePort()
  const url = `https://127.0.0.1:${port}`
  const program = join(checkout, 'dist/dashboard.mjs')
  let child = await startDashboard(program, folder.path, search, port)
  const dashboard = new SearchClient({ url, ca: search.ca, credentials: search })
  return {
    search,
    client,
    url,
    importFile: (path) => importFile(dashboard, path),
    async restart() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      child = await startDashboard(program, folder.path, search, port)
    },
    async stop() {
      child.kill('SIGTERM')
      dashboard.close()
      client.close()
      await search.stop()
      folder.remove()
    },
  }
}

async function createAccount(client: SearchClient): Promise<void> {
  const { username, role } = accountOf('dashboard')
  const { name, ...privileges } = role
  await client.request({ method: 'PUT', path: `/_security/role/${name}`, body: privileges })
  const body = { password: accountPassword, roles: [name] }
  await client.request({ method: 'PUT', path: `/_security/user/${username}`, body })
}

async function startDashboard(
  program: string,
  dataDir: string,
  search: TestSearch,
  port: number,
): Promise<ChildProcess> {
  const certificates = await testCertificates()
  const secretsDir = join(dataDir, 'secrets')
  const readyFile = join(dataDir, 'ready')
  rmSync(readyFile, { force: true })
  mkdirSync(secretsDir, { recursive: true, mode: 0o700 })
  writeFileSync(join(secretsDir, accountOf('dashboard').username), `${accountPassword}\n`, { mode: 0o600 })
  const env = {
    PATH: process.env['PATH'],
    LOGSTACK_LISTEN: `127.0.0.1:${port}`,
    LOGSTACK_DATA_DIR: dataDir,
    LOGSTACK_CERTS_DIR: certificates.dir,
    LOGSTACK_SECRETS_DIR: secretsDir,
    LOGSTACK_SEARCH_URL: search.url,
    LOGSTACK_READY_FILE: readyFile,
  }
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  // A test that is ended must leave no dashboard behind.
  process.once('exit', () => child.kill('SIGKILL'))
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8')
    })
  }
  const deadline = Date.now() + readyTimeMsMax
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`dashboard did not become ready:\n${log}`)
    await sleep(50)
  }
  return child
}

async function importFile(client: SearchClient, path: string): Promise<ImportAnswer> {
  const head = '--edge\r\nContent-Disposition: form-data; name="file"; filename="import.ndjson"\r\n\r\n'
  const answer = await client.request<ImportAnswer>({
    method: 'POST',
    path: '/api/saved_objects/_import?overwrite=true',
    headers: { 'kbn-xsrf': 'true' },
    contentType: 'multipart/form-data; boundary=edge',
    body: Buffer.concat([Buffer.from(head), readFileSync(path), Buffer.from('\r\n--edge--\r\n')]),
  })
  return answer.body
}
