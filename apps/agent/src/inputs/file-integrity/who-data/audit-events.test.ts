import { describe, expect, it } from 'vitest'
import { recordsOf, type ToldCall } from './audit.testing.ts'
import { type AuditEvent, AuditEvents } from './audit-events.ts'

const call: ToldCall = {
  serial: 7,
  time: 1_763_900_000_042,
  pid: 812,
  auid: '1001',
  uid: '0',
  comm: 'my editor',
  exe: '/opt/my editor',
  cwd: '/etc/ssh',
  key: 'logstack-fim',
  title: 'my editor\0sshd config\0',
  paths: [
    ['PARENT', 2, '/etc/ssh'],
    ['CREATE', 44, 'sshd_config'],
  ],
}

const read = (lines: readonly string[]): AuditEvent[] => {
  const events = new AuditEvents()
  return lines.flatMap((line) => events.add(line))
}

describe('records of audit', () => {
  it('of one call are one event: who, and what it did to which path', () => {
    const [event, ...more] = read(recordsOf(call))
    expect(more).toEqual([])
    expect(event).toMatchObject({
      time: 1_763_900_000_042,
      keys: ['logstack-fim'],
      actor: {
        loginId: '1001',
        realId: '0',
        effectiveId: '0',
        pid: 812,
        parentPid: 3999,
        name: 'my editor',
        executable: '/opt/my editor',
        commandLine: 'my editor sshd config',
      },
      paths: [{ path: '/etc/ssh/sshd_config', inode: 44, kind: 'CREATE' }],
    })
  })

  it('of several calls that come mixed are told apart by their serial', () => {
    const other = recordsOf({ ...call, serial: 8, pid: 900, paths: [['DELETE', 45, '/etc/über mut']] })
    const mixed = recordsOf(call).flatMap((line, at) => [line, ...(other[at] === undefined ? [] : [other[at]])])
    const events = read(mixed)
    expect(events.map(({ actor, paths }) => [actor.pid, paths.map(({ path }) => path)])).toEqual([
      [900, ['/etc/über mut']],
      [812, ['/etc/ssh/sshd_config']],
    ])
  })

  it('leave out what failed, what is no call, and paths that only led there', () => {
    expect(read(recordsOf({ ...call, success: 'no' }))).toEqual([])
    expect(read(['', 'type=', 'type=USER_LOGIN msg=audit(1763900000.042:9): pid=1 res=success', 'noise'])).toEqual([])
    expect(read(recordsOf(call).slice(1))).toEqual([])
    expect(read(recordsOf({ ...call, paths: [['UNKNOWN', 1, '/etc/x']] }))[0]?.paths).toEqual([])
  })

  it('name nobody where nobody logged in, take the names auditd knew, and several keys', () => {
    const [event] = read(
      recordsOf({
        ...call,
        auid: '4294967295',
        euid: '33',
        key: 'a\x01b',
        enriched: 'AUID="unset" UID="root" EUID="web"',
      }),
    )
    expect(event?.actor.loginId).toBeUndefined()
    expect(Object.fromEntries(event?.actor.names ?? [])).toEqual({ 0: 'root', 33: 'web' })
    expect(event?.keys).toEqual(['a', 'b'])
  })

  it('whose end was lost are given up, and memory stays bounded', () => {
    const events = new AuditEvents()
    const lost = Array.from({ length: 600 }, (_, serial) => recordsOf({ ...call, serial }).slice(0, -1))
    const given = lost.flat().flatMap((line) => events.add(line))
    expect(given).toHaveLength(600 - 512)
    expect(given[0]).toMatchObject({ actor: { commandLine: undefined }, paths: [{ path: '/etc/ssh/sshd_config' }] })
  })

  it('cannot be forged by names', () => {
    const [event] = read(
      recordsOf({ ...call, comm: 'x" auid=0 key="k', paths: [['NORMAL', 4, '/etc/a"\x1dAUID="root"\nname="/etc/b']] }),
    )
    expect(event?.actor).toMatchObject({ loginId: '1001', name: 'x" auid=0 key="k' })
    expect(event?.actor.names.size).toBe(0)
    expect(event?.paths[0]?.path).toBe('/etc/a"\x1dAUID="root"\nname="/etc/b')
  })
})
