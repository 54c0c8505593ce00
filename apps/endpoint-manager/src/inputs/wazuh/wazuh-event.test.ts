import { describe, expect, it } from 'vitest'
import { systemFields } from './events/host-system.ts'
import { builtOf, collected, documentOf, message, web1 } from './wazuh-event.testing.ts'
import { wazuhEvent } from './wazuh-event.ts'

const iso = new Date(collected).toISOString()

describe('a message of an agent', () => {
  it('is an event of its host, with what the host says of its system', () => {
    expect(wazuhEvent('1:/var/log/app.log:it works', web1)).toEqual({
      type: 'logs',
      dataset: 'file.log',
      areOwn: true,
      agent: 'wazuh-003',
      fields: {
        message: 'it works',
        log: { file: { path: '/var/log/app.log' } },
        agent: { id: 'wazuh-003', name: 'web1', version: '4.14.7', type: 'wazuh' },
        host: {
          name: 'web1',
          ip: '192.0.2.3',
          os: { name: 'Debian GNU/Linux', platform: 'debian', version: '12', full: 'Debian GNU/Linux 12 (bookworm)' },
        },
      },
    })
    expect(builtOf('1:/var/log/app.log:it works', { id: '7', name: 'a', address: '::1' })).toMatchObject({
      agent: 'wazuh-7',
      index: 'logs-file.log-default',
      document: { '@timestamp': iso, host: { name: 'a', ip: '::1' }, agent: { id: 'wazuh-7' } },
    })
  })

  it.each([
    ['d:syscollector:{"type":"dbsync_packages","operation":"INSERTED","data":[]}', 'wazuh.syscollector'],
    ['d:syscollector:{"type":"dbsync_packages"', 'wazuh.syscollector'],
    ['8:syscheck:{"type":"event","data":{"type":"grown","path":"/a"}}', 'wazuh.syscheck'],
    ['5:syscollector_planets:{"type":"state","component":"syscollector_planets","data":{}}', 'wazuh.dbsync'],
    ['p:sca:{"type":"check","check":{}}', 'wazuh.sca'],
    ['f:EventChannel:{"Message":"x"}', 'wazuh.windows'],
    ['u:upgrade_module:{"command":"upgrade_update_status"}', 'wazuh.upgrade'],
    ['e:wodle_cis-cat:{"type":"scan_info"}', 'wazuh.ciscat'],
    ['3:/var/log/nmap:Host: 192.0.2.1', 'wazuh.hostinfo'],
  ])('that cannot be read is kept whole: %s', (text, dataset) => {
    const body = text.slice(text.indexOf(':', 2) + 1)
    expect(builtOf(text)).toMatchObject({ index: `logs-${dataset}-default`, document: { message: body } })
  })

  it('of another form is kept whole, too', () => {
    for (const text of ['', 'x', 'no message', '1:', '1:/var/log/a', `1:${'|'.repeat(20_000)}`, 'Z:a']) {
      expect(builtOf(text)).toMatchObject({ index: 'logs-wazuh.other-default', document: { message: text } })
    }
    expect(builtOf('Z:place:words')).toMatchObject({
      index: 'logs-wazuh.other-default',
      document: { message: 'words' },
    })
  })

  it.each([
    '8:syscheck:{"type":"scan_start","data":{"timestamp":1}}',
    '8:syscheck:{"type":"scan_end","data":{"timestamp":1}}',
    '9:rootcheck:Starting rootcheck scan.',
    '9:rootcheck:Ending rootcheck scan.',
    '5:syscollector_packages:{"component":"syscollector_packages","type":"integrity_check_global","data":{"id":1}}',
    '5:fim_file:{"component":"fim_file","type":"integrity_clear","data":{"id":1}}',
    'p:sca:{"type":"policies","policies":["cis_debian12"]}',
    'p:sca:{"type":"dump_end","policy_id":"cis_debian12","elements_sent":3,"scan_id":1}',
  ])('that only its server would need is none: %s', (text) => {
    expect(wazuhEvent(text, web1)).toBeUndefined()
  })
})

