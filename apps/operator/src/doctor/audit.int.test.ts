import { readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@logstack/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { auditFileOf, writeAudit } from './audit.ts'
import type { RepairRecord } from './repair.ts'

let temporary: ReturnType<typeof tempDir>
let logDir: string
beforeEach(() => {
  temporary = tempDir('logstack-audit')
  logDir = join(temporary.path, 'log')
})
afterEach(() => temporary.remove())

const record: RepairRecord = {
  ...{ check: 'vault', problem: 'elastic has mode 644', plan: ['chmod 600 elastic'], end: 'mended' },
  ...{ detail: '6 secrets', elapsedMs: 12 },
}

test('each repair is a line for root alone, with who asked for it', () => {
  expect(writeAudit({ logDir }, record, { SUDO_USER: 'ada', USER: 'root' })).toBeUndefined()
  expect(writeAudit({ logDir }, { ...record, end: 'interrupted', detail: 'SIGINT' }, {})).toBeUndefined()
  const lines = readFileSync(auditFileOf({ logDir }), 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { user: 'ada', check: 'vault', plan: ['chmod 600 elastic'], end: 'mended' },
    { user: '', check: 'vault', end: 'interrupted', detail: 'SIGINT' },
  ])
  expect(statSync(auditFileOf({ logDir })).mode & 0o777).toBe(0o600)
})

test('a disk without room for the line is told, and stops nothing', () => {
  symlinkSync('/dev/full', auditFileOf({ logDir: temporary.path }))
  expect(writeAudit({ logDir: temporary.path }, record, {})).toMatch(/ENOSPC/)
  expect(writeAudit({ logDir: '/dev/null/log' }, record, {})).toMatch(/ENOTDIR/)
})
