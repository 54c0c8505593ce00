import { expect, it } from 'vitest'
import { inflateBody } from './inflate.ts'
import { unpackZstd } from './zstd.ts'

/** `zstd -19` of forty actions with their documents, a frame of zstd's own program. */
const packed = Buffer.from(
  'KLUv/QRopQYAkkofGIBtDkQUDY+KWGCWgemQiBAppfhqSdikPe851xpj3cy7qplr1/4951pjrJt5VzVz6dK/51xrjHUz76pmZv69O/fWzti7z/zdqz7zQPXIwIBJ4AEDKD6NFBgLhAIDiT48mozowhrOnAKq6uvDY0JceDSUAjonTg2fjMgkpwJRqBFA7/rsb+CVZQ0ScDAIkLSC/78hcAjzA9ndrO5sVmtbrf3pms11x2a5u/G1nNytWu82ljvL6qRcN4lueUqPaUxPeqZpetIzTWX6Zv58p6r5rQZY7flq',
  'base64',
)
const documents = Array.from(
  { length: 40 },
  (_, n) => `{"index":{"_index":"packed","_id":"${n}"}}\n{"n":${n},"text":"the same words again and again"}\n`,
).join('')
const first = Buffer.from('KLUv/QBIMQAAZmlyc3Qg', 'base64')
const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3])
const options = { maxOutputLength: 10_000 }

/** A frame of so many blocks that repeat one letter 128 KiB long, with a window of 2 ^ (10 + `exponent`) bytes. */
function repeated(blocks: number, exponent: number): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, exponent << 3])
  const block = (isLast: boolean): Buffer => {
    const value = (isLast ? 1 : 0) | (1 << 1) | ((128 * 1024) << 3)
    return Buffer.from([value & 255, (value >> 8) & 255, value >> 16, 0x61])
  }
  return Buffer.concat([header, ...Array.from({ length: blocks }, (_, at) => block(at === blocks - 1))])
}

it('undoes what the program packs, in one frame and several', async () => {
  expect(String(await unpackZstd(packed, options))).toBe(documents)
  const several = Buffer.concat([first, skipped, packed, first])
  expect(String(await unpackZstd(several, options))).toBe(`first ${documents}first `)
})

it('gives up at its limit, however little was sent', async () => {
  const [bomb, fits] = [repeated(1_000, 7), repeated(2, 7)]
  await expect(unpackZstd(bomb, { maxOutputLength: 1024 ** 2 })).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' })
  expect(await unpackZstd(fits, { maxOutputLength: 256 * 1024 })).toHaveLength(256 * 1024)
})

it.each([
  ['no frame', Buffer.from('{"index":{}}\n{"a":1}\n')],
  ['half a frame', packed.subarray(0, 100)],
  ['the beginning of one', packed.subarray(0, 5)],
  ['a broken one', Buffer.concat([packed.subarray(0, 60), Buffer.alloc(40, 7), packed.subarray(100)])],
  ['one with something behind it', Buffer.concat([first, Buffer.from('more')])],
])('refuses %s', async (_, bytes) => {
  await expect(unpackZstd(bytes, options)).rejects.toThrow()
})

it.skipIf('zstdDecompress' in (await import('node:zlib')))('refuses windows larger than it must take', async () => {
  await expect(unpackZstd(repeated(1, 21), options)).rejects.toThrow('window')
})

it('is a Content-Encoding of bodies', async () => {
  expect(String(await inflateBody(packed, 'zstd', 10_000))).toBe(documents)
  await expect(inflateBody(packed, 'zstd', 100)).rejects.toMatchObject({ code: 'content_too_long_exception' })
  await expect(inflateBody(Buffer.from('{}'), 'zstd', 100)).rejects.toThrow('the body is not valid zstd')
})
