import { describe, expect, it } from 'vitest'
import { journalEvent } from './journal-event.ts'

const entry = { __CURSOR: 's=1;i=2', __REALTIME_TIMESTAMP: '1700000000123456' }

describe('journalEvent', () => {
  it('reads an entry into ECS fields and keeps its cursor', () => {
    const line = JSON.stringify({
      ...entry,
      MESSAGE: 'Failed password',
      SYSLOG_IDENTIFIER: 'sshd',
      _PID: '12',
      PRIORITY: '5',
      _SYSTEMD_UNIT: 'ssh.service',
    })
    expect(journalEvent(line)).toMatchObject({
      cursor: 's=1;i=2',
      event: {
        '@timestamp': '2023-11-14T22:13:20.123Z',
        message: 'Failed password',
        log: { syslog: { appname: 'sshd', procid: '12', severity: { code: 5 } } },
        process: { pid: 12 },
        systemd: { unit: 'ssh.service' },
      },
    })
  })

  it.each([
    ['bytes', [102, 195, 188, 114], 'für'],
    ['several values', ['a', 'b'], 'a\nb'],
    ['nothing, when too large', null, ''],
  ])('takes a message given as %s', (_, given, expected) => {
    expect(journalEvent(JSON.stringify({ ...entry, MESSAGE: given }))?.event['message']).toBe(expected)
  })

  it.each(['', '{', '[]', '{"__CURSOR":"x"}'])('refuses %j', (line) => {
    expect(journalEvent(line)).toBeUndefined()
  })
})
