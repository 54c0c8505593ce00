import type { CheckFile } from './check.ts'

const sshd = '/etc/ssh/sshd_config*'

/** Our own set for Debian and Ubuntu: what most guides to securing a server agree on, written for this product. */
export const debianChecks: CheckFile = {
  policy: 'logstack-debian',
  title: 'Debian and Ubuntu servers',
  systems: ['debian', 'ubuntu'],
  checks: [
    {
      id: 'shadow-mode',
      title: 'Only root reads the hashes of passwords',
      why: 'Whoever reads /etc/shadow can guess passwords at leisure.',
      fix: 'chmod 640 /etc/shadow /etc/gshadow; chown root:shadow /etc/shadow /etc/gshadow',
      all: [
        { file: '/etc/shadow', mode_max: '0640', owner: 0 },
        { file: '/etc/gshadow', mode_max: '0640', owner: 0 },
      ],
    },
    {
      id: 'passwd-mode',
      title: 'Only root changes accounts and groups',
      why: 'A writable /etc/passwd lets anybody become root.',
      fix: 'chmod 644 /etc/passwd /etc/group; chown root:root /etc/passwd /etc/group',
      all: [
        { file: '/etc/passwd', mode_max: '0644', owner: 0 },
        { file: '/etc/group', mode_max: '0644', owner: 0 },
      ],
    },
    {
      id: 'one-root',
      title: 'root is the only account with the number 0',
      why: 'A second account with the number 0 has all of root’s rights under another name.',
      fix: 'remove the account, or give it another number with usermod -u',
      all: [{ lines_of: '/etc/passwd', match: '^(?!root:)[^:]*:[^:]*:0:', none: true }],
    },
    {
      id: 'no-empty-passwords',
      title: 'No account has an empty password',
      why: 'An empty password needs no guessing.',
      fix: 'passwd --lock NAME',
      all: [{ lines_of: '/etc/shadow', match: '^[^:]+::', none: true }],
    },
    {
      id: 'ssh-root-password',
      title: 'root does not log in over SSH with a password',
      why: 'root is the one name that every guesser knows.',
      fix: 'PermitRootLogin prohibit-password (or no) in /etc/ssh/sshd_config; systemctl reload ssh',
      all: [{ lines_of: sshd, match: '^permitrootlogin\\s+yes', none: true }],
    },
    {
      id: 'ssh-empty-passwords',
      title: 'SSH refuses empty passwords',
      why: 'An account without a password would be open to the network.',
      fix: 'PermitEmptyPasswords no in /etc/ssh/sshd_config; systemctl reload ssh',
      all: [{ lines_of: sshd, match: '^permitemptypasswords\\s+yes', none: true }],
    },
    {
      id: 'ssh-passwords',
      title: 'SSH takes keys only',
      why: 'Passwords can be guessed, keys cannot.',
      fix: 'PasswordAuthentication no in /etc/ssh/sshd_config, after a key works; systemctl reload ssh',
      all: [{ lines_of: sshd, match: '^passwordauthentication\\s+no', without_file: true }],
    },
    {
      id: 'ssh-config-mode',
      title: 'Only root changes the SSH server’s configuration',
      why: 'Its configuration decides who logs in.',
      fix: 'chown root:root /etc/ssh/sshd_config; chmod go-w /etc/ssh/sshd_config',
      any: [
        { file: '/etc/ssh/sshd_config', mode_max: '0755', owner: 0 },
        { file: '/etc/ssh/sshd_config', absent: true },
      ],
    },
    {
      id: 'address-randomisation',
      title: 'Programs are laid out at random addresses',
      why: 'Attacks on memory need to know where things are.',
      fix: 'sysctl -w kernel.randomize_va_space=2, and in /etc/sysctl.d',
      all: [{ sysctl: 'kernel.randomize_va_space', is: '2' }],
    },
    {
      id: 'links-protected',
      title: 'The kernel protects links in shared folders',
      why: 'Links in /tmp are the classic way to make root write somewhere else.',
      fix: 'sysctl -w fs.protected_symlinks=1 fs.protected_hardlinks=1, and in /etc/sysctl.d',
      all: [
        { sysctl: 'fs.protected_symlinks', is: '1' },
        { sysctl: 'fs.protected_hardlinks', is: '1' },
      ],
    },
    {
      id: 'no-core-dumps-of-suid',
      title: 'Programs with root’s rights leave no memory dumps',
      why: 'A dump may hold passwords and keys.',
      fix: 'sysctl -w fs.suid_dumpable=0, and in /etc/sysctl.d',
      any: [
        { sysctl: 'fs.suid_dumpable', is: '0' },
        { sysctl: 'fs.suid_dumpable', is: '2' },
      ],
    },
    {
      id: 'no-redirects',
      title: 'ICMP redirects are ignored',
      why: 'A redirect lets a neighbour take over the host’s routes.',
      fix: 'sysctl -w net.ipv4.conf.all.accept_redirects=0, and in /etc/sysctl.d',
      all: [{ sysctl: 'net.ipv4.conf.all.accept_redirects', is: '0' }],
    },
    {
      id: 'syn-cookies',
      title: 'SYN cookies are on',
      why: 'Without them half-open connections fill the queue.',
      fix: 'sysctl -w net.ipv4.tcp_syncookies=1, and in /etc/sysctl.d',
      all: [{ sysctl: 'net.ipv4.tcp_syncookies', is: '1' }],
    },
    {
      id: 'no-telnet',
      title: 'No telnet, rsh or NIS server is installed',
      why: 'They send passwords in plain text.',
      fix: 'apt-get purge telnetd rsh-server nis',
      all: [
        { package: 'telnetd', absent: true },
        { package: 'inetutils-telnetd', absent: true },
        { package: 'rsh-server', absent: true },
        { package: 'nis', absent: true },
      ],
    },
    {
      id: 'cron-mode',
      title: 'Only root changes cron’s tables',
      why: 'Whoever writes there runs programs as root.',
      fix: 'chown root:root /etc/crontab /etc/cron.d; chmod go-w /etc/crontab /etc/cron.d',
      any: [
        { file: '/etc/cron.d', mode_max: '0755', owner: 0 },
        { file: '/etc/cron.d', absent: true },
      ],
    },
    {
      id: 'sudoers-mode',
      title: 'Only root changes who may use sudo',
      why: 'A line there gives all rights.',
      fix: 'chown root:root /etc/sudoers; chmod 440 /etc/sudoers',
      any: [
        { file: '/etc/sudoers', mode_max: '0440', owner: 0 },
        { file: '/etc/sudoers', absent: true },
      ],
    },
    {
      id: 'security-updates',
      title: 'Security updates are installed by themselves',
      why: 'Most break-ins use faults that were mended long ago.',
      fix: 'apt-get install unattended-upgrades',
      all: [{ package: 'unattended-upgrades' }],
    },
    {
      id: 'audit',
      title: 'The kernel’s audit is running',
      why: 'Without it nobody can say afterwards who did what.',
      fix: 'apt-get install auditd',
      all: [{ package: 'auditd' }],
    },
    {
      id: 'clock',
      title: 'The clock is kept right',
      why: 'Events of hosts whose clocks differ cannot be put together.',
      fix: 'apt-get install systemd-timesyncd (or chrony)',
      any: [{ package: 'systemd-timesyncd' }, { package: 'chrony' }, { package: 'ntpsec' }, { package: 'openntpd' }],
    },
    {
      id: 'umask',
      title: 'New files are not writable by others',
      why: 'Others could change what users make.',
      fix: 'UMASK 027 (or 022) in /etc/login.defs',
      all: [{ lines_of: '/etc/login.defs', match: '^umask\\s+0[2-7][27]\\b', without_file: false }],
    },
  ],
}
