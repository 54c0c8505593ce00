import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { pause } from '../pause.ts'
import { type InputContext, type InputType, numberOf, stringList } from './input.ts'
import type { SyslogListening } from './syslog/listening.ts'
import { listenTcp } from './syslog/tcp.ts'
import { listenUdp } from './syslog/udp.ts'

const messageBytesMax = 65_536
const connectionsMax = 256
const listenAgainMs = 10_000
/** So long after the last complaint the stream is well again. */
const recoveredAfterMs = 60_000
const addressPattern = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s]+)):(\d{1,5})$/
const portMax = 65_535
const protocols = ['udp', 'tcp']

/**
 * Syslog (RFC 3164, RFC 5424) from devices that can reach this host but not endpoint-manager: `listen` is `host:port`, `protocols` are `udp` and
 * `tcp` unless the policy names one. Messages go on as they came, with the address of their sender. While the spool is full TCP waits; datagrams above
 * 10,000 that wait are lost, counted, and the stream says so.
 */
export const syslogInput: InputType = {
  type: 'syslog',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => listen(stream, context)))
  },
}

async function listen(stream: PolicyStream, context: InputContext): Promise<void> {
  const address = addressOf(stream['listen'])
  if (!address) return context.report(stream.id, 'FAILED', 'listen must be HOST:PORT, as in 127.0.0.1:514')
  const named = stringList(stream, 'protocols')
  const unknown = named.find((name) => !protocols.includes(name))
  if (unknown !== undefined) return context.report(stream.id, 'FAILED', `protocols are udp and tcp, not ${unknown}`)
  const wanted = named.length > 0 ? named : protocols
  while (!context.signal.aborted) {
    try {
      await listenOnce({ stream, context, address, wanted })
    } catch (thrown) {
      context.report(stream.id, 'FAILED', `${address.host}:${address.port}: ${messageOf(thrown)}`)
    }
    await pause(listenAgainMs, context.signal)
  }
}

/** Listens until the input ends; rejects when it cannot, or no longer. */
async function listenOnce(from: {
  stream: PolicyStream
  context: InputContext
  address: { host: string; port: number }
  wanted: readonly string[]
}): Promise<void> {
  const { stream, context, address, wanted } = from
  const { spool, signal } = context
  const { data_stream } = stream
  const { promise, broken, end } = ending(signal)
  let recovering: NodeJS.Timeout | undefined
  const well = (): void =>
    context.report(stream.id, 'HEALTHY', `listening on ${address.host}:${address.port}, ${wanted.join(' and ')}`)
  const listening: SyslogListening = {
    ...address,
    messageBytesMax: numberOf(stream, 'message_bytes_max', messageBytesMax),
    connectionsMax: numberOf(stream, 'connections_max', connectionsMax),
    take: (messages, sender) =>
      spool.append(
        messages.map((message) => ({ data_stream, event: { message, log: { source: { address: sender } } } })),
        signal,
      ),
    complain: (message) => {
      context.report(stream.id, 'DEGRADED', message)
      clearTimeout(recovering)
      recovering = setTimeout(well, recoveredAfterMs)
    },
    broken,
  }
  const closers: (() => Promise<void>)[] = []
  try {
    if (wanted.includes('udp')) closers.push(await listenUdp(listening))
    if (wanted.includes('tcp')) closers.push(await listenTcp(listening))
    well()
    await promise
  } finally {
    clearTimeout(recovering)
    await Promise.all(closers.map((close) => close()))
    end()
  }
}

/** A promise for the end of the input, or of what it listens with. */
function ending(signal: AbortSignal): { promise: Promise<void>; broken: (reason: Error) => void; end: () => void } {
  let resolve: () => void = () => undefined
  let broken: (reason: Error) => void = () => undefined
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    broken = fail
  })
  // Nobody waits for it yet while the listeners open.
  promise.catch(() => undefined)
  if (signal.aborted) resolve()
  signal.addEventListener('abort', resolve)
  return { promise, broken, end: () => signal.removeEventListener('abort', resolve) }
}

/** Host and port of `127.0.0.1:514` or `[::]:514`; undefined for anything else. */
function addressOf(value: unknown): { host: string; port: number } | undefined {
  const [, six, host, digits] = (typeof value === 'string' && addressPattern.exec(value)) || []
  const port = Number(digits)
  const name = six ?? host
  return name !== undefined && port >= 1 && port <= portMax ? { host: name, port } : undefined
}
