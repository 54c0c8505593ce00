import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflateBody, readJsonBody } from './inflate-body.ts'

describe('inflateBody', () => {
  it('unpacks gzip and passes plain bytes on', async () => {
    expect(String(await inflateBody(gzipSync('hello'), 'gzip', 100))).toBe('hello')
    expect(String(await inflateBody(Buffer.from('hello'), undefined, 100))).toBe('hello')
  })

  it('refuses what unpacks to more than the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000))
    await expect(inflateBody(bomb, 'gzip', 10_000)).rejects.toMatchObject({ code: 'request_too_large' })
    await expect(inflateBody(Buffer.alloc(11), undefined, 10)).rejects.toMatchObject({ code: 'request_too_large' })
  })

  it('refuses broken gzip and unknown encodings', async () => {
    await expect(inflateBody(Buffer.from('no'), 'gzip', 100)).rejects.toMatchObject({ code: 'request_malformed' })
    await expect(inflateBody(Buffer.from('no'), 'br', 100)).rejects.toMatchObject({ code: 'request_malformed' })
  })
})

describe('readJsonBody', () => {
  it('reads JSON, takes no body as an empty object, refuses the rest', async () => {
    expect(await readJsonBody(Buffer.from('{"a":1}'), undefined, 100)).toEqual({ a: 1 })
    expect(await readJsonBody(undefined, undefined, 100)).toEqual({})
    await expect(readJsonBody(Buffer.from('{'), undefined, 100)).rejects.toMatchObject({ code: 'request_malformed' })
  })
})
