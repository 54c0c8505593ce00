import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createAuthority, issueServerCertificate } from '@logstack/pki'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Stack, startStack } from './stack.ts'

interface Check {
  readonly name: string
  readonly status: string
  readonly problem?: string
  readonly evidence?: readonly string[]
}

interface Answer {
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly repairs: readonly { readonly check: string; readonly end: string; readonly detail: string }[]
}

const limitMs = 400_000
const program = fileURLToPath(new URL('../logstack', import.meta.url))
let stack: Stack

beforeAll(async () => {
  stack = await startStack()
}, limitMs)

afterAll(() => stack.down(), limitMs)

async function doctor(...options: string[]): Promise<Answer> {
  const { stdout, stderr } = await stack.logstack('doctor', '--json', ...options)
  if (!stdout.startsWith('{')) throw new Error(`doctor said no JSON: ${stdout}${stderr}`)
  return JSON.parse(stdout) as Answer
}

const faultsOf = ({ checks }: Answer): Check[] => checks.filter(({ status }) => status === 'fault')
const seen = (answer: Answer): string => JSON.stringify(answer.checks.filter(({ status }) => status !== 'healthy'))

/** Looks until the fault is named, as a busy machine may keep a look from ending; no other fault may ever be named. */
async function named(fault: string): Promise<Check> {
  return eventually(`doctor names ${fault}`, limitMs / 2, async () => {
    const answer = await doctor()
    for (const found of faultsOf(answer)) expect(found.name, seen(answer)).toBe(fault)
    return faultsOf(answer)[0]
  })
}

async function mended(fault: string): Promise<void> {
  const answer = await doctor('--repair', '--yes')
  expect(
    answer.repairs.find(({ check }) => check === fault),
    JSON.stringify(answer.repairs),
  ).toMatchObject({ end: 'mended' })
  expect(faultsOf(answer), seen(answer)).toEqual([])
  const { code, stdout } = await stack.logstack('verify')
  expect(code, stdout).toBe(0)
}

test(
  'a healthy stack has no fault',
  async () => {
    const answer = await doctor()
    expect(faultsOf(answer), seen(answer)).toEqual([])
  },
  limitMs,
)

test(
  'a supervisor that was killed is named with the parts it left, and all runs again',
  async () => {
    await stack.search('PUT', '/kept/_doc/1?refresh=true', { number: 1 })
    const state = JSON.parse(readFileSync(join(stack.dataDir, 'run/supervisor.json'), 'utf8')) as {
      supervisor: { pid: number }
    }
    process.kill(state.supervisor.pid, 'SIGKILL')
    const { evidence } = await named('supervisor')
    expect(evidence?.join('\n')).toMatch(/logstack-search runs on as process \d+/)
    await mended('supervisor')
    expect(await stack.search('GET', '/kept/_doc/1')).toMatchObject({ status: 200 })
  },
  limitMs,
)

test(
  'a marker file that is gone is written anew after what it marks was read back',
  async () => {
    rmSync(join(stack.dataDir, 'opt/logstack/FLEET_SETUP_FINISHED'))
    expect((await named('markers')).problem).toContain('FLEET_SETUP_FINISHED is missing')
    await mended('markers')
  },
  limitMs,
)

test(
  'a foreign certificate is named while it is in the file and, once that is right again, while the part shows it',
  async () => {
    const certs = join(stack.dataDir, 'var/lib/logstack/volumes/logstack_certs')
    const files = ['crt', 'key'].map((kind) => join(certs, `endpoint-manager.${kind}`))
    const own = files.map((file) => readFileSync(file))
    const foreign = await createAuthority({ commonName: 'foreign.example' })
    const leaf = await issueServerCertificate(foreign, { commonName: 'foreign.example', hosts: ['127.0.0.1'] })
    for (const [at, file] of files.entries()) writeFileSync(file, at === 0 ? leaf.cert : leaf.key)
    expect((await named('certificates')).problem).toContain('endpoint-manager is not signed by the authority')
    expect((await stack.logstack('restart', 'endpoint-manager')).code).toBe(0)
    for (const [at, file] of files.entries()) writeFileSync(file, own[at] ?? '')
    expect((await named('certificates')).problem).toContain(
      'is not served: endpoint-manager shows the certificate of [foreign.example]',
    )
    await mended('certificates')
  },
  limitMs,
)

test(
  'a line that is no assignment in the environment file is told with its number',
  async () => {
    appendFileSync(join(stack.dataDir, 'opt/logstack/logstack-environment.env'), 'please restart\n')
    expect((await named('environment-file')).problem).toMatch(/:\d+: \[please restart\] is no NAME=value/)
    await mended('environment-file')
  },
  limitMs,
)

