// Measures endpoint-manager: `node tools/run-ts.mjs bench/endpoints.ts [events] [alone|sink]`. Decoding alone, detections on top, then syslog over TCP and
// UDP through the inputs into a real search; search and the sender are processes of their own. With `alone` only what one core decodes, with `sink` before a
// search that takes everything and does nothing: what endpoint-manager itself costs. Prints Markdown. Figures of one run are comparable with each other only.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { indexTemplates } from '@logstack/ecs'
import { createLogger } from '@logstack/logging'
import { readPartEnvironment } from '@logstack/part'
import { SearchClient } from '@logstack/search-client'
import { LiveSettings } from '@logstack/settings'
import { freePort, startSearch, testCertificates } from '@logstack/testkit'
import { readDecoderFiles } from '../apps/endpoint-manager/src/decoders/decoder-file.ts'
import { Decoders } from '../apps/endpoint-manager/src/decoders/decoders.ts'
import { readDetections } from '../apps/endpoint-manager/src/detections/detection-set.ts'
import { Detections } from '../apps/endpoint-manager/src/detections/detections.ts'
import { Detector, detectorBounds } from '../apps/endpoint-manager/src/detections/detector.ts'
import { buildDocument } from '../apps/endpoint-manager/src/documents/build-document.ts'
import { OtherProtocols } from '../apps/endpoint-manager/src/inputs/other-protocols.ts'
import { syslogEvent } from '../apps/endpoint-manager/src/inputs/syslog/syslog-event.ts'
import { syslogInput } from '../apps/endpoint-manager/src/inputs/syslog.ts'
import { CurrentState } from '../apps/endpoint-manager/src/inventory/current-state.ts'
import { InputLosses } from '../apps/endpoint-manager/src/outputs/input-losses.ts'
import { SearchOutput } from '../apps/endpoint-manager/src/outputs/search-output.ts'
import { SourceCounts } from '../apps/endpoint-manager/src/outputs/source-counts.ts'
import { endpointManagerSettings } from '../apps/endpoint-manager/src/settings.ts'
import { processorMs } from './process-times.ts'
import { beSender, type Sending, sendElsewhere, senderArgument, syslogLines } from './syslog-sender.ts'

const sinkArgument = 'be-sink'
const udpPerSecond = 10_000
const print = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Where documents go, and the processor time that it took there so far, in milliseconds. */
interface Store {
  readonly client: SearchClient
  cpuMs(): number
  stop(): Promise<unknown>
}

async function realSearch(): Promise<Store> {
  const search = await startSearch()
  const credentials = { username: search.username, password: search.password }
  const client = new SearchClient({ url: search.url, ca: search.ca, credentials })
  for (const { name, body } of indexTemplates())
    await client.request({ method: 'PUT', path: `/_index_template/${name}`, body })
  return { client, cpuMs: () => processorMs(search.pid()), stop: () => search.stop() }
}

async function sink(): Promise<Store> {
  const child = fork(process.argv[1] ?? '', [sinkArgument])
  const [{ url, ca }] = (await once(child, 'message')) as [{ url: string; ca: string }]
  const client = new SearchClient({ url, ca, credentials: { username: 'elastic', password: 'x' } })
  return {
    client,
    cpuMs: () => processorMs(child.pid ?? -1),
    stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      return ended
    },
  }
}

/** Answers every bulk as if all of it were stored. */
async function beSink(): Promise<void> {
  const { ca, cert, key } = await testCertificates()
  const root = { version: { number: '8.19.0', build_type: 'logstack' } }
  const server = createServer({ cert, key }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const items = linesIn(chunks) / 2
    const done = Array.from({ length: items }, () => '{"create":{"status":201}}').join()
    const body = request.url?.startsWith('/_bulk') ? `{"errors":false,"items":[${done}]}` : JSON.stringify(root)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca })
  })
  process.once('disconnect', () => process.exit())
}

function linesIn(chunks: readonly Buffer[]): number {
  let lines = 0
  for (const chunk of chunks) for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1
  return lines
}

/** Processor time an event: what stays comparable where other programs take turns. */
function perEvent(cpuMs: number, events: number): string {
  return `${((cpuMs * 1000) / events).toFixed(1)} µs an event`
}

function ownCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

class Bench {
  readonly #lines: readonly string[]
  readonly #bytes: number
  readonly #decoders: Decoders
  readonly #rules = `${process.cwd()}/rules`

  constructor(count: number) {
    this.#lines = syslogLines(count)
    this.#bytes = this.#lines.reduce((sum, line) => sum + line.length + 1, 0)
    this.#decoders = new Decoders(readDecoderFiles(`${this.#rules}/decoders`).files)
    const kind = `${count.toLocaleString('en')} syslog messages of six kinds, ${Math.round(this.#bytes / count)} bytes each`
    print(`| ${kind} | events/s | MB/s | processor |\n|---|---|---|---|`)
  }

