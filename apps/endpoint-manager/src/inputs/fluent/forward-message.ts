import { gunzipSync } from 'node:zlib'
import type { RawEvent } from '../../documents/build-document.ts'
import type { Fields } from '../../ecs/fields.ts'
import { type Extension, Incomplete, MessagePackReader } from './msgpack.ts'

const unpackedBytesMax = 64 * 1024 * 1024
const eventTimeType = 0

/** One message of Fluentd's forward protocol 1.5: its events, and the chunk's name when the sender waits for an answer. */
export interface ForwardMessage {
  readonly events: readonly RawEvent[]
  readonly chunk: string | undefined
}

/** Reads a decoded message in any of its modes (message, forward, packed, compressed); throws for what is none. */
export function forwardMessage(value: unknown, sender: string): ForwardMessage {
  if (!Array.isArray(value) || typeof value[0] !== 'string') throw new Error('no message of the forward protocol')
  const [tag, second, third, fourth]: unknown[] = value
  const isSingle = !Array.isArray(second) && !Buffer.isBuffer(second) && typeof second !== 'string'
  const options = isSingle ? fourth : third
  const chunk = options instanceof Map ? options.get('chunk') : undefined
  const entries = isSingle ? [[second, third]] : entriesOf(second, options)
  return {
    events: entries.map((entry) => eventOf(String(tag), entry, sender)),
    chunk: typeof chunk === 'string' ? chunk : undefined,
  }
}

function entriesOf(entries: unknown, options: unknown): unknown[] {
  if (Array.isArray(entries)) return entries
  const packed = Buffer.isBuffer(entries) ? entries : Buffer.from(String(entries), 'latin1')
  const isZipped = options instanceof Map && options.get('compressed') === 'gzip'
  const bytes = isZipped ? gunzipSync(packed, { maxOutputLength: unpackedBytesMax }) : packed
  const found: unknown[] = []
  for (const reader = new MessagePackReader(bytes); reader.position < bytes.length; ) found.push(readWhole(reader))
  return found
}

function readWhole(reader: MessagePackReader): unknown {
  try {
    return reader.read()
  } catch (thrown) {
    if (thrown instanceof Incomplete) throw new Error('packed entries are cut off', { cause: thrown })
    throw thrown
  }
}

function eventOf(tag: string, entry: unknown, sender: string): RawEvent {
  const [time, record]: unknown[] = Array.isArray(entry) ? entry : []
  if (!(record instanceof Map)) throw new Error('an entry without a record')
  const values = asObject(record)
  const { message, log, msg, ...rest } = values
  const text = [message, log, msg].find((candidate) => typeof candidate === 'string')
  const address = sender.replace(/^::ffff:/, '')
  const fields = {
    '@timestamp': timeOf(time),
    message: typeof text === 'string' ? text.replace(/\n$/, '') : JSON.stringify(values),
    host: { name: textOf(values['hostname']) ?? textOf(values['host']) ?? address, ip: address },
    log: { source: { address } },
    fluent: { tag, record: flat(rest) },
  }
  return { type: 'logs', dataset: 'fluent', fields, collected: 0 }
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

function asObject(map: ReadonlyMap<unknown, unknown>): Fields {
  const entries = [...map].map(([key, value]): [string, unknown] => [String(key), plain(value)])
  return Object.fromEntries(entries)
}

function plain(value: unknown): unknown {
  if (value instanceof Map) return asObject(value)
  if (Array.isArray(value)) return value.map(plain)
  return Buffer.isBuffer(value) ? value.toString('utf8') : value
}

/** Lists of objects have no fields in search: they are kept as text. */
function flat(values: Fields): Fields {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      /^[\w.-]+$/.test(name)
        ? [[name.replaceAll('.', '_'), typeof value === 'object' ? JSON.stringify(value) : value]]
        : [],
    ),
  )
}

function timeOf(time: unknown): string | undefined {
  if (typeof time === 'number') {
    const date = new Date(time * 1000)
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
  }
  const { type, data } = (typeof time === 'object' && time !== null ? time : {}) as Partial<Extension>
  if (type !== eventTimeType || data?.length !== 8) return undefined
  return new Date(data.readUInt32BE(0) * 1000 + Math.floor(data.readUInt32BE(4) / 1_000_000)).toISOString()
}