test(
  'a stack that was stopped is not running, and doctor starts it',
  async () => {
    await stack.logstack('down')
    expect((await named('parts-down')).problem).toBe('the stack is not running')
    await mended('parts-down')
  },
  limitMs,
)

test(
  'a repair that is ended by Ctrl-C leaves its line in the audit log and nothing in the way; meanwhile a second one is refused',
  async () => {
    await stack.logstack('down')
    const repairing = spawn(program, ['doctor', '--repair', '--yes'], {
      env: { ...process.env, LOGSTACK_DATA: stack.dataDir },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(repairing, 'close')
    let told = ''
    repairing.stderr.on('data', (chunk) => {
      told += String(chunk)
    })
    await eventually('the repair begins', limitMs / 2, async () => /^FAULT {5}five parts up/m.test(told) || undefined)
    const second = await stack.logstack('doctor', '--repair', '--yes', '--json')
    expect(second.code).not.toBe(0)
    const { error } = JSON.parse(second.stdout) as { error: { code: string; message: string; fix: string } }
    expect(error).toMatchObject({ code: 'operator_busy', fix: expect.stringContaining(`kill ${repairing.pid}`) })
    repairing.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    expect(told).toContain('SIGINT: the repair of parts-down was cut off; what was done stays')
    expect(existsSync(join(stack.dataDir, 'run/operator.lock'))).toBe(false)
    const audit = readFileSync(join(stack.dataDir, 'var/log/logstack/doctor-audit.log'), 'utf8').trim().split('\n')
    expect(JSON.parse(audit.at(-1) ?? '')).toMatchObject({ check: 'parts-down', end: 'interrupted', detail: 'SIGINT' })
    await mended('parts-down')
  },
  limitMs,
)

test(
  'a check that does not exist is refused in words and as JSON, and a reader that goes away gets no trace',
  async () => {
    const { code, stdout, stderr } = await stack.logstack('doctor', '--only', 'nonsense', '--json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'option_invalid' } })
    expect(stderr).toMatch(/^logstack: there is no check \[nonsense\]\n {2}fix: use one of: container-runtime, /)
    const env = { ...process.env, LOGSTACK_DATA: stack.dataDir }
    const piped = await promisify(execFile)('bash', ['-c', '"$0" doctor 2>&1 | head -n 1', program], { env })
    expect(piped).toEqual({ stdout: expect.stringMatching(/^\w+ +\w[^\n]*\n$/), stderr: '' })
  },
  limitMs,
)

test(
  'another program on a port of a stopped stack is named with its process',
  async () => {
    await stack.logstack('down')
    const server = await listen(8220 + stack.portOffset)
    try {
      const answer = await doctor()
      const problem = faultsOf(answer).find(({ name }) => name === 'ports')?.problem
      expect(problem, seen(answer)).toContain(
        `port ${8220 + stack.portOffset}, which logstack-agent-server needs, is used by`,
      )
      expect(problem).toContain(`(process ${process.pid})`)
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
    await mended('parts-down')
  },
  limitMs,
)

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    // Who asks is sent away: a connection that nobody reads would keep the server from closing.
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

test(
  'a search that was emptied through its API, below running parts, is furnished again by up and doctor',
  async () => {
    const everything = ['/*?expand_wildcards=all', '/_data_stream/*?expand_wildcards=all', '/_index_template/*']
    // In any order something of it fails: a backing index cannot go without its stream, nor a template that a stream uses.
    for (const path of [...everything, ...everything]) await stack.search('DELETE', path)
    for (const kind of ['user', 'role'] as const) {
      const { body } = await stack.search('GET', `/_security/${kind}`)
      const names = Object.entries(body as Record<string, { metadata?: { _reserved?: boolean } }>)
      for (const [name, { metadata }] of names)
        if (!metadata?._reserved) await stack.search('DELETE', `/_security/${kind}/${name}`)
    }
    // As a part would, whose account were still there.
    const silence = { from: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z', by: 'elastic', rule: 'none' }
    await stack.search('PUT', '/.logstack-alerts-silences/_doc/1?refresh=true', silence)
    const found = faultsOf(await doctor()).map(({ name }) => name)
    expect(found).toEqual(expect.arrayContaining(['service-passwords', 'index-templates', 'state-indices']))

    expect((await stack.logstack('down')).code).toBe(0)
    const up = await stack.logstack('up', '--detach', '--port-offset', String(stack.portOffset))
    expect(up.code, up.stdout + up.stderr).toBe(0)
    const answer = await doctor('--repair', '--yes')
    expect(faultsOf(answer), seen(answer)).toEqual([])
    const verify = await stack.logstack('verify')
    expect(verify.code, verify.stdout).toBe(0)
  },
  limitMs,
)
