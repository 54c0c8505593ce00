import type { SearchClient } from '@logstack/search-client'
import { describe, expect, it } from 'vitest'
import { type Fields, getField } from '../../../ecs/fields.ts'
import { stateAction } from '../../../inventory/current-state.ts'
import { scannedHost } from '../../../vulnerabilities/scanned-hosts.ts'
import { builtOf, message, wazuhEventOf } from '../wazuh-event.testing.ts'
import { wazuhEvent } from '../wazuh-event.ts'

const change = (table: string, operation: string, data: object) =>
  message('d:syscollector', {
    type: `dbsync_${table}`,
    operation,
    data: { checksum: 'a', scan_time: '2026/11/28 13:00:00', ...data },
  })
const row = (table: string, attributes: object) =>
  message(`5:syscollector_${table}`, {
    component: `syscollector_${table}`,
    type: 'state',
    data: { index: 'i', timestamp: '', attributes: { checksum: 'a', ...attributes } },
  })

const deb = {
  name: 'libgif7',
  version: '5.1.9-1',
  architecture: 'amd64',
  format: 'deb',
  groups: 'libs',
  location: ' ',
  size: 73_728,
  source: 'giflib (5.1.9)',
  vendor: 'Debian',
  item_id: 'ec',
}

const rows = [
  ['hotfixes', { hotfix: 'KB5031445' }, 'hotfix', 'KB5031445', { package: { name: 'KB5031445', type: 'hotfix' } }],
  [
    'ports',
    {
      protocol: 'tcp6',
      local_ip: '::',
      local_port: 22,
      remote_ip: '::',
      remote_port: 0,
      inode: 77,
      state: 'listening',
      pid: 9,
      process: 'sshd',
    },
    'port',
    'tcp :::22 77',
    { server: { ip: '::', port: 22 }, network: { transport: 'tcp' }, process: { name: 'sshd', pid: 9 } },
  ],
  [
    'ports',
    {
      protocol: 'tcp',
      local_ip: '192.0.2.3',
      local_port: 39_106,
      remote_ip: '192.0.2.9',
      remote_port: 443,
      inode: 0,
      state: 'established',
      process: null,
    },
    'connection',
    'tcp 192.0.2.3:39106',
    {
      source: { port: 39_106 },
      destination: { ip: '192.0.2.9', port: 443 },
      inventory: { connection: { state: 'established' } },
    },
  ],
  [
    'ports',
    {
      protocol: 'udp',
      local_ip: 'fe80::1%eth0',
      local_port: 546,
      remote_ip: '::',
      remote_port: 0,
      inode: 3,
      state: null,
    },
    'port',
    'udp fe80::1%eth0:546 3',
    { server: { ip: 'fe80::1', port: 546 } },
  ],
  [
    'processes',
    { pid: '812', name: 'nginx', cmd: '/usr/sbin/nginx', argvs: '-g daemon on;', ppid: 1, euser: 'root', utime: 3 },
    'process',
    '812',
    {
      process: {
        pid: 812,
        name: 'nginx',
        executable: '/usr/sbin/nginx',
        command_line: '/usr/sbin/nginx -g daemon on;',
        user: { name: 'root' },
      },
    },
  ],
  [
    'users',
    {
      user_name: 'ann',
      user_id: 1000,
      user_group_id: 1000,
      user_groups: 'sudo:ann',
      user_home: '/home/ann',
      user_shell: '/bin/bash',
      user_full_name: 'Ann',
    },
    'user',
    'ann',
    {
      user: { name: 'ann', id: '1000', full_name: 'Ann', group: { id: '1000' }, roles: ['ann', 'sudo'] },
      inventory: { user: { home: '/home/ann', shell: '/bin/bash' } },
    },
  ],
  [
    'groups',
    { group_name: 'sudo', group_id: 27, group_users: 'ann:ben' },
    'group',
    'sudo',
    { group: { id: '27', name: 'sudo' }, inventory: { group: { members: ['ann', 'ben'] } } },
  ],
  [
    'services',
    {
      service_id: 'ssh.service',
      service_name: 'OpenBSD Secure Shell server',
      service_state: 'active',
      service_enabled: 'enabled',
      file_path: '/lib/systemd/system/ssh.service',
      process_pid: 0,
    },
    'service',
    'ssh.service /lib/systemd/system/ssh.service',
    { service: { name: 'ssh.service', state: 'enabled' }, inventory: { service: { running: 'active' } } },
  ],
  [
    'network_iface',
    { name: 'eth0', adapter: ' ', type: 'ethernet', state: 'up', mtu: 1500, mac: '02:00:00:00:00:01', rx_bytes: 5 },
    'interface',
    'eth0 ethernet',
    {
      host: { mac: ['02:00:00:00:00:01'] },
      observer: { ingress: { interface: { name: 'eth0' } } },
      inventory: { interface: { mtu: 1500 } },
    },
  ],
  [
    'network_address',
    { iface: 'eth0', proto: 0, address: '192.0.2.3', netmask: '255.255.255.0' },
    'interface_address',
    'eth0 192.0.2.3',
    { inventory: { interface: { address: ['192.0.2.3'] } } },
  ],
  [
    'network_protocol',
    { iface: 'eth0', type: 'ipv4', gateway: '192.0.2.1', dhcp: 'enabled' },
    'interface_protocol',
    'eth0 ipv4',
    { inventory: { interface: { gateway: '192.0.2.1', dhcp: 'enabled' } } },
  ],
  [
    'hwinfo',
    { board_serial: 'X1', cpu_name: 'CPU', cpu_cores: 4, ram_total: 1024, ram_free: 3 },
    'hardware',
    'machine',
    { inventory: { hardware: { kind: 'machine', serial: 'X1', count: 4, bytes: 1_048_576 } } },
  ],
  [
    'osinfo',
    {
      os_name: 'Debian GNU/Linux',
      os_version: '13 (trixie)',
      os_platform: 'debian',
      hostname: 'web1.example.org',
      architecture: 'x86_64',
      release: '6.12',
      sysname: 'Linux',
    },
    'system',
    'Debian GNU/Linux',
    {
      host: {
        name: 'web1',
        hostname: 'web1.example.org',
        os: { platform: 'debian', version: '13', full: 'Debian GNU/Linux 13 (trixie)', kernel: '6.12' },
      },
    },
  ],
  [
    'browser_extensions',
    {
      browser_name: 'chrome',
      user_id: 'S-1-5-21-1',
      package_name: 'uBlock',
      package_version: '1.52',
      browser_profile_path: 'C:\\p',
    },
    'browser_extension',
    'uBlock:1.52 chrome S-1-5-21-1 C:\\p',
    { package: { name: 'uBlock', type: 'browser_extension' }, user: { id: 'S-1-5-21-1' } },
  ],
] as const

