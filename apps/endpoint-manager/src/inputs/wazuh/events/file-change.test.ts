import { describe, expect, it } from 'vitest'
import { builtOf, documentOf, message, wazuhEventOf } from '../wazuh-event.testing.ts'

const attributes = {
  type: 'file',
  size: 18,
  perm: 'rw-r-----',
  uid: '0',
  gid: '42',
  user_name: 'root',
  group_name: 'shadow',
  inode: '265317',
  mtime: 1795870800,
  hash_md5: 'a'.repeat(32),
  hash_sha1: 'b'.repeat(40),
  hash_sha256: 'c'.repeat(64),
  checksum: 'd'.repeat(40),
}
const shown = {
  type: 'file',
  size: 18,
  mode: '0640',
  uid: '0',
  gid: '42',
  owner: 'root',
  group: 'shadow',
  inode: '265317',
  mtime: '2026-11-28T13:00:00.000Z',
  hash: { md5: 'a'.repeat(32), sha1: 'b'.repeat(40), sha256: 'c'.repeat(64) },
}
const event = (data: object) =>
  message('8:syscheck', {
    type: 'event',
    data: { version: 2, mode: 'realtime', timestamp: 1795870801, attributes, ...data },
  })

describe('changed files', () => {
  it('are events as our own agent has them', () => {
    expect(wazuhEventOf(event({ path: '/etc/shadow.old', type: 'added' }))).toEqual({
      '@timestamp': '2026-11-28T13:00:01.000Z',
      message: '/etc/shadow.old created',
      event: { kind: 'event', module: 'file_integrity', category: ['file'], type: ['creation'], action: 'created' },
      file: { path: '/etc/shadow.old', name: 'shadow.old', directory: '/etc', extension: 'old', ...shown },
      file_integrity: { mode: 'realtime' },
    })
    expect(builtOf(event({ path: '/a', type: 'deleted' }))).toMatchObject({
      agent: 'wazuh-003',
      index: 'logs-file_integrity-default',
      document: { message: '/a deleted', event: { action: 'deleted', type: ['deletion'] } },
    })
  })

  it('say what they were before, and who changed them', () => {
    const audit = {
      user_id: '0',
      user_name: 'root',
      process_name: '/usr/bin/vim',
      process_id: 4242,
      cwd: '/root',
      audit_uid: '1000',
      audit_name: 'ann',
      effective_uid: '0',
      effective_name: 'root',
      parent_name: '/usr/bin/bash',
      ppid: 4100,
    }
    const changed = {
      path: '/etc/hosts',
      type: 'modified',
      mode: 'whodata',
      changed_attributes: ['size', 'mtime', 'md5', 'sha1', 'sha256'],
      old_attributes: { ...attributes, size: 3 },
      content_changes: '1c1\n< a\n---\n> b\n',
      tags: 'network,names',
      audit,
    }
    expect(wazuhEventOf(event(changed))).toMatchObject({
      event: { action: 'updated', type: ['change'] },
      user: { id: '1000', name: 'ann', effective: { id: '0', name: 'root' } },
      process: {
        pid: 4242,
        name: 'vim',
        executable: '/usr/bin/vim',
        working_directory: '/root',
        parent: { pid: 4100, executable: '/usr/bin/bash' },
      },
      file_integrity: {
        before: { ...shown, size: 3 },
        changed: ['size', 'mtime', 'md5', 'sha1', 'sha256'],
        tags: ['network', 'names'],
        diff: '1c1\n< a\n---\n> b',
      },
    })
    expect(wazuhEventOf(event({ ...changed, audit: { ...audit, audit_uid: '4294967295' } }))).toMatchObject({
      user: { id: '0', name: 'root' },
    })
  })
})

