// Measures endpoint-manager while thousands of connections misbehave: `node tools/build.mjs endpoint-manager && node tools/run-ts.mjs bench/connections.ts
// [connections] [KB of a body]`. One kind of them after another is opened from this process, held for twenty seconds and closed. Meanwhile twenty agents send a
// batch a second, and two programs send events with a user's password; search is one in memory in this process. Prints Markdown.
import { Agent, request } from 'node:https'
import { connect as connectPlain, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { startEndpointManager } from './endpoint-manager.ts'
import { processorMs, residentMb } from './process-times.ts'

const [count = 5_000, bodyKb = 64] = process.argv.slice(2).map(Number)
const keptMs = 20_000
const opensAtOnce = 100
const manager = await startEndpointManager(['sender:secret'])
const { pid, port, syslogPort, ca } = manager

const senderHeader = `Basic ${Buffer.from('sender:secret').toString('base64')}`
const stranger = `authorization: Basic ${Buffer.from('nobody:nothing').toString('base64')}\r\n`
/** A head that announces sixteen megabytes less one, and the beginning of what it announces. */
const begun = (path: string, fields = ''): string =>
  `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${fields}content-length: 16777215\r\n\r\n${' '.repeat(bodyKb * 1024)}`
const secure = async (told: string | undefined, identity?: { cert: string; key: string }): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connectTls({ host: '127.0.0.1', port, ca, ...identity }, () => {
      if (told !== undefined) socket.write(told)
      resolve(socket)
    })
    socket.on('error', () => resolve(socket))
  })
const plain = async (to: number, told?: Buffer): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connectPlain(to, '127.0.0.1', () => {
      if (told) socket.write(told)
      resolve(socket)
    })
    socket.on('error', () => resolve(socket))
  })

const broken = await manager.newAgent()
interface Kind {
  readonly name: string
  open(n: number): Promise<Socket>
  /** Whether what comes back is left unread. */
  readonly isDeaf?: true
}
const kinds: readonly Kind[] = [
  { name: 'silent from the first byte on', open: () => plain(port) },
  { name: 'a handshake that stops', open: () => plain(port, Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01])) },
  { name: 'no request', open: () => secure(undefined) },
  { name: 'half a head', open: () => secure('POST /v1/logs HTTP/1.1\r\nhost: ') },
  { name: 'a body for no path', open: () => secure(begun('/nothing')) },
  { name: 'a body without a certificate', open: () => secure(begun(`/api/agents/${broken.id}/events`)) },
  { name: 'a body without a password', open: () => secure(begun('/api/events/app')) },
  { name: 'a body with a wrong password', open: () => secure(begun('/v1/logs', stranger)) },
  {
    name: "a user's body that never ends",
    open: () => secure(begun('/api/events/app', `authorization: ${senderHeader}\r\n`)),
  },
  { name: "an agent's body that never ends", open: () => secure(begun(`/api/agents/${broken.id}/events`), broken) },
  {
    name: 'a hundred requests, no answer read',
    open: () => secure('GET /api/status HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(100)),
    isDeaf: true,
  },
  { name: 'syslog, silent', open: () => plain(syslogPort) },
]

const taken: number[] = []
const refused = new Map<string, number>()
let isOver = false

/** One request; its time in milliseconds when it was taken. */
function post(agent: Agent, path: string, headers: Record<string, string>, body: string): Promise<void> {
  const from = performance.now()
  const note = (said: string): void => void refused.set(said, (refused.get(said) ?? 0) + 1)
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(60_000)
    const options = { agent, host: '127.0.0.1', port, method: 'POST', path, signal }
    const outgoing = request({ ...options, headers: { ...headers, 'content-length': body.length } }, (incoming) => {
      incoming.on('error', () => resolve())
      incoming.resume().on('end', () => {
        if (incoming.statusCode === 200) taken.push(performance.now() - from)
        else note(String(incoming.statusCode))
        resolve()
      })
    })
    outgoing.on('error', (thrown) => {
      note((thrown as { code?: string }).code ?? thrown.message)
      resolve()
    })
    outgoing.end(body)
  })
}

async function goodAgent(): Promise<void> {
  const { id, cert, key } = await manager.newAgent()
  const agent = new Agent({ ca, cert, key, keepAlive: true, maxSockets: 1 })
  const header = { agent: { id, name: id, version: '0.1.0' }, spool: '0a1b2c3d', common: { host: { name: id } } }
  for (let offset = 0; !isOver; offset += 50) {
    const lines = Array.from({ length: 50 }, (_, n) => ({
      offset: offset + n,
      time: 1_795_000_000_000,
      data_stream: { type: 'logs', dataset: 'app' },
      event: { message: `something happened, for the ${offset + n}th time` },
    }))
    const body = [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
    await post(agent, `/api/agents/${id}/events`, {}, body)
    await sleep(1_000)
  }
  agent.destroy()
}

async function goodUser(): Promise<void> {
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 1 })
  for (; !isOver; await sleep(1_000))
    await post(agent, '/api/events/app', { authorization: senderHeader }, '{"message":"hello"}')
  agent.destroy()
}

const probe = new Agent({ ca })
while (taken.length === 0) {
  await post(probe, '/api/events/app', { authorization: senderHeader }, '{"message":"hello"}')
  await sleep(200)
}
const lives = [...Array.from({ length: 20 }, goodAgent), ...Array.from({ length: 2 }, goodUser)]
await sleep(5_000)
process.stdout.write(
  `| ${count.toLocaleString('en')} connections | answered at once | closed by then | memory before, at most, after | processor | good requests taken, slowest | not taken |\n|---|---|---|---|---|---|---|\n`,
)

async function measure(kind: Kind): Promise<void> {
  taken.length = 0
  refused.clear()
  const before = residentMb(pid)
  const cpu = processorMs(pid)
  let peak = before
  const watching = setInterval(() => {
    peak = Math.max(peak, residentMb(pid))
  }, 100)
  const answers = new Map<string, number>()
  const sockets: Socket[] = []
  const from = performance.now()
  let closed = 0
  for (let n = 0; n < count; n += opensAtOnce) {
    const some = await Promise.all(
      Array.from({ length: Math.min(opensAtOnce, count - n) }, (_, at) => kind.open(n + at)),
    )
    for (const socket of some) {
      sockets.push(socket)
      if (socket.destroyed) closed += 1
      socket.on('close', () => {
        closed += 1
      })
      if (kind.isDeaf) socket.pause()
      else
        socket.once('data', (data: Buffer) => {
          const status = /^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 'other'
          answers.set(status, (answers.get(status) ?? 0) + 1)
        })
    }
  }
  await sleep(keptMs)
  const closedByThen = closed
  const tookS = (performance.now() - from) / 1_000
  const used = processorMs(pid) - cpu
  const [good, slowest] = [taken.length, Math.max(0, ...taken)]
  clearInterval(watching)
  for (const socket of sockets) socket.destroy()
  await sleep(5_000)
  process.stdout.write(
    `| ${kind.name} | ${JSON.stringify(Object.fromEntries(answers))} | ${closedByThen} | ${before.toFixed(0)}, ${peak.toFixed(0)}, ${residentMb(pid).toFixed(0)} MB | ${(used / 1_000).toFixed(1)} of ${tookS.toFixed(0)} s | ${good}, ${slowest.toFixed(0)} ms | ${JSON.stringify(Object.fromEntries(refused))} |\n`,
  )
}

for (const kind of kinds) await measure(kind)
isOver = true
await Promise.all(lives)
probe.destroy()
await manager.stop()
