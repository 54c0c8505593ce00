import { execFile, spawn } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const checkout = fileURLToPath(new URL('..', import.meta.url))

/** A whole stack of its own, started and stopped through the command a user types. */
export interface Stack {
  readonly dataDir: string
  readonly portOffset: number
  readonly searchUrl: string
  readonly dashboardUrl: string
  readonly ca: string
  readonly password: string
  /** Runs `./logstack …` against this stack; never throws for an exit code. */
  logstack(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }>
  /** A request to search as the administrator. */
  search(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>
  down(): Promise<void>
}

// Ports far from the defaults, apart for files that run beside each other, and below those the system gives to outgoing connections.
function randomOffset(): number {
  const isOdd = Number(process.env['VITEST_POOL_ID'] ?? 0) % 2
  return 10_000 + 10 * (2 * Math.floor(Math.random() * 500) + isOdd)
}

/** Starts a stack; `config` is what an operator would add to `config/<part>.yml` of the installed tree before a second start, `args` what `up` is told besides, `commandLimitMs` the time a command may take. */
export async function startStack(
  options: { config?: Record<string, string>; args?: readonly string[]; commandLimitMs?: number } = {},
): Promise<Stack> {
  const dataDir = mkdtempSync(join(tmpdir(), 'logstack e2e-'))
  const portOffset = randomOffset()
  const env = { ...process.env, LOGSTACK_DATA: dataDir }
  const logstack: Stack['logstack'] = async (...args) => {
    try {
      const { stdout, stderr } = await run(join(checkout, 'logstack'), args, {
        env,
        timeout: options.commandLimitMs ?? 280_000,
        maxBuffer: 1 << 24,
      })
      return { code: 0, stdout, stderr }
    } catch (thrown) {
      const { code, stdout, stderr } = thrown as { code?: number; stdout?: string; stderr?: string }
      return { code: typeof code === 'number' ? code : 1, stdout: stdout ?? '', stderr: stderr ?? String(thrown) }
    }
  }
  const down = async (): Promise<void> => {
    await logstack('down')
    rmSync(dataDir, { recursive: true, force: true })
  }
  const up = async (): Promise<void> => {
    const { code, stdout, stderr } = await logstack(
      'up',
      '--detach',
      '--port-offset',
      String(portOffset),
      ...(options.args ?? []),
    )
    if (code === 0) return
    await down()
    throw new Error(`./logstack up ended with ${code}\n${stdout}\n${stderr}`)
  }
  await up()
  if (options.config) {
    await logstack('down')
    for (const [part, lines] of Object.entries(options.config)) {
      appendFileSync(join(dataDir, `opt/logstack/config/${part}.yml`), `\n${lines}\n`)
    }
    await up()
  }
  const password = (await logstack('password', 'show')).stdout.trim()
  const ca = readFileSync(join(dataDir, 'opt/logstack/Chapter 3 Files/certs/root-ca.crt'), 'utf8')
  const searchUrl = `https://127.0.0.1:${9200 + portOffset}`
  const search: Stack['search'] = (method, path, body) =>
    sendJson(`${searchUrl}${path}`, { method, ca, user: `elastic:${password}`, body })
  return {
    dataDir,
    portOffset,
    searchUrl,
    dashboardUrl: `https://127.0.0.1:${5601 + portOffset}`,
    ca,
    password,
    logstack,
    search,
    down,
  }
}

/** One HTTPS request with JSON in and out. */
export function sendJson(
  url: string,
  options: { method?: string; ca: string; user?: string; body?: unknown; headers?: Readonly<Record<string, string>> },
): Promise<{ status: number; body: unknown }> {
  const payload =
    options.body === undefined
      ? undefined
      : typeof options.body === 'string'
        ? options.body
        : JSON.stringify(options.body)
  const headers: Record<string, string> = {
    ...options.headers,
    ...(options.user ? { authorization: `Basic ${Buffer.from(options.user).toString('base64')}` } : {}),
    ...(payload === undefined
      ? {}
      : { 'content-type': typeof options.body === 'string' ? 'application/x-ndjson' : 'application/json' }),
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: options.method ?? 'GET', ca: options.ca, headers, timeout: 60_000 },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          const isJson = String(incoming.headers['content-type']).includes('json')
          resolve({ status: incoming.statusCode ?? 0, body: isJson ? JSON.parse(text) : text })
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(payload)
  })
}

/** Polls until `probe` gives a value; the last failure is the reason when the time is over. */
export async function eventually<T>(what: string, limitMs: number, probe: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + limitMs
  let last: unknown
  while (Date.now() < end) {
    try {
      const value = await probe()
      if (value !== undefined) return value
    } catch (thrown) {
      last = thrown
    }
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  const why = last instanceof Error ? `: ${last.message}` : ''
  throw new Error(`${what}: not within ${limitMs} ms${why}`, { cause: last })
}

/** Whether a program is installed on this machine. */
export async function hasProgram(name: string): Promise<boolean> {
  const child = spawn('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
  return await new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}

/** A line of sshd as syslog writes it to a file: root's password was wrong, from 203.0.113.9. */
export function failedLogin(host: string, port: number): string {
  const now = new Date().toString().split(' ')
  return `${now[1]} ${String(Number(now[2])).padStart(2)} ${now[4]} ${host} sshd[4242]: Failed password for root from 203.0.113.9 port ${port} ssh2\n`
}