describe('attributes of changed files', () => {
  it('are what changed where the content is the same', () => {
    const same = { path: '/a', type: 'modified', changed_attributes: ['permission', 'uid'], old_attributes: attributes }
    expect(documentOf(event(same))).toMatchObject({
      message: '/a attributes modified',
      event: { action: 'attributes_modified', type: ['change'] },
    })
  })

  it.each([
    ['rwxr-xr-x', '0755'],
    ['rwsr-xr-x', '4755'],
    ['rwxr-sr-x', '2755'],
    ['rwxrwxrwt', '1777'],
    ['rwSr-Sr-T', '7644'],
    ['100644', undefined],
  ])('have the permissions %s as %s', (perm, mode) => {
    const { file } = documentOf(event({ path: '/a', type: 'added', attributes: { type: 'file', perm } }))
    expect((file as { mode?: string }).mode).toBe(mode)
  })

  it('of Windows say who may do what', () => {
    const perm = {
      'S-1-5-32-544': { name: 'Administrators', allowed: ['delete', 'read_data'] },
      'S-1-1-0': { denied: ['write_data'] },
    }
    const at = { path: 'c:\\windows\\system32\\drivers\\etc\\hosts.ics', type: 'added' }
    expect(
      wazuhEventOf(event({ ...at, attributes: { type: 'file', perm, attributes: 'ARCHIVE, HIDDEN' } })),
    ).toMatchObject({
      file: {
        path: at.path,
        name: 'hosts.ics',
        directory: 'c:\\windows\\system32\\drivers\\etc',
        extension: 'ics',
        attributes: ['ARCHIVE', 'HIDDEN'],
        permissions: ['Administrators allowed: delete read_data', 'S-1-1-0 denied: write_data'],
      },
    })
  })

  it('of what is only there are no change', () => {
    const state = { index: '/a', version: 2, timestamp: 1795870801, attributes }
    for (const data of [state, { ...state, path: '/a' }]) {
      const row = message('5:fim_file', { component: 'fim_file', type: 'state', data })
      expect(wazuhEventOf(row)).toMatchObject({
        event: { kind: 'state', action: 'found' },
        file: { path: '/a', size: 18 },
      })
    }
    const key = { index: 'f'.repeat(40), path: 'HKEY_USERS\\x', attributes: { type: 'registry_key' } }
    expect(
      wazuhEventOf(message('5:fim_registry_key', { component: 'fim_registry_key', type: 'state', data: key })),
    ).toMatchObject({ event: { category: ['registry'], kind: 'state' }, registry: { hive: 'HKU', key: 'x' } })
  })
})

describe('the registry', () => {
  const key = 'HKEY_LOCAL_MACHINE\\Software\\Example\\Run'

  it('has its keys and values in fields of their own', () => {
    const value = {
      path: key,
      type: 'modified',
      arch: '[x64]',
      value_name: 'agent',
      changed_attributes: ['size', 'sha256'],
    }
    const of = { type: 'registry_value', value_type: 'REG_SZ', size: 12, hash_sha256: 'e'.repeat(64) }
    expect(wazuhEventOf(event({ ...value, attributes: of, old_attributes: { ...of, size: 4 } }))).toMatchObject({
      message: `${key}\\agent updated`,
      event: { category: ['registry'], action: 'updated', type: ['change'] },
      registry: {
        hive: 'HKLM',
        key: 'Software\\Example\\Run',
        value: 'agent',
        path: 'HKLM\\Software\\Example\\Run\\agent',
        data: { type: 'REG_SZ' },
      },
      file_integrity: { size: 12, before: { size: 4 } },
    })
    expect(documentOf(event({ path: key, type: 'deleted', attributes: { type: 'registry_key' } }))).toMatchObject({
      registry: { hive: 'HKLM', path: 'HKLM\\Software\\Example\\Run' },
      event: { action: 'deleted' },
    })
    const odd = documentOf(event({ path: 'ELSEWHERE\\a', type: 'added', attributes: { type: 'registry_key' } }))
    expect(odd).toMatchObject({ registry: { key: 'ELSEWHERE\\a', path: 'ELSEWHERE\\a' } })
    expect(odd['file']).toBeUndefined()
  })
})
