import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fromNpm } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SenderStack, startSenderStack } from './sender-stack.ts'
import { startSyslogNg, syslogNgPrograms } from './syslog-ng.ts'

// Senders that people run, unmodified, over TLS where they can, against endpoint-manager and search as programs of their own.
const run = promisify(execFile)
const syslogNg = await syslogNgPrograms()
const openTelemetry = await fromNpm([
  '@opentelemetry/sdk-logs@0.223.1',
  '@opentelemetry/exporter-logs-otlp-http@0.223.1',
  '@opentelemetry/exporter-logs-otlp-proto@0.223.1',
  '@opentelemetry/api-logs@0.223.1',
  '@opentelemetry/api@1.9.1',
  '@opentelemetry/resources@2.12.1',
])

let stack: SenderStack

beforeAll(async () => {
  if (syslogNg.missing === undefined || openTelemetry.missing === undefined) stack = await startSenderStack()
})
afterAll(() => stack?.stop())

const count = 500
/** As many datagrams as fit into the socket of a receiver that is not looking. */
const datagrams = 100
/** What line `at` says, with what JSON and syslog would have to escape. */
const text = (to: string, at: number): string => `line ${at} to ${to}: "größer" \\ [x] 日本`
const texts = (to: string): string[] =>
  Array.from({ length: to === 'udp' ? datagrams : count }, (_, at) => text(to, at))

/** Lines of RFC 5424, a millisecond apart. */
function lines(to: string): string[] {
  return texts(to).map((words, at) => {
    const time = new Date(Date.UTC(2026, 10, 21, 8, 0, 0, at)).toISOString()
    return `<163>1 ${time} gateway sendertest ${at} ID47 [origin@32473 to="${to}" n="${at}"] ${words}`
  })
}

async function throughSyslogNg(to: string, destination: string): Promise<void> {
  const daemon = await startSyslogNg(await syslogNg.folder(), destination)
  try {
    await daemon.send(lines(to))
    const indices = to === 'search' ? 'syslog-ng-*' : 'logs-*'
    const field = to === 'search' ? 'MESSAGE' : 'message'
    const found = await stack.arrived(indices, { match_phrase: { [field]: `to ${to}` } }, texts(to).length)
    // Its workers send side by side.
    expect(found.map((document) => document[field]).toSorted()).toEqual(texts(to).toSorted())
  } catch (thrown) {
    throw new Error(`syslog-ng said:\n${daemon.log()}`, { cause: thrown })
  } finally {
    await daemon.stop()
  }
}

describe.skipIf(syslogNg.missing)(`Debian's syslog-ng${syslogNg.missing ? ` (${syslogNg.missing})` : ''}`, () => {
  it('delivers each line once to search, by its Elasticsearch output', async () => {
    const { search, caFile } = stack
    const login = `user("${search.username}") password("${search.password}") tls(ca-file("${caFile}") peer-verify(yes))`
    const index = 'index("syslog-ng-${YEAR}.${MONTH}.${DAY}") type("")'
    await throughSyslogNg('search', `elasticsearch-http(url("${search.url}/_bulk") ${index} ${login})`)
    const found = await stack.arrived('syslog-ng-2026.11.21', { term: { 'PID.keyword': '42' } }, 1)
    const kept = { PROGRAM: 'sendertest', HOST: 'gateway', MSGID: 'ID47', PRIORITY: 'err' }
    expect(found).toMatchObject([{ '@timestamp': '2026-11-21T08:00:00.042+00:00', ...kept }])
  })

  it.each([
    ['tcp', 'transport("tcp")'],
    ['tls', 'transport("tls") tls(ca-file("CA") peer-verify(required-trusted))'],
    ['udp', 'transport("udp")'],
  ])('delivers each line once to endpoint-manager over %s', async (transport, options) => {
    const { ports, caFile } = stack
    const port = transport === 'tls' ? ports.syslogTls : ports.syslog
    await throughSyslogNg(transport, `syslog("127.0.0.1" port(${port}) ${options.replace('CA', caFile)})`)
    const found = await stack.arrived('logs-*', { match_phrase: { message: `line 42 to ${transport}` } }, 1)
    expect(found).toMatchObject([
      {
        '@timestamp': '2026-11-21T08:00:00.042Z',
        host: { name: 'gateway' },
        log: { level: 'error', syslog: { appname: 'sendertest', procid: '42', msgid: 'ID47' } },
      },
    ])
  })
})

describe.skipIf(openTelemetry.missing)(
  `OpenTelemetry's JavaScript exporters${openTelemetry.missing ? ` (${openTelemetry.missing})` : ''}`,
  () => {
    it.each([
      ['JSON', 'exporter-logs-otlp-http'],
      ['protobuf', 'exporter-logs-otlp-proto'],
    ])('deliver each record once as %s', async (_, exporter) => {
      const { search, ports, caFile } = stack
      const login = Buffer.from(`${search.username}:${search.password}`).toString('base64')
      const env = {
        PATH: process.env['PATH'],
        OTEL_EXPORTER_OTLP_ENDPOINT: `https://127.0.0.1:${ports.https}`,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Basic ${encodeURIComponent(login)}`,
        OTEL_EXPORTER_OTLP_CERTIFICATE: caFile,
        OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      }
      const script = join(import.meta.dirname, 'opentelemetry-logs.mjs')
      const { stderr } = await run(process.execPath, [script, await openTelemetry.folder(), exporter, String(count)], {
        env,
      })
      expect(stderr).toBe('')
      const found = await stack.arrived('logs-otlp-default', { match_phrase: { message: exporter } }, count)
      expect(found.map(({ message }) => message)).toEqual(
        Array.from({ length: count }, (_, at) => `order ${at} of ${exporter}`),
      )
      expect(found[4]).toMatchObject({
        '@timestamp': '2026-11-21T08:00:00.004Z',
        service: { name: 'shop', version: '1.2.3' },
        log: { level: 'error', logger: 'checkout' },
        user: { name: 'käufer 4' },
      })
    })
  },
)
