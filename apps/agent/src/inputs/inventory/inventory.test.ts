import { describe, expect, it } from 'vitest'
import { inventoryChanges } from '../inventory.ts'
import type { Fields } from './inventory-set.ts'
import { packages, readDpkg, readRpm } from './packages.ts'
import { readSockets } from './ports.ts'
import { readServices } from './services.ts'
import { readUsers } from './users.ts'

describe('reading', () => {
  it('takes installed packages from the status of dpkg', () => {
    const text = [
      'Package: openssl\nStatus: install ok installed\nInstalled-Size: 2\nArchitecture: amd64\nVersion: 3.0-1\nDescription: x\n y',
      'Package: nano\nStatus: deinstall ok config-files\nArchitecture: amd64\nVersion: 7',
      '',
    ].join('\n\n')
    expect([...readDpkg(text)]).toEqual([
      [
        'openssl:amd64',
        { package: { name: 'openssl', version: '3.0-1', architecture: 'amd64', type: 'dpkg', size: 2048 } },
      ],
    ])
  })

  it('takes packages from rpm', () => {
    expect([...readRpm('bash\t5.2-1\tx86_64\t100\tThe shell\n\n').keys()]).toEqual(['bash:x86_64:5.2-1'])
  })

  it('takes listening sockets from the tables of the kernel', () => {
    const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
    const row = (local: string, remote: string, state: string) =>
      `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 4711 1 0 100 0 0 10 0`
    const tcp = [head, row('0100007F:1F90', '00000000:0000', '0A'), row('0100007F:1F90', '0100007F:9999', '01')].join(
      '\n',
    )
    expect(readSockets(tcp, 'tcp')).toEqual([{ transport: 'tcp', ip: '127.0.0.1', port: 8080, inode: '4711' }])
    const udp6 = [
      head,
      row('B80D0120000000000000000001000000:0035', '00000000000000000000000000000000:0000', '07'),
    ].join('\n')
    expect(readSockets(udp6, 'udp')).toEqual([{ transport: 'udp', ip: '2001:db8::1', port: 53, inode: '4711' }])
  })

  it('takes accounts with their groups', () => {
    const users = readUsers(
      'root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000:Ann,,,:/home/ann:/bin/sh\n',
      'root:x:0:\nann:x:1000:\nsudo:x:27:ann,bob\n',
    )
    expect(users.get('ann')).toEqual({
      user: { name: 'ann', id: '1000', full_name: 'Ann', group: { id: '1000', name: 'ann' }, roles: ['ann', 'sudo'] },
      inventory: { user: { home: '/home/ann', shell: '/bin/sh' } },
    })
  })

  it('takes services from systemctl', () => {
    expect([...readServices('ssh.service enabled enabled\nx.socket enabled\n\n').keys()]).toEqual(['ssh.service'])
  })
})

describe('changes', () => {
  const openssl = (version: string): Fields => ({ package: { name: 'openssl', version } })
  const actions = (known: Record<string, Fields> | undefined, current: [string, Fields][]) =>
    inventoryChanges(packages, known, new Map(current)).map((event) => [
      (event['event'] as { action: string }).action,
      (event['logstack'] as { inventory: { present: boolean } }).inventory.present,
    ])

  it('the first look finds, later ones compare', () => {
    expect(actions(undefined, [['openssl', openssl('1')]])).toEqual([['package_found', true]])
    expect(actions({ openssl: openssl('1') }, [['openssl', openssl('1')]])).toEqual([])
    expect(actions({ openssl: openssl('1') }, [['openssl', openssl('2')]])).toEqual([['package_changed', true]])
    expect(actions({ openssl: openssl('1') }, [])).toEqual([['package_removed', false]])
    expect(actions({}, [['openssl', openssl('1')]])).toEqual([['package_added', true]])
  })

  it('members without a value are none', () => {
    expect(actions({ a: { user: { name: 'a' } } }, [['a', { user: { name: 'a', full_name: undefined } }]])).toEqual([])
  })

  it('a thing called like something of JavaScript is one like any other', () => {
    expect(actions({}, [['constructor', {}]])).toEqual([['package_added', true]])
  })
})
