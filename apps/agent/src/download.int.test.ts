import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type TempDir, tempDir, testCertificates } from '@logstack/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ServerClient } from './server-client.ts'

const megabyte = 1024 * 1024
const program = Buffer.alloc(9 * megabyte, 'a program ')
const packed = gzipSync(program)

let temporary: TempDir
let server: Server
let client: ServerClient

beforeAll(async () => {
  temporary = tempDir('logstack-download')
  const { cert, key, ca } = await testCertificates()
  server = createServer({ cert, key }, (request, response) => {
    if (request.url === '/packed') return response.end(packed)
    if (request.url === '/plain') return response.end(program)
    if (request.url === '/half') {
      response.writeHead(200, { 'content-length': packed.length })
      return response.write(packed.subarray(0, packed.length / 2), () => response.destroy())
    }
    return response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  client = new ServerClient({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, ca })
})

afterAll(() => {
  client.close()
  server.closeAllConnections()
  server.close()
  temporary.remove()
})

const target = (): string => join(temporary.path, 'program')

function download(path: string, more: { bytesMax?: number; isPacked?: boolean } = {}): Promise<void> {
  const signal = new AbortController().signal
  return client.download(path, target(), {
    bytesMax: program.length,
    timeoutMs: 60_000,
    signal,
    isPacked: true,
    ...more,
  })
}

describe('a download', () => {
  it('is written as it is, or unpacked', async () => {
    await download('/packed')
    expect(readFileSync(target()).equals(program)).toBe(true)
    await download('/plain', { isPacked: false })
    expect(readFileSync(target()).equals(program)).toBe(true)
  })

  it.each([
    ['more than was announced', '/packed', { bytesMax: program.length - 1 }, /more than \d+ bytes/],
    ['what is not packed', '/plain', {}, /incorrect header/],
    ['a half', '/half', {}, /cannot download/],
    ['a refusal', '/away', {}, /answers 503/],
  ])('leaves nothing behind of %s', async (_, path, more, reason) => {
    await expect(download(path, more)).rejects.toThrow(reason)
    expect(existsSync(target())).toBe(false)
  })
})
