import { gunzipSync, inflateSync } from 'node:zlib'
import { severityName } from '@logstack/syslog'
import { z } from 'zod'
import type { RawEvent } from '../../documents/build-document.ts'

const unpackedBytesMax = 4 * 1024 * 1024
const gelfSchema = z.looseObject({
  host: z.string().min(1).max(1024),
  short_message: z.string(),
  full_message: z.string().optional(),
  timestamp: z.coerce.number().optional(),
  level: z.coerce.number().int().min(0).max(7).optional().catch(undefined),
})

/** The text of a datagram: plain, gzip or zlib, never more than 4 MiB of it. */
export function unpackGelf(bytes: Buffer): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    return gunzipSync(bytes, { maxOutputLength: unpackedBytesMax }).toString('utf8')
  if (bytes[0] === 0x78) return inflateSync(bytes, { maxOutputLength: unpackedBytesMax }).toString('utf8')
  return bytes.toString('utf8')
}

/** A GELF message as an event: additional fields (`_x`) stand under `gelf.x`. Throws for what is no GELF. */
export function gelfEvent(text: string, sender: string): RawEvent {
  const parsed = gelfSchema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(`no GELF: ${parsed.error.issues[0]?.path.join('.')}`)
  const { host, short_message: short, full_message: full, timestamp, level } = parsed.data
  const address = sender.replace(/^::ffff:/, '')
  const own = Object.entries(parsed.data).filter(([name]) => /^_[\w.-]+$/.test(name) && name !== '_id')
  const fields = {
    '@timestamp': timestamp === undefined ? undefined : timeOf(timestamp),
    message: full !== undefined && full !== '' ? full : short,
    host: { name: host, ip: address },
    log: { level: level === undefined ? undefined : severityName(level), source: { address } },
    gelf: {
      ...(full === undefined ? {} : { short_message: short }),
      ...Object.fromEntries(own.map(([name, value]) => [name.slice(1).replaceAll('.', '_'), plain(value)])),
    },
  }
  return { type: 'logs', dataset: 'gelf', fields, collected: 0 }
}

function timeOf(seconds: number): string | undefined {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString()
}

function plain(value: unknown): unknown {
  return typeof value === 'object' ? JSON.stringify(value) : value
}
