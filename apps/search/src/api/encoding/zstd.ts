import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { Decompress } from 'fzstd'

/** Undoes zstd, also of several frames. Rejects with the code `ERR_BUFFER_TOO_LARGE` beyond `maxOutputLength` bytes, else for data that are not zstd. */
export const unpackZstd: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer> =
  // Node has it from 22.15 on.
  'zstdDecompress' in zlib && typeof zlib.zstdDecompress === 'function'
    ? promisify(zlib.zstdDecompress as never)
    : (bytes, { maxOutputLength }) => Promise.resolve().then(() => unpackHere(bytes, maxOutputLength))

const frameMagic = 0xfd2fb528
const skippedMagic = 0x184d2a50
const skippedMask = 0xfffffff0
/** What decoders have to take by RFC 8878; the window is moved for every block, so a larger one would be a way to keep search busy. */
const windowBytesMax = 8 * 1024 ** 2
const dictionaryBytes = [0, 1, 2, 4]

function unpackHere(bytes: Buffer, bytesMax: number): Buffer {
  checkFrames(bytes)
  const pieces: Buffer[] = []
  let length = 0
  const stream = new Decompress((piece) => {
    length += piece.length
    if (length > bytesMax) throw Object.assign(new RangeError('more than the limit'), { code: 'ERR_BUFFER_TOO_LARGE' })
    pieces.push(Buffer.from(piece))
  })
  stream.push(bytes, true)
  return Buffer.concat(pieces, length)
}

/** Walks over the frames by their headers and those of their blocks. Throws `RangeError` where they end too early, or where a window is too large. */
function checkFrames(bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) {
    const magic = bytes.readUInt32LE(at)
    if ((magic & skippedMask) >>> 0 === skippedMagic) at += 8 + bytes.readUInt32LE(at + 4)
    else if (magic === frameMagic) at = endOfFrame(bytes, at + 4)
    else throw new RangeError('not a frame of zstd')
    if (at > bytes.length) throw new RangeError('a frame of zstd that is cut off')
  }
}

function endOfFrame(bytes: Buffer, start: number): number {
  const descriptor = bytes.readUInt8(start)
  const isSingle = (descriptor & 0x20) !== 0
  let at = start + 1
  if (!isSingle) {
    refuseWindow(windowOf(bytes.readUInt8(at)))
    at += 1
  }
  at += dictionaryBytes[descriptor & 3] ?? 0
  const sizeBytes = descriptor >> 6 === 0 ? (isSingle ? 1 : 0) : 2 ** (descriptor >> 6)
  // Alone in its frame, the content is the window.
  if (isSingle) refuseWindow(sizeBytes === 8 ? Number(bytes.readBigUInt64LE(at)) : bytes.readUIntLE(at, sizeBytes))
  at += sizeBytes
  for (;;) {
    const header = bytes.readUIntLE(at, 3)
    const isRepeated = ((header >> 1) & 3) === 1
    at += 3 + (isRepeated ? 1 : header >> 3)
    if ((header & 1) === 1) return at + ((descriptor & 4) === 0 ? 0 : 4)
  }
}

function windowOf(byte: number): number {
  const base = 2 ** (10 + (byte >> 3))
  return base + (base / 8) * (byte & 7)
}

function refuseWindow(bytes: number): void {
  if (bytes > windowBytesMax) throw new RangeError(`a window of more than ${windowBytesMax} bytes`)
}
