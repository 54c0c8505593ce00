// Measures the agent itself, one or several builds of it: `node tools/run-ts.mjs bench/agent.ts [seconds] PROGRAM…`, where a program is dist/agent.mjs or one of
// dist/agents. Each is enrolled with a server that takes everything, follows the shipped policy and a log file, first left alone, then with 100 lines a
// second. Prints Markdown: start, memory from /proc/PID/smaps_rollup, processor time from /proc/PID/stat, what a line adds to that of the idle agent, and
// how long lines took. The inventory is looked at once a minute: windows of 60 seconds are comparable. Ends by itself.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { type AgentPolicy, agentRuntime } from '@logstack/contracts'
import { createAuthority, signClientRequest } from '@logstack/pki'
import { freePort, tempDir, testCertificates } from '@logstack/testkit'
import { defaultInputs } from '../apps/agent-server/src/policies/default-policy.ts'
import { processorMs } from './process-times.ts'

const perSecond = 100
const settleSeconds = 20
const [first = '', ...others] = process.argv.slice(2)
const seconds = Number(first) || 60
const programs = (Number(first) ? others : [first, ...others]).map((path) => resolve(path))
if (programs.length === 0) throw new Error('name at least one program: dist/agent.mjs')
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

/** A server that enrols everybody, hands out one policy, and acknowledges what it gets. */
async function startServer(port: number, logFile: string): Promise<{ server: Server; delaysMs: number[]; ca: string }> {
  const { cert, key, ca } = await testCertificates()
  const authority = await createAuthority({ commonName: 'bench' })
  const lines = { id: 'bench', data_stream: { type: 'logs' as const, dataset: 'bench' }, paths: [logFile] }
  const policy: AgentPolicy = {
    id: 'default',
    revision: 1,
    outputs: { default: { type: 'logstack', hosts: [`https://127.0.0.1:${port}`] } },
    inputs: [...defaultInputs, { id: 'bench', type: 'file', streams: [lines] }],
    fleet: { hosts: [] },
  }
  const delaysMs: number[] = []
  const answer = async (path: string, bytes: Buffer, isPacked: boolean): Promise<unknown> => {
    const text = (isPacked ? gunzipSync(bytes) : bytes).toString('utf8')
    if (path.endsWith('/events')) {
      const records = text.trim().split('\n').slice(1)
      const now = Date.now()
      for (const line of records.filter((one) => one.includes('"dataset":"bench"'))) {
        const { event } = JSON.parse(line) as { event: { message: string } }
        delaysMs.push(now - Date.parse(event.message.slice(0, event.message.indexOf(' '))))
      }
      return { acknowledged: (JSON.parse(records.at(-1) ?? '{}') as { offset: number }).offset + 1 }
    }
    const body = JSON.parse(text) as Record<string, string>
    if (path.endsWith('/enroll')) {
      const id = body['id'] ?? randomUUID()
      const certificate = await signClientRequest(authority, {
        request: body['certificate_request'] ?? '',
        commonName: id,
      })
      const access = { access_api_key_id: 'a', access_api_key: 'YTpi', certificate }
      return {
        action: 'created',
        item: { id, active: true, policy_id: 'default', type: 'PERMANENT', enrolled_at: '', ...access },
      }
    }
    if (path.endsWith('/acks')) return { action: 'acks', errors: false, items: [] }
    // The long poll of an agent that is up to date. It keeps no process alive, as it outlasts every agent here.
    if (body['policy_revision_idx'] !== undefined) await new Promise((done) => setTimeout(done, 300_000).unref())
    const change = { id: 'policy:default:1', agent_id: '', created_at: '', type: 'POLICY_CHANGE', data: { policy } }
    return { action: 'checkin', ack_token: '', actions: [change] }
  }
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const isPacked = request.headers['content-encoding'] === 'gzip'
      void answer(request.url ?? '', Buffer.concat(chunks), isPacked).then((value) =>
        response.end(JSON.stringify(value)),
      )
    })
  })
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return { server, delaysMs, ca }
}

function memoryOf(pid: number): { rss: number; pss: number; own: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const of = (name: string): number => Number(new RegExp(`^${name}: +(\\d+)`, 'm').exec(text)?.[1]) / 1024
  return { rss: of('Rss'), pss: of('Pss'), own: of('Private_Dirty') + of('Private_Clean') }
}

