import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { healthDocumentSchema } from '@logstack/contracts'
import { afterEach, expect, test } from 'vitest'
import { defineFault, type FaultOutcome } from '../doctor/define-fault.ts'
import type { Examined } from '../doctor/examine.ts'
import { healthFileOf, lastLookWords, writeHealthFile } from './health-file.ts'

const logDir = mkdtempSync(join(tmpdir(), 'health-file-'))
afterEach(() => rmSync(logDir, { recursive: true, force: true }))

const fault = defineFault<null>({
  name: 'parts-down',
  title: 'five parts up',
  diagnose: async () => ({ status: 'healthy', detail: '' }),
  plan: () => [],
})
const down: FaultOutcome = { status: 'fault', problem: 'down', evidence: [], meaning: 'nothing is stored', plan: [] }
const seen = (outcome: FaultOutcome): Examined[] => [{ fault, outcome, elapsedMs: 1 }]
const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute))
const written = (): unknown[] => JSON.parse(readFileSync(healthFileOf({ logDir }), 'utf8')) as unknown[]

test('the last look is on disk while search is down, and a status that lasts keeps its beginning', () => {
  expect(writeHealthFile({ logDir }, seen(down), at(0)).size).toBe(0)
  const before = writeHealthFile({ logDir }, seen(down), at(5))
  expect(before.get('parts-down')).toMatchObject({ status: 'fault', since: at(0).toISOString() })
  const [document] = written().map((one) => healthDocumentSchema.parse(one))
  expect(document).toMatchObject({ '@timestamp': at(5).toISOString(), since: at(0).toISOString(), message: 'down' })
})

test('a file that was cut off is written anew', () => {
  writeHealthFile({ logDir }, seen(down), at(0))
  writeFileSync(healthFileOf({ logDir }), '[{"check":')
  expect(writeHealthFile({ logDir }, seen(down), at(5)).size).toBe(0)
  expect(written()).toHaveLength(1)
})

test('who asks for something else is told what the last look saw, as long as it is news', () => {
  expect(lastLookWords({ logDir: join(logDir, 'nowhere') }, at(1))).toBeUndefined()
  writeHealthFile({ logDir }, seen({ status: 'healthy', detail: '5 up' }), at(0))
  expect(lastLookWords({ logDir }, at(1))).toBeUndefined()
  writeHealthFile({ logDir }, seen(down), at(5))
  expect(lastLookWords({ logDir }, at(9))).toBe('at 12:05 UTC doctor saw 1 fault: five parts up: down')
  expect(lastLookWords({ logDir }, at(21))).toBeUndefined()
  // A look of the future: the clock was set back.
  expect(lastLookWords({ logDir }, at(4))).toBeUndefined()
})
