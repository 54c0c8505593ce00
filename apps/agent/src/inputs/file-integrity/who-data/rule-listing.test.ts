import { describe, expect, it } from 'vitest'
import { changeKeys, logFileOf, ownRules, whyAuditIsSilent } from './rule-listing.ts'

// As versions 3.0.9 (`-S all`) and 4.0.2 (the calls that fit the permissions) list them.
const own = [
  '-a always,exit -F arch=b64 -S open,rename,chmod -F dir=/etc -F perm=wa -F key=logstack-fim',
  '-a always,exit -F arch=b32 -S all -F path=/root/a file -F perm=wa -F key=logstack-fim',
]
const others = [
  '-w /etc/shadow -p wa -k identity',
  '-w /etc/group -p wa',
  '-w /etc/sudoers -p r -k readers',
  '-w /etc/sudoers -p w -k mixed',
  '-a always,exit -F arch=b64 -S execve -F key=mixed',
  '-a always,exit -F arch=b64 -S chmod,fchmodat -F auid>=1000 -F key=perm_mod',
  '-a always,exit -F arch=b64 -S openat -F exit=-EACCES -F key=access',
  '-a always,exit -F arch=b64 -S all -F path=/etc/gshadow -F perm=wa -F key=one -F key=two',
  '-w /etc -p wa -k logstack-fim-other',
  '-w /srv -p wa -k logstack-fim',
]

describe('what auditctl lists', () => {
  it('shows our own rules, and those alone', () => {
    expect(ownRules([...own, ...others].join('\n'))).toEqual([
      { arch: 'b64', kind: 'dir', path: '/etc' },
      { arch: 'b32', kind: 'path', path: '/root/a file' },
    ])
    expect(ownRules('No rules\n')).toEqual([])
  })

  it('shows whose keys stand for changes and nothing else', () => {
    const keys = ['identity', 'logstack-fim', 'logstack-fim-other', 'one', 'perm_mod', 'two']
    expect([...changeKeys([...own, ...others].join('\n'))].sort()).toEqual(keys)
  })

  it('tells why nothing would come, and where it comes', () => {
    expect(whyAuditIsSilent('enabled 1\nfailure 1\npid 323\n')).toBeUndefined()
    expect(whyAuditIsSilent('enabled 2\nfailure 1\npid 323\n')).toBeUndefined()
    expect(whyAuditIsSilent('enabled 0\nfailure 1\npid 323\n')).toMatch(/switched off/)
    expect(whyAuditIsSilent('enabled 1\nfailure 1\npid 0\n')).toMatch(/does not run/)
    expect(logFileOf('write_logs = yes\nlog_file = /srv/audit.log\n')).toBe('/srv/audit.log')
    expect(logFileOf('# log_file = /no\n')).toBe('/var/log/audit/audit.log')
    expect(logFileOf('write_logs = no\nlog_file = /srv/audit.log\n')).toBeUndefined()
  })
})
