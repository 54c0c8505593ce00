import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLogger } from '@logstack/logging'
import { tempDir } from '@logstack/testkit'
import { expect, test } from 'vitest'
import { sessionFile } from './session-file.ts'

const session = { hash: 'h', sealed: 's', lastSeenMs: 1, expiresAtMs: 2 }
const logger = createLogger('test', 'silent')

test('sessions are in a file that only the dashboard reads; a broken one is none', () => {
  const folder = tempDir('logstack-sessions')
  const path = join(folder.path, 'sessions.json')
  const file = sessionFile(path, logger)
  expect(file.load()).toEqual([])
  file.save([session])
  expect(file.load()).toEqual([session])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  writeFileSync(path, '{"cut')
  expect(file.load()).toEqual([])
  folder.remove()
})