describe('what a host has', () => {
  it('is an inventory of packages that vulnerabilities are looked up by', () => {
    expect(builtOf(row('packages', deb))).toMatchObject({
      agent: 'wazuh-003',
      index: 'logs-inventory.packages-default',
      document: {
        message: 'package libgif7:amd64:5.1.9-1 found',
        event: { kind: 'state', module: 'inventory', category: ['package'], type: ['info'], action: 'package_found' },
        package: { name: 'libgif7', version: '5.1.9-1', architecture: 'amd64', type: 'dpkg', size: 73_728 },
        inventory: { package: { source: { name: 'giflib', version: '5.1.9' } } },
        host: { name: 'web1', os: { platform: 'debian', version: '12' } },
        agent: { id: 'wazuh-003' },
        logstack: { inventory: { kind: 'package', key: 'libgif7:amd64:5.1.9-1', present: true } },
      },
    })
  })

  it('changes with what is added, changed and removed, the new version before the old one goes', () => {
    const states = [
      change('packages', 'INSERTED', deb),
      change('packages', 'INSERTED', { ...deb, version: '5.2.0-1' }),
      change('packages', 'MODIFIED', { ...deb, version: '5.2.0-1', size: 1 }),
      change('packages', 'DELETED', deb),
    ].map((text) => {
      const built = builtOf(text)
      return built && stateAction({ id: 'x', ...built })
    })
    expect(states.map((state) => state?.action)).toEqual(['index', 'index', 'index', 'delete'])
    expect(states[3]?.id).toBe(states[0]?.id)
    expect(states[2]?.id).toBe(states[1]?.id)
    expect(states[1]?.id).not.toBe(states[0]?.id)
    expect(wazuhEventOf(change('packages', 'DELETED', deb))).toMatchObject({
      event: { action: 'package_removed', type: ['deletion'], kind: 'event' },
    })
  })

  it.each([
    [{ ...deb, format: 'rpm', version: '1:2.3-4.el9', source: ' ' }, 'package', 'rpm', 'libgif7:amd64:1:2.3-4.el9'],
    [
      { name: '7-Zip', version: '24', architecture: 'x86_64', format: 'win', location: 'C:\\7z' },
      'package',
      'windows',
      '7-Zip:x86_64:24 win C:\\7z',
    ],
    [
      { name: 'requests', version: '2.31', format: 'pypi', location: '/usr/lib/x' },
      'library',
      'pypi',
      'requests::2.31 pypi /usr/lib/x',
    ],
    [{ name: 'firefox', version: '120', format: 'snap' }, 'snap', 'snap', 'firefox::120 snap'],
  ])('tells what the distribution has from what others installed: %o', (data, kind, type, key) => {
    expect(wazuhEventOf(change('packages', 'INSERTED', data))).toMatchObject({
      package: { type },
      logstack: { inventory: { kind, key } },
    })
  })
})