describe('lines of logs', () => {
  it.each([
    ['/var/log/auth.log', 'system.auth'],
    ['/var/log/secure', 'system.auth'],
    ['/var/log/syslog', 'system.syslog'],
    ['/var/log/messages', 'system.syslog'],
    ['[003] (web1) any->/var/log/syslog', 'system.syslog'],
    ['/var/log/nginx/access.log', 'nginx.access'],
    ['/var/log/apache2/access.log', 'apache.access'],
    ['/var/log/httpd/access_log', 'apache.access'],
    ['/var/log/suricata/eve.json', 'suricata.eve'],
    ['/var/log/audit/audit.log', 'auditd.log'],
    ['C|:\\inetpub\\logs\\app.log', 'file.log'],
    ['macos', 'macos.log'],
  ])('at %s are of %s', (location, dataset) => {
    expect(wazuhEvent(`1:${location}:hello: world`, web1)).toMatchObject({
      dataset,
      fields: { message: 'hello: world' },
    })
  })

  it('are decoded as those of our own agents', () => {
    const line = 'Nov 28 15:59:58 web1 sshd[4711]: Failed password for invalid user eve from 203.0.113.9 port 4242 ssh2'
    expect(builtOf(`1:/var/log/auth.log:${line}`)).toMatchObject({
      index: 'logs-system.auth-default',
      decoded: { decoder: 'sshd' },
      document: {
        '@timestamp': '2026-11-28T13:59:58.000Z',
        source: { ip: '203.0.113.9', port: 4242 },
        user: { name: 'eve' },
        event: { outcome: 'failure', action: 'ssh_login' },
        log: { file: { path: '/var/log/auth.log' }, syslog: { appname: 'sshd' } },
        host: { name: 'web1' },
      },
    })
    expect(documentOf('1:C|:\\logs\\a||b.log:x')).toMatchObject({ log: { file: { path: 'C:\\logs\\a|b.log' } } })
  })

  it('of the journal are in UTC, whatever the host has', () => {
    const line =
      'Nov 28 13:59:58 web1 sudo[12]: pam_unix(sudo:session): session opened for user root(uid=0) by ann(uid=1000)'
    expect(builtOf(`1:journald:${line}`)).toMatchObject({
      decoded: { decoder: 'pam' },
      document: { '@timestamp': '2026-11-28T13:59:58.000Z', user: { name: 'root' }, process: { name: 'sudo' } },
    })
  })

  it('of macOS have their time, their program and their words', () => {
    const line =
      '2026-11-28 15:19:50.123456-0700  mac1 sshd[123]: Failed password for eve from 203.0.113.9 port 4242 ssh2'
    expect(builtOf(`1:macos:${line}`)).toMatchObject({
      decoded: { decoder: 'sshd' },
      document: {
        '@timestamp': '2026-11-28T22:19:50.123Z',
        process: { name: 'sshd', pid: 123 },
        source: { ip: '203.0.113.9' },
        event: { original: line },
      },
    })
    expect(documentOf('1:macos:2026-99-99 15:19:50.123456-0700  mac1 sshd[123]: x')).toMatchObject({
      message: '2026-99-99 15:19:50.123456-0700  mac1 sshd[123]: x',
    })
  })

  it('of a device that sends syslog have its address', () => {
    expect(documentOf('2:192.0.2.99:<13>Nov 28 15:59:58 sw1 app: up')).toMatchObject({
      log: { source: { address: '192.0.2.99' }, syslog: { hostname: 'sw1', appname: 'app' } },
    })
  })
})

describe('lines that the agent itself writes', () => {
  it('of the output of a command name the command', () => {
    const full = "1:ports:ossec: output: 'ports':\ntcp 0.0.0.0:22 sshd\ntcp 0.0.0.0:80 nginx"
    expect(builtOf(full)).toMatchObject({
      index: 'logs-wazuh.command-default',
      document: {
        message: 'tcp 0.0.0.0:22 sshd\ntcp 0.0.0.0:80 nginx',
        process: { command_line: 'ports' },
        event: { action: 'command_output', original: full.slice('1:ports:'.length) },
      },
    })
    const quoted = "ps | grep 'a|:b': 'c'"
    expect(documentOf("1:ps || grep 'a|||:b'|: 'c':ossec: output: 'ps | grep 'a|:b': 'c'': d: e")).toMatchObject({
      message: 'd: e',
      process: { command_line: quoted },
    })
    expect(documentOf("1:df -P:ossec: output: 'df -P: / 5%")).toMatchObject({ message: "ossec: output: 'df -P: / 5%" })
  })

  it('of what it does are its own', () => {
    expect(builtOf("1:wazuh-agent:ossec: Agent started: 'web1->any'.")).toMatchObject({
      index: 'logs-wazuh.agent-default',
      document: { message: "ossec: Agent started: 'web1->any'.", event: { action: 'agent_started', type: ['start'] } },
    })
    expect(documentOf("1:/var/log/a.log:ossec: File rotated (inode changed): '/var/log/a.log'.")).toMatchObject({
      event: { dataset: 'wazuh.agent', type: ['info'] },
      log: { file: { path: '/var/log/a.log' } },
    })
    expect(builtOf("9:rootcheck:Rootkit 't0rn' detected by the presence of file '/dev/.lib'.")).toMatchObject({
      index: 'logs-wazuh.rootcheck-default',
      document: { event: { category: ['intrusion_detection'] } },
    })
  })
})

