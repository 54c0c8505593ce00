import { healthDocumentSchema } from '@logstack/contracts'
import { expect, test } from 'vitest'
import { defineFault, type FaultOutcome } from '../doctor/define-fault.ts'
import { healthDocument } from './record.ts'

const fault = defineFault<null>({
  name: 'disk-space',
  title: 'disk space',
  diagnose: async () => ({ status: 'healthy', detail: '' }),
  plan: () => [],
})
const now = new Date('2026-03-01T12:00:00Z')
const earlier = '2026-03-01T11:00:00.000Z'
const full: FaultOutcome = {
  status: 'fault',
  problem: 'the disk is full',
  evidence: ['0 bytes free'],
  meaning: 'nothing is stored',
  plan: ['make room'],
  repair: async () => undefined,
}

test('a fault is written with evidence, meaning and plan, as the index expects it', () => {
  const document = healthDocument({ fault, outcome: full, elapsedMs: 1 }, now)
  expect(healthDocumentSchema.parse(document)).toMatchObject({
    status: 'fault',
    message: 'the disk is full',
    evidence: ['0 bytes free'],
    plan: ['make room'],
    repairable: true,
    since: now.toISOString(),
  })
})

test('a status that lasts keeps its beginning, another one begins now', () => {
  const since = (status: 'fault' | 'healthy'): string =>
    healthDocument({ fault, outcome: full, elapsedMs: 1 }, now, { status, since: earlier }).since
  expect(since('fault')).toBe(earlier)
  expect(since('healthy')).toBe(now.toISOString())
})

test('what follows from another fault says from which; what could not be seen says why', () => {
  const follows = healthDocument({ fault, outcome: full, follows: 'logical-volume', elapsedMs: 1 }, now)
  expect(follows).toMatchObject({ status: 'consequence', follows: 'logical-volume' })
  const unknown = healthDocument({ fault, outcome: { status: 'unknown', why: 'search is down' }, elapsedMs: 1 }, now)
  expect(healthDocumentSchema.parse(unknown)).toMatchObject({ status: 'unknown', message: 'search is down' })
})