  /** What one core does; twice, as the first time is the compiler's. */
  alone(): void {
    this.#decodeAll()
    const decoded = this.#decodeAll()
    this.#row('parse and decode, one core', decoded, perEvent(decoded, this.#lines.length))
    const detect = (): number => {
      const detector = new Detector(readDetections(this.#rules), {
        ...detectorBounds,
        silenceMs: () => 600_000,
        now: Date.now,
        forgot: () => undefined,
      })
      return this.#decodeAll((document, n) => detector.inspect({ index: 'logs-a-default', id: String(n), document }))
    }
    detect()
    const detected = detect()
    this.#row('parse, decode and detect, one core', detected, perEvent(detected, this.#lines.length))
  }

  /** Through the inputs into a store. */
  async into(store: Store, name: string): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'logstack-bench-'))
    const port = await freePort()
    const logger = createLogger('bench', 'error')
    const { client } = store
    const now = (): number => Date.now()
    const set = readDetections(this.#rules)
    const [counts, losses] = [new SourceCounts(now), new InputLosses(now)]
    const services = { search: client, logger, losses, now, dataDir: folder, silenceMs: () => 600_000 }
    const [detections, state] = [new Detections(set, services), new CurrentState(services)]
    let stored = 0
    const count = (): void => {
      stored += 1
    }
    const output = new SearchOutput(client, logger, [
      (event) => detections.look(event),
      (event) => state.look(event),
      (event) => counts.look(event),
      () => count,
    ])
    const environment = readPartEnvironment({
      LOGSTACK_DATA_DIR: folder,
      LOGSTACK_CERTS_DIR: folder,
      LOGSTACK_SECRETS_DIR: folder,
      LOGSTACK_SYSLOG_LISTEN: `127.0.0.1:${port}`,
    })
    const settings = new LiveSettings(endpointManagerSettings, {})
    const decoders = this.#decoders
    const input = await syslogInput.start({
      environment,
      settings,
      logger,
      search: client,
      decoders,
      output,
      losses,
      counts,
      now,
      otherProtocols: new OtherProtocols(),
      rulesDir: folder,
    })
    const measure = async (what: string, sending: Sending, limitMs: number): Promise<void> => {
      stored = 0
      let [own, its, from] = [0, 0, 0]
      const sent = await sendElsewhere(sending, () => {
        ;[own, its, from] = [ownCpuMs(), store.cpuMs(), performance.now()]
      })
      for (const end = performance.now() + limitMs; stored < sending.count && performance.now() < end; )
        await new Promise((resolve) => setTimeout(resolve, 20))
      const ms = performance.now() - from
      const used = (cpuMs: number): string => `${perEvent(cpuMs, stored)} (${Math.round((cpuMs / ms) * 100)} %)`
      const parts = `endpoint-manager ${used(ownCpuMs() - own)}, ${name} ${used(store.cpuMs() - its)}, sender ${used(sent)}`
      this.#row(what, ms, parts, stored)
    }
    const messages = this.#lines.length
    await measure(`syslog over TCP into ${name}`, { over: 'tcp', port, count: messages, perSecond: 0 }, 600_000)
    const datagrams = Math.min(messages, udpPerSecond * 10)
    const udp = `syslog over UDP, ${udpPerSecond.toLocaleString('en')} a second, ${datagrams.toLocaleString('en')} sent`
    await measure(udp, { over: 'udp', port, count: datagrams, perSecond: udpPerSecond }, 20_000)
    print(`\nUDP: ${datagrams - stored} of ${datagrams} lost. Load ${loadavg()[0]?.toFixed(1)}.`)
    await input?.stop()
    await Promise.all([detections.stop(), state.stop()])
    for (const { document } of losses.take()) print(`lost: ${JSON.stringify(document['logstack'])}`)
    client.close()
    await store.stop()
    rmSync(folder, { recursive: true })
  }

  #row(what: string, ms: number, cpu: string, events = this.#lines.length): void {
    const perSecond = Math.round((events / ms) * 1000)
    const megabytes = ((this.#bytes / this.#lines.length) * events) / 1e6 / (ms / 1000)
    print(`| ${what} | ${perSecond.toLocaleString('en')} | ${megabytes.toFixed(1)} | ${cpu} |`)
  }

  #decodeAll(inspect?: (document: Record<string, unknown>, n: number) => void): number {
    const from = ownCpuMs()
    for (const [n, line] of this.#lines.entries()) {
      const raw = { ...syslogEvent(line, '192.0.2.1', '+00:00'), collected: Date.UTC(2026, 10, 22, 4) }
      const { document } = buildDocument(raw, this.#decoders, raw.collected)
      inspect?.(document, n)
    }
    return ownCpuMs() - from
  }
}

const [first, second] = process.argv.slice(2)
if (first === senderArgument) await beSender(JSON.parse(second ?? ''))
else if (first === sinkArgument) await beSink()
else {
  const bench = new Bench(Number(first ?? 200_000))
  if (second !== 'sink') bench.alone()
  if (second !== 'alone')
    await (second === 'sink' ? bench.into(await sink(), 'a sink') : bench.into(await realSearch(), 'search'))
}
