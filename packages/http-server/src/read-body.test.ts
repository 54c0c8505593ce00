import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { readBody, readPackedBody, type UnreadBody } from './read-body.ts'

function requestOf(chunks: Iterable<Buffer>, headers: Record<string, string> = {}): UnreadBody & { raw: Readable } {
  return { raw: Object.assign(Readable.from(chunks, { objectMode: false }), { headers }) }
}

const limits = { bytesMax: 1_000, unpackedBytesMax: 10_000 }
const tooLarge = { code: 'request_too_large' }

it('reads what comes, and unpacks it', async () => {
  expect(String(await readBody(requestOf([Buffer.from('he'), Buffer.from('llo')]), limits))).toBe('hello')
  const packed = gzipSync(Buffer.alloc(5_000, 'a'))
  expect(await readBody(requestOf([packed], { 'content-encoding': 'gzip' }), limits)).toHaveLength(5_000)
  expect(await readBody(requestOf([]), limits)).toHaveLength(0)
})

it('refuses what is announced as too large unread, and what is too large once it is, leaving the connection', async () => {
  const announced = requestOf([Buffer.alloc(10)], { 'content-length': '1001' })
  await expect(readPackedBody(announced, 1_000)).rejects.toMatchObject(tooLarge)
  expect(announced.raw.readableFlowing).toBeNull()
  const silent = requestOf([Buffer.alloc(600), Buffer.alloc(600), Buffer.alloc(600)])
  await expect(readPackedBody(silent, 1_000)).rejects.toMatchObject(tooLarge)
  expect(silent.raw.destroyed).toBe(false)
  const bomb = requestOf([gzipSync(Buffer.alloc(100_000))], { 'content-encoding': 'gzip' })
  await expect(readBody(bomb, limits)).rejects.toMatchObject(tooLarge)
})

it('says that a sender went', async () => {
  const gone = requestOf(
    (function* () {
      yield Buffer.from('half')
      throw new Error('aborted')
    })(),
  )
  await expect(readBody(gone, limits)).rejects.toMatchObject({ code: 'request_malformed' })
})
