import type { IncomingMessage } from 'node:http'
import { AppError, platformErrors } from '@logstack/errors'
import { inflateBody, tooLarge } from './inflate-body.ts'

/** What a body is read from: a request of a server that `leavesBodies`. */
export interface UnreadBody {
  readonly raw: Pick<IncomingMessage, 'headers' | 'iterator'>
}

/** Limits of one body in bytes: as it arrives, and unpacked. */
export interface BodyLimits {
  readonly bytesMax: number
  readonly unpackedBytesMax: number
}

/** Reads an unread body to its end. Throws `request_too_large`, and `request_malformed` when the connection ends before the body does. */
export async function readPackedBody({ raw }: UnreadBody, bytesMax: number): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // The connection stays open, so that a client that sends too much is told.
    for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > bytesMax) break
      chunks.push(chunk)
    }
  } catch (thrown) {
    throw new AppError(platformErrors.request_malformed, 'the sender went before the body was whole', { cause: thrown })
  }
  if (bytes > bytesMax) throw tooLarge(bytesMax)
  return Buffer.concat(chunks, bytes)
}

/** Reads an unread body and unpacks it (`Content-Encoding`); throws as `readPackedBody` and `inflateBody` do. */
export async function readBody(request: UnreadBody, limits: BodyLimits): Promise<Buffer> {
  const packed = await readPackedBody(request, limits.bytesMax)
  return inflateBody(packed, request.raw.headers['content-encoding'], limits.unpackedBytesMax)
}
