// Measures endpoint-manager when many agents come at once, as after an outage: `node tools/build.mjs endpoint-manager && node tools/run-ts.mjs
// bench/agent-storm.ts [agents] [batches] [events]`. Each agent has a connection with a certificate of its own. All start together, each sends one batch after another,
// and waits as agents do when it is refused; search is one in memory in this process. Prints Markdown.
import { Agent, request } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { BackOff } from '../apps/agent/src/back-off.ts'
import { startEndpointManager } from './endpoint-manager.ts'
import { processorMs, residentMb } from './process-times.ts'

const [count = 1_000, batches = 2, events = 500] = process.argv.slice(2).map(Number)
const manager = await startEndpointManager()
const { pid, port, ca, indices } = manager

interface Simulated {
  readonly id: string
  readonly connection: Agent
}

const answers = new Map<string, number>()

function post({ id, connection }: Simulated, body: Buffer): Promise<number> {
  const path = `/api/agents/${id}/events`
  const headers = {
    'content-type': 'application/x-ndjson',
    'content-encoding': 'gzip',
    'content-length': body.length,
  }
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(60_000)
    const options = { agent: connection, host: '127.0.0.1', port, method: 'POST', path, headers, signal }
    const outgoing = request(options, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.statusCode ?? 0))
      incoming.on('error', () => resolve(0))
    })
    outgoing.on('error', () => resolve(0))
    outgoing.end(body)
  })
}

function batchOf(id: string, from: number): Buffer {
  const header = { agent: { id, name: id, version: '0.1.0' }, spool: '0a1b2c3d', common: { host: { name: id } } }
  const lines = Array.from({ length: events }, (_, n) => ({
    offset: from + n,
    time: 1_795_000_000_000,
    data_stream: { type: 'logs', dataset: 'system.auth' },
    event: {
      message: `Nov 21 10:00:00 host sshd[${n}]: Accepted publickey for user${n} from 192.0.2.${n % 250} port ${20_000 + n} ssh2`,
    },
  }))
  return gzipSync(`${[header, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`, { level: 1 })
}

/** Sends all of an agent's batches; answers after how many milliseconds each was taken. */
async function sendAll(agent: Simulated, from: number): Promise<number[]> {
  const backOff = new BackOff({ firstMs: 500, longestMs: 10_000 })
  const taken: number[] = []
  for (let n = 0; n < batches; n += 1) {
    const body = batchOf(agent.id, n * events)
    for (;;) {
      const status = await post(agent, body)
      answers.set(String(status), (answers.get(String(status)) ?? 0) + 1)
      if (status === 200) break
      await sleep(backOff.next())
    }
    backOff.reset()
    taken.push(performance.now() - from)
  }
  return taken
}

const agents: Simulated[] = []
for (let n = 0; n < count; n += 1) {
  const { id, cert, key } = await manager.newAgent()
  agents.push({ id, connection: new Agent({ ca, cert, key, keepAlive: true, maxSockets: 1 }) })
}
const [first] = agents
while (first && (await post(first, batchOf(first.id, 0))) !== 200) await sleep(200)
const before = { cpuMs: processorMs(pid), residentMb: residentMb(pid) }
let peakMb = before.residentMb
const watching = setInterval(() => {
  peakMb = Math.max(peakMb, residentMb(pid))
}, 100)
const from = performance.now()
const all = await Promise.all(agents.map((agent) => sendAll(agent, from)))
const tookMs = performance.now() - from
clearInterval(watching)
const sorted = all.flat().sort((a, b) => a - b)
const at = (part: number): string => ((sorted[Math.floor((sorted.length - 1) * part)] ?? 0) / 1_000).toFixed(1)
const cpuMs = processorMs(pid) - before.cpuMs
const total = count * batches * events
const stored = [...indices].reduce((sum, [name, { size }]) => sum + (name.startsWith('logs-') ? size : 0), 0)
process.stdout.write(`| agents | events of each | took | a batch was taken after (median, 95 %, last) | processor | an event | memory before, at most | stored of ${total} | answers |
|---|---|---|---|---|---|---|---|---|
| ${count} | ${batches} batches of ${events} | ${(tookMs / 1_000).toFixed(1)} s | ${at(0.5)}, ${at(0.95)}, ${at(1)} s | ${(cpuMs / 1_000).toFixed(1)} s | ${((cpuMs * 1_000) / total).toFixed(1)} µs | ${before.residentMb.toFixed(0)}, ${peakMb.toFixed(0)} MB | ${stored} | ${JSON.stringify(Object.fromEntries(answers))} |
`)
for (const { connection } of agents) connection.destroy()
await manager.stop()
