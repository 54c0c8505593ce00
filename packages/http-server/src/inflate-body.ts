import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { AppError, platformErrors } from '@logstack/errors'

const gunzipAsync = promisify(gunzip)

/** Undoes a request's `Content-Encoding` (gzip or none), never beyond `bytesMax`: `request_too_large`, `request_malformed`. */
export async function inflateBody(bytes: Buffer, encoding: string | undefined, bytesMax: number): Promise<Buffer> {
  if (encoding === undefined || encoding === 'identity') {
    if (bytes.length > bytesMax) throw tooLarge(bytesMax)
    return bytes
  }
  if (encoding !== 'gzip') {
    throw new AppError(platformErrors.request_malformed, `the content encoding ${encoding} is not supported`)
  }
  try {
    return await gunzipAsync(bytes, { maxOutputLength: bytesMax })
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(bytesMax)
    throw new AppError(platformErrors.request_malformed, 'the body is not valid gzip', { cause: thrown })
  }
}

/** The error of a body of more bytes than that. */
export function tooLarge(bytesMax: number): AppError {
  return new AppError(platformErrors.request_too_large, `the body is larger than ${bytesMax} bytes`)
}
