import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { AppError, searchErrors } from '@logstack/errors'
import { unpackZstd } from './zstd.ts'

type Decompress = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const decoders: Readonly<Record<string, Decompress | undefined>> = {
  gzip: promisify(zlib.gunzip) as Decompress,
  'x-gzip': promisify(zlib.gunzip) as Decompress,
  deflate: promisify(zlib.inflate) as Decompress,
  br: promisify(zlib.brotliDecompress) as Decompress,
  zstd: unpackZstd,
}

/** A body too large to be read: 413. */
export function tooLarge(bytesMax: number): AppError {
  return new AppError(
    searchErrors.content_too_long_exception,
    `entity content is too long, the limit is [${bytesMax}] bytes`,
  )
}

/** Undoes `Content-Encoding`, never beyond `bytesMax` bytes. Unknown encodings and broken data are 400. */
export async function inflateBody(body: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase()
  if (!name || name === 'identity' || body.length === 0) {
    if (body.length > bytesMax) throw tooLarge(bytesMax)
    return body
  }
  const decode = Object.hasOwn(decoders, name) ? decoders[name] : undefined
  if (!decode) {
    throw new AppError(searchErrors.illegal_argument_exception, `Content-Encoding [${encoding}] is not supported`)
  }
  try {
    return await decode(body, { maxOutputLength: bytesMax })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax)
    throw new AppError(searchErrors.illegal_argument_exception, `the body is not valid ${name}`, { cause: thrown })
  }
}
