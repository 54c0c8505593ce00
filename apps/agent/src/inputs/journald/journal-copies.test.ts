import { expect, test } from 'vitest'
import { journalCopies } from './journal-copies.ts'

const journald = (keys: object) => ({
  id: 'j',
  type: 'journald',
  streams: [{ id: 'j', data_stream: { type: 'logs' as const, dataset: 'system.journal' }, ...keys }],
})

test('knows the files that syslog daemons write beside the journal, while there is one', () => {
  const host = { keeps: true, at: 0 }
  const isCopy = journalCopies([journald({})], { keepsJournal: () => host.keeps, now: () => host.at })
  expect(['/var/log/syslog', '/var/log/auth.log', '/var/log/kern.log', '/var/log/secure'].every(isCopy)).toBe(true)
  expect(['/var/log/dpkg.log', '/var/log/nginx/access.log', '/srv/log/syslog'].some(isCopy)).toBe(false)
  host.keeps = false
  host.at += 60_000
  expect(isCopy('/var/log/syslog')).toBe(false)
})

test('knows none where the journal is not followed, or only one of another host', () => {
  const host = { keepsJournal: () => true, now: () => 0 }
  expect(journalCopies([], host)('/var/log/syslog')).toBe(false)
  expect(journalCopies([journald({ directory: '/srv/journals' })], host)('/var/log/syslog')).toBe(false)
})
