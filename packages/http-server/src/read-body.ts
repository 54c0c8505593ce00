import type { IncomingMessage } from 'node:http'
import { AppError, platformErrors } from '@logstack/errors'
import { inflateBody, tooLarge } from './inflate-body.ts'

/** What a body is read from: a request of a server that `leavesBodies`. */
export interface UnreadBody {
  readonly raw: Pick<IncomingMessage, 'headers' | 'iterator'>
}

/** Limits of one body in bytes: as it comes, and as it is once it is unpacked. */
export interface BodyLimits {
  readonly bytesMax: number
  readonly unpackedBytesMax: number
}

/** Reads a body that was left, to its end: `request_too_large`, and `request_malformed` where the sender goes before that. */
export async function readPackedBody({ raw }: UnreadBody, bytesMax: number): Promise<Buffer> {
  if (Number(raw.headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // Whoever sends too much is to hear so: the connection stays.
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

/** The same, unpacked. */
export async function readBody(request: UnreadBody, limits: BodyLimits): Promise<Buffer> {
  const packed = await readPackedBody(request, limits.bytesMax)
  return inflateBody(packed, request.raw.headers['content-encoding'], limits.unpackedBytesMax)
}
