import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { inflateBody } from './inflate-body.ts'

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