describe('the inventory of a host', () => {
  it.each(rows)('has %s: %o', (table, data, kind, key, fields) => {
    for (const text of [change(table, 'INSERTED', data), row(table, data)]) {
      const event = wazuhEventOf(text)
      expect(event).toMatchObject(fields)
      expect(event).toMatchObject({ logstack: { inventory: { kind, key, present: true } } })
    }
    expect(wazuhEventOf(change(table, 'DELETED', data))).toMatchObject({
      logstack: { inventory: { kind, key, present: false } },
    })
  })

  it('is looked through for vulnerabilities as that of our own agents, without what others installed', async () => {
    const snap = { name: 'libgif7', version: '9', architecture: 'amd64', format: 'snap' }
    const documents = [deb, snap, { ...deb, name: 'giflib-tools' }].map(
      (each) => builtOf(row('packages', each))?.document,
    )
    const isPackage = (document: Fields | undefined) =>
      getField(document ?? {}, 'logstack.inventory.kind') === 'package'
    const hits = documents.filter(isPackage).map((source, at) => ({ _id: `${at}`, _source: source, sort: [at] }))
    const search = { request: async () => ({ status: 200, headers: {}, body: { hits: { hits } } }) }
    expect(await scannedHost(search as unknown as SearchClient, 'wazuh-003')).toMatchObject({
      distribution: 'debian:12',
      format: 'dpkg',
      packages: [{ name: 'giflib', version: '5.1.9', parts: ['libgif7', 'giflib-tools'], type: 'dpkg' }],
    })
  })

  it('cannot be that of another host, whatever is in it', () => {
    const forged = {
      ...deb,
      agent: { id: 'wazuh-001' },
      host: { name: 'other' },
      logstack: { inventory: { key: 'x' } },
    }
    const built = builtOf(change('packages', 'INSERTED', forged))
    expect(built).toMatchObject({
      agent: 'wazuh-003',
      document: { agent: { id: 'wazuh-003' }, host: { name: 'web1' } },
    })
    const other = wazuhEvent(change('packages', 'INSERTED', deb), { id: '001', name: 'web1', address: '192.0.2.3' })
    expect(other?.agent).toBe('wazuh-001')
  })
})

describe('the changes of an inventory', () => {
  it('are those of the host, not of counters and what comes and goes', () => {
    const socket = { protocol: 'tcp', local_ip: '192.0.2.3', local_port: 5, remote_port: 443, state: 'established' }
    const kinds = [
      change('packages', 'MODIFIED', deb),
      change('users', 'MODIFIED', { user_name: 'ann' }),
      change('ports', 'INSERTED', { ...socket, state: 'listening' }),
      change('network_iface', 'MODIFIED', { name: 'eth0' }),
      change('hwinfo', 'MODIFIED', { ram_free: 5 }),
      change('osinfo', 'MODIFIED', { os_name: 'Debian GNU/Linux' }),
      change('processes', 'INSERTED', { pid: '5' }),
      change('processes', 'DELETED', { pid: '5' }),
      change('ports', 'INSERTED', socket),
    ].map(
      (text) =>
        (wazuhEventOf(text)['event'] as { kind: string; action: string } | undefined) ?? { kind: '', action: '' },
    )
    expect(kinds.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      'event package_changed',
      'event user_changed',
      'event port_added',
      'state interface_found',
      'state hardware_found',
      'state system_found',
      'state process_added',
      'state process_removed',
      'state connection_added',
    ])
    expect(builtOf(change('ports', 'INSERTED', socket))?.index).toBe('logs-inventory.connections-default')
  })
})

describe('the inventory of an old agent', () => {
  it('keeps what is known where old agents tell of a change in part', () => {
    const built = builtOf(change('packages', 'MODIFIED', { name: 'a', version: '1', architecture: 'all', size: 5 }))
    expect(built?.document).toMatchObject({ event: { action: 'package_changed' }, package: { name: 'a', size: 5 } })
    expect(built && stateAction({ id: 'x', ...built })).toBeUndefined()
  })

  it.each([
    [{ type: 'program', program: { format: 'deb', name: 'a', version: '1', architecture: 'all', size: 3 } }, 'a:all:1'],
    [{ type: 'hotfix', hotfix: 'KB1' }, 'KB1'],
    [{ type: 'process', process: { pid: 5, name: 'a' } }, '5'],
    [{ type: 'port', port: { protocol: 'udp', local_ip: '::', local_port: 5, inode: 3, PID: 4 } }, 'udp :::5 3'],
    [{ type: 'OS', inventory: { os_name: 'Debian GNU/Linux', os_version: '10 (buster)' } }, 'Debian GNU/Linux'],
    [{ type: 'hardware', inventory: { board_serial: 'x' } }, 'machine'],
    [{ type: 'network', iface: { name: 'eth0', MTU: 9, IPv4: { address: ['192.0.2.3'] } } }, 'eth0'],
  ])('is what agents before 4.2 send at every look: %o', (body, key) => {
    const event = wazuhEventOf(message('d:syscollector', { ID: 7, timestamp: '2021/01/01 00:00:00', ...body }))
    expect(event).toMatchObject({ event: { kind: 'state' }, logstack: { inventory: { key, present: true } } })
    if (body.type === 'network') {
      expect(event).toMatchObject({ inventory: { interface: { mtu: 9, address: ['192.0.2.3'] } } })
    }
    const end = message('d:syscollector', { type: `${body.type}_end`, ID: 7, timestamp: '2021/01/01 00:00:00' })
    expect(builtOf(end)).toBeUndefined()
  })
})
