import { crc32 } from 'node:zlib'
import { eventRecordSchema } from '@logstack/contracts'
import { z } from 'zod'

const headerBytes = 8

/** A record in the spool: the event as it will be sent, and the bookmark its input goes on from once the record is here. */
export const spoolRecordSchema = eventRecordSchema.extend({
  /** Who read it: `file:<device>:<inode>`, `journald`; absent for inputs that cannot go back. */
  source: z.string().optional(),
  bookmark: z.unknown().optional(),
})

export type SpoolRecord = z.infer<typeof spoolRecordSchema>

/** What reading a frame gave: a record and where the next frame starts, or why there is none. */
export type FrameRead = { readonly record: SpoolRecord; readonly end: number } | 'end' | 'torn'

/**
 * Packs records, each as length, CRC-32 (both unsigned 32 bits, big endian) and JSON, into one buffer: buffers of single records would leave
 * holes in memory that are never filled again.
 */
export function encodeFrames(records: readonly SpoolRecord[]): Buffer {
  const texts = records.map((record) => JSON.stringify(record))
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + headerBytes + Buffer.byteLength(text), 0))
  let at = 0
  for (const text of texts) {
    const start = at + headerBytes
    const length = bytes.write(text, start, 'utf8')
    bytes.writeUInt32BE(length, at)
    bytes.writeUInt32BE(crc32(bytes.subarray(start, start + length)), at + 4)
    at = start + length
  }
  return bytes
}

/** Reads the frame at `position`; `torn` when bytes are missing or do not match their checksum. Never throws. */
export function decodeFrame(bytes: Buffer, position: number): FrameRead {
  if (position === bytes.length) return 'end'
  const start = position + headerBytes
  if (start > bytes.length) return 'torn'
  const end = start + bytes.readUInt32BE(position)
  if (end > bytes.length) return 'torn'
  const payload = bytes.subarray(start, end)
  if (crc32(payload) !== bytes.readUInt32BE(position + 4)) return 'torn'
  const record = parse(payload)
  return record ? { record, end } : 'torn'
}

function parse(payload: Buffer): SpoolRecord | undefined {
  let value: unknown
  try {
    value = JSON.parse(payload.toString('utf8'))
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
  return spoolRecordSchema.safeParse(value).data
}
