// Measures endpoint-manager: `node tools/run-ts.mjs bench/endpoints.ts [events] [alone]`. Decoding alone, detections on top, then syslog over TCP and UDP through
// the inputs into a real search in a process of its own. Prints Markdown. Figures of one run are comparable with each other only.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { indexTemplates } from '@logstack/ecs'
import { createLogger } from '@logstack/logging'
import { readPartEnvironment } from '@logstack/part'
import { SearchClient } from '@logstack/search-client'
import { LiveSettings } from '@logstack/settings'
import { freePort, startSearch } from '@logstack/testkit'
import { readDecoderFiles } from '../apps/endpoint-manager/src/decoders/decoder-file.ts'
import { Decoders } from '../apps/endpoint-manager/src/decoders/decoders.ts'
import { readDetections } from '../apps/endpoint-manager/src/detections/detection-set.ts'
import { Detector } from '../apps/endpoint-manager/src/detections/detector.ts'
import { buildDocument } from '../apps/endpoint-manager/src/ecs/build-document.ts'
import { syslogEvent } from '../apps/endpoint-manager/src/inputs/syslog/syslog-event.ts'
import { syslogInput } from '../apps/endpoint-manager/src/inputs/syslog.ts'
import { InputLosses } from '../apps/endpoint-manager/src/outputs/input-losses.ts'
import { SearchOutput } from '../apps/endpoint-manager/src/outputs/search-output.ts'
import { endpointManagerSettings } from '../apps/endpoint-manager/src/settings.ts'

const count = Number(process.argv[2] ?? 200_000)
const udpPerSecond = 10_000
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

const texts = [
  (n: number) =>
    `sshd[${n}]: Failed password for user${n % 500} from 10.0.${n % 200}.${n % 250} port ${1024 + (n % 60000)} ssh2`,
  (n: number) => `sudo: alice : TTY=pts/0 ; PWD=/home/alice ; USER=root ; COMMAND=/usr/bin/apt update ${n}`,
  (n: number) =>
    `kernel: [UFW BLOCK] IN=eth0 OUT= SRC=10.1.${n % 200}.9 DST=192.0.2.10 LEN=60 TTL=49 ID=${n} PROTO=TCP SPT=${n % 60000} DPT=22`,
  (n: number) => `postfix/smtpd[9]: connect from unknown[10.2.${n % 200}.7]`,
  (n: number) =>
    `nginx: 10.3.0.${n % 250} - - [22/Nov/2026:03:25:32 +0000] "GET /page/${n} HTTP/1.1" 200 512 "-" "curl/8.5.0"`,
  (n: number) => `app[7]: something that no decoder knows, number ${n}`,
]
const lines = Array.from(
  { length: count },
  // A thousand a second by their own time, as windows of detections go by it.
  (_, n) =>
    `<38>Nov 22 03:${String(10 + Math.floor(n / 60_000)).padStart(2, '0')}:${String(Math.floor(n / 1000) % 60).padStart(2, '0')} host${n % 50} ${texts[n % texts.length]?.(n)}`,
)
const bytes = lines.reduce((sum, line) => sum + line.length + 1, 0)
const rules = `${process.cwd()}/rules`
const { files } = readDecoderFiles(`${rules}/decoders`)
const decoders = new Decoders(files)

function row(what: string, events: number, ms: number, cpu: string): void {
  const perSecond = Math.round((events / ms) * 1000)
  const megabytes = ((bytes / count) * events) / 1e6 / (ms / 1000)
  print(`| ${what} | ${perSecond.toLocaleString('en')} | ${megabytes.toFixed(1)} | ${cpu} |`)
}

function decodeAll(inspect?: (document: Record<string, unknown>, n: number) => void): number {
  const from = process.cpuUsage()
  for (const [n, line] of lines.entries()) {
    const raw = { ...syslogEvent(line, '192.0.2.1', '+00:00'), collected: Date.UTC(2026, 10, 22, 4) }
    const { document } = buildDocument(raw, decoders, raw.collected)
    inspect?.(document, n)
  }
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1000
}

function measureAlone(what: string, inspect?: (document: Record<string, unknown>, n: number) => void): void {
  const cpuMs = decodeAll(inspect)
  row(what, count, cpuMs, perEvent(cpuMs, count))
}

