import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askLocal, serveLocal } from './index.ts'

it('answers requests of the owner, also below a path that is too long for a socket, and nothing when it fails', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'logstack local socket '))
  const path = join(temporary, 'a-rather-long-name-of-a-folder'.repeat(5), 'local.sock')
  const server = await serveLocal(path, async (request) => {
    if ((request as { fail?: boolean }).fail) throw new Error('no')
    return { got: request }
  })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(await askLocal(path, { text: "quo'te" })).toEqual({ got: { text: "quo'te" } })
  await expect(askLocal(path, { fail: true })).rejects.toThrow(/no answer/)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await expect(askLocal(path, {})).rejects.toThrow(/ENOENT|ECONNREFUSED/)
  rmSync(temporary, { recursive: true })
})

it('rejects an answer that breaks off', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'logstack local socket '))
  const path = join(temporary, 'local.sock')
  const server = createServer((socket) => void socket.resume().end('{"half":'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  await expect(askLocal(path, {})).rejects.toThrow(/broke off/)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  rmSync(temporary, { recursive: true })
})