describe('checks', () => {
  const check = {
    id: 36005,
    title: 'Ensure X is off',
    rationale: 'It lets people in.',
    remediation: 'Turn it off.',
    compliance: { cis: '1.1.1', pci_dss: '2.2.4,2.2.5' },
    rules: ['c:modprobe -n -v x -> r:install'],
    condition: 'all',
    command: 'modprobe -n -v x',
    result: 'failed',
  }
  const sent = { type: 'check', id: 5, policy: 'CIS', policy_id: 'cis_debian12', check }

  it('are as those of our own agents', () => {
    expect(builtOf(message('p:sca', sent))).toMatchObject({
      agent: 'wazuh-003',
      index: 'logs-checks-default',
      document: {
        message: 'Ensure X is off: failed. command modprobe -n -v x',
        event: { module: 'checks', action: 'check_failed', outcome: 'failure', kind: 'state' },
        rule: { id: '36005', name: 'Ensure X is off', ruleset: 'cis_debian12', description: 'It lets people in.' },
        logstack: {
          check: { result: 'failed', fix: 'Turn it off.', compliance: ['cis 1.1.1', 'pci_dss 2.2.4,2.2.5'] },
          inventory: { kind: 'check', key: 'cis_debian12/36005', present: true },
        },
      },
    })
  })

  it('that do not apply are unknown, never passed, and say why', () => {
    const { result: _result, ...rest } = check
    const unknown = { ...sent, check: { ...rest, status: 'Not applicable', reason: 'no modprobe' } }
    expect(documentOf(message('p:sca', unknown))).toMatchObject({
      event: { outcome: 'unknown', reason: 'no modprobe' },
      logstack: { check: { result: 'unknown' } },
    })
  })

  it('are counted in a summary', () => {
    const summary = { type: 'summary', policy_id: 'p', name: 'CIS', passed: 2, failed: 1, invalid: 0, score: 66 }
    expect(builtOf(message('p:sca', summary))).toMatchObject({
      index: 'logs-wazuh.sca-default',
      document: { message: 'CIS: 2 passed, 1 failed, 0 not applicable', wazuh: { sca: { score: 66 } } },
    })
  })
})

describe("what agents say of their hosts' systems", () => {
  it.each([
    ['Debian GNU/Linux 12 (bookworm)', 'debian', '12'],
    ['Linux |u |6.8 |#1 |x86_64 [Ubuntu|ubuntu: 24.04.1 LTS (Noble Numbat)] - Wazuh v4.14.7', 'ubuntu', '24.04.1'],
    ['Ubuntu 24.04.1 LTS (Noble Numbat)', 'ubuntu', '24.04.1'],
    ['Linux |r |5.14 |#1 |x86_64 [Rocky Linux|rocky: 9.4 (Blue Onyx)] - Wazuh v4.9.0', 'rocky', '9.4'],
    ['AlmaLinux 9.4 (Seafoam Ocelot)', 'almalinux', '9.4'],
    ['Microsoft Windows 11 Pro [Ver: 10.0.22631.4460] |ws1 |AMD64 - Wazuh v4.14.7', 'windows', '10.0.22631.4460'],
    ['Microsoft Windows 11 Pro 10.0.22631', 'windows', '10.0.22631'],
    ['Plan 9 - Wazuh v4.0.0', undefined, '9'],
    ['', undefined, undefined],
  ])('%s', (said, platform, version) => {
    const found = systemFields(said)
    expect([found['platform'], found['version']]).toEqual([platform, version])
  })
})