/** Processor time an event: what stays comparable where other programs take turns. */
function perEvent(cpuMs: number, events: number): string {
  return `${Math.round((cpuMs * 1000) / events)} µs an event`
}

/** Processor time of a process so far, in milliseconds. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

print(
  `| ${count.toLocaleString('en')} syslog messages of six kinds, ${Math.round(bytes / count)} bytes each | events/s | MB/s | processor |`,
)
print('|---|---|---|---|')
decodeAll()
measureAlone('parse and decode, one core')
const detector = new Detector(readDetections(rules), () => 600_000)
measureAlone('parse, decode and detect, one core', (document, n) =>
  detector.inspect({ index: 'logs-a-default', id: String(n), document }),
)

// Without a search, where only the rates of one core are wanted.
if (process.argv[3] === 'alone') process.exit(0)
const search = await startSearch()
const credentials = { username: search.username, password: search.password }
const client = new SearchClient({ url: search.url, ca: search.ca, credentials })
for (const { name, body } of indexTemplates())
  await client.request({ method: 'PUT', path: `/_index_template/${name}`, body })
const port = await freePort()
const environment = readPartEnvironment({
  LOGSTACK_DATA_DIR: '/tmp',
  LOGSTACK_CERTS_DIR: '/tmp',
  LOGSTACK_SECRETS_DIR: '/tmp',
  LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${port}`,
})
const logger = createLogger('bench', 'warn')
let stored = 0
const losses = new InputLosses(() => Date.now())
const output = new SearchOutput(client, logger, (documents) => {
  for (const { index, id, document } of documents) detector.inspect({ index, id, document })
  stored += documents.length
})
const input = await syslogInput.start({
  environment,
  settings: new LiveSettings(endpointManagerSettings, {}),
  logger,
  search: client,
  decoders,
  output,
  losses,
  now: () => Date.now(),
})

async function until(wanted: number, limitMs: number): Promise<void> {
  for (const deadline = performance.now() + limitMs; stored < wanted && performance.now() < deadline; )
    await new Promise((resolve) => setTimeout(resolve, 20))
}

async function measure(what: string, send: () => Promise<void>, wanted: number, limitMs: number): Promise<void> {
  stored = 0
  const [own, its, from] = [process.cpuUsage(), cpuOf(search.pid()), performance.now()]
  await send()
  await until(wanted, limitMs)
  const ms = performance.now() - from
  const { user, system } = process.cpuUsage(own)
  const used = (cpuMs: number): string => `${perEvent(cpuMs, stored)} (${Math.round((cpuMs / ms) * 100)} %)`
  row(
    what,
    stored,
    ms,
    `endpoint-manager and sender ${used((user + system) / 1000)}, search ${used(cpuOf(search.pid()) - its)}`,
  )
}

await measure(
  'syslog over TCP into search',
  async () => {
    const socket = connect(port, '127.0.0.1')
    for (let at = 0; at < lines.length; at += 500) {
      if (!socket.write(`${lines.slice(at, at + 500).join('\n')}\n`)) await once(socket, 'drain')
    }
    socket.end()
  },
  count,
  600_000,
)
const datagrams = Math.min(count, udpPerSecond * 10)
await measure(
  `syslog over UDP, ${udpPerSecond.toLocaleString('en')} a second, ${datagrams.toLocaleString('en')} sent`,
  async () => {
    const socket = createSocket('udp4')
    const from = performance.now()
    for (let n = 0; n < datagrams; n += 1) {
      socket.send(lines[n] ?? '', port, '127.0.0.1')
      const ahead = n / udpPerSecond - (performance.now() - from) / 1000
      if (n % 100 === 0) await new Promise((resolve) => setTimeout(resolve, Math.max(0, ahead * 1000)))
    }
    await new Promise((resolve) => setTimeout(resolve, 500))
    socket.close()
  },
  datagrams,
  20_000,
)
print(`\nUDP: ${datagrams - stored} of ${datagrams} lost.`)
await input?.stop()
for (const { document } of losses.take()) print(`lost: ${JSON.stringify(document['logstack'])}`)
client.close()
await search.stop()