/** The command of a program: one that is no executable is run by this Node.js. */
const commandOf = (program: string): [string, ...string[]] =>
  program.endsWith('.mjs') ? [process.execPath, ...agentRuntime.options, program] : [program]

function startMs(program: string): number {
  const [command, ...argv] = commandOf(program)
  const times = Array.from({ length: 5 }, () => {
    const from = process.hrtime.bigint()
    spawnSync(command, [...argv, '--version'])
    return Number(process.hrtime.bigint() - from) / 1e6
  })
  return times.sort((left, right) => left - right)[2] ?? 0
}

interface Used {
  readonly cpuMsPerSecond: number
  /** As columns of the table. */
  readonly shown: string
}

async function over(agent: ChildProcess, windowSeconds: number): Promise<Used> {
  const pid = agent.pid ?? 0
  const before = processorMs(pid)
  const began = performance.now()
  let highest = 0
  for (let second = 0; second < windowSeconds; second += 1) {
    await sleep(1_000)
    highest = Math.max(highest, memoryOf(pid).rss)
  }
  const { rss, pss, own } = memoryOf(pid)
  const cpuMsPerSecond = ((processorMs(pid) - before) / (performance.now() - began)) * 1_000
  const memory = [rss, highest, pss, own].map((megabytes) => megabytes.toFixed(0))
  return { cpuMsPerSecond, shown: [...memory, `${(cpuMsPerSecond / 10).toFixed(2)} %`].join(' | ') }
}

async function measure(program: string): Promise<void> {
  const temporary = tempDir('logstack-bench-agent')
  const logFile = join(temporary.path, 'bench.log')
  writeFileSync(logFile, '')
  const port = await freePort()
  const { server, delaysMs, ca } = await startServer(port, logFile)
  const [command, ...argv] = commandOf(program)
  writeFileSync(join(temporary.path, 'ca.crt'), ca)
  writeFileSync(join(temporary.path, 'token'), 'YTpi')
  const data = ['--data', join(temporary.path, 'data')]
  const trust = [
    '--url',
    `https://127.0.0.1:${port}`,
    '--ca',
    join(temporary.path, 'ca.crt'),
    '--token-file',
    join(temporary.path, 'token'),
  ]
  const size = (statSync(program).size / 1e6).toFixed(1)
  const start = startMs(program)
  const enrolling = spawn(command, [...argv, 'enroll', ...data, ...trust], { stdio: 'inherit' })
  await new Promise((done) => enrolling.once('exit', done))
  const agent = spawn(command, [...argv, 'run', ...data], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...agentRuntime.environment },
  })
  let hasEnded = false
  agent.once('exit', () => {
    hasEnded = true
  })
  try {
    await sleep(settleSeconds * 1_000)
    const name = program.split('/').at(-1)
    const idle = await over(agent, seconds)
    print(`| ${name} | ${size} | ${start.toFixed(0)} | idle | ${idle.shown} | | |`)
    let written = 0
    const writing = setInterval(() => {
      const now = new Date().toISOString()
      const lines = Array.from(
        { length: perSecond / 10 },
        (_, index) => `${now} app[1]: request ${written + index} of user7 from 10.0.0.7 took 12 ms, status 200\n`,
      )
      appendFileSync(logFile, lines.join(''))
      written += lines.length
    }, 100)
    const busy = await over(agent, seconds)
    clearInterval(writing)
    await sleep(3_000)
    const line = ((busy.cpuMsPerSecond - idle.cpuMsPerSecond) * 1_000) / perSecond
    const sorted = delaysMs.sort((left, right) => left - right)
    const delay = [0.5, 0.95].map((part) => sorted[Math.floor(sorted.length * part)]).join(', ')
    const what = `${perSecond} lines/s: ${delaysMs.length} of ${written} arrived`
    print(`| ${name} | | | ${what} | ${busy.shown} | ${line.toFixed(0)} µs | ${delay} ms |`)
  } finally {
    if (!hasEnded) {
      const ended = new Promise((done) => agent.once('exit', done))
      agent.kill()
      await ended
    }
    server.closeAllConnections()
    server.close()
    temporary.remove()
  }
}

print(
  '| program | MB | start, ms | | resident, MB | highest | PSS | its own | of a core | a line | from written to sent, median, 95 % |',
)
print('|---|---|---|---|---|---|---|---|---|---|---|')
for (const program of programs) await measure(program)
