import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataPaths } from './data-directory.ts'
import type { Identity } from './identity.ts'
import { type StatusSources, staleness, writeStatus } from './status-file.ts'
import { UnitStates } from './unit-states.ts'

let temporary: TempDir
let changes: number
let states: UnitStates
beforeEach(() => {
  temporary = tempDir('logstack-status-file')
  changes = 0
  states = new UnitStates(() => {
    changes += 1
  })
})
afterEach(() => temporary.remove())

function sources(lacksRoom = false): StatusSources {
  const identity = { id: 'a', url: 'https://127.0.0.1:1' } as Identity
  const paths = dataPaths(join(temporary.path, 'agent'))
  return { paths, identity, spool: { pending: 3, lacksRoom }, states, policy: undefined }
}
const written = (): { status: string; pending: number } =>
  JSON.parse(readFileSync(sources().paths.status, 'utf8')) as { status: string; pending: number }

it('a data directory that cannot be written is a unit that failed, and one that works when it can be again', () => {
  writeStatus(sources())
  expect(states.status).toBe('degraded')
  expect(states.message).toMatch(/^data directory: \S+agent takes nothing more: /)
  mkdirSync(sources().paths.folder)
  writeStatus(sources())
  expect(states.status).toBe('online')
  expect(changes).toBe(2)
  rmSync(sources().paths.folder, { recursive: true })
  writeStatus(sources())
  const unit = { status: 'FAILED', payload: { reason: 'data_unwritable' } }
  expect(states.components()).toMatchObject([{ id: 'agent', status: 'FAILED', units: [unit] }])
})

it('a full disk is told while inputs wait for room, though the status itself still fits', () => {
  mkdirSync(sources().paths.folder)
  writeStatus(sources())
  expect([written(), states.components()]).toMatchObject([{ status: 'online', pending: 3 }, []])
  writeStatus(sources(true))
  expect(states.message).toContain('what inputs read waits for room')
  expect(states.components()).toMatchObject([{ units: [{ payload: { reason: 'disk_full' } }] }])
  writeStatus(sources())
  expect(states.status).toBe('online')
})

it('a status that a running agent no longer writes is said to be old', () => {
  const paths = { folder: temporary.path }
  const now = Date.parse('2026-11-28T04:00:00Z')
  expect(staleness(paths, '2026-11-28T03:59:45Z', now)).toBeUndefined()
  expect(staleness(paths, '2026-11-28T03:59:00Z', now)).toMatch(
    /no status for 60 s: can .* be written\? \(\d+ of \d+ MB free\)/,
  )
})
