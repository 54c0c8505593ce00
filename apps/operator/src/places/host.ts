import { existsSync } from 'node:fs'
import { networkInterfaces } from 'node:os'

/** Places of an installation on the host that no embedded stack has. */
export const host = {
  /** Root's copy of the programs: what the installed command and the image are made of. */
  programDir: '/opt/logstack-install',
  /** Definitions as they were shipped, to tell an edited one from an old one. */
  shippedDir: '/etc/logstack/shipped',
  /** The image the stack's image was built on. */
  baseImageFile: '/etc/logstack/base-image',
  quadletDir: '/etc/containers/systemd',
  quadletLink: '/opt/logstack/quadlet',
  unitDir: '/etc/systemd/system',
  userUnitDir: '/etc/systemd/user',
  stackUnit: 'logstack.service',
  /** Lets doctor look every few minutes while the stack is on. */
  doctorTimer: 'logstack-doctor.timer',
  /** Renews certificates before they end. */
  certsTimer: 'logstack-certs.timer',
  /** When that timer went off last, as systemd keeps it for timers that catch up. */
  certsTimerStamp: '/var/lib/systemd/timers/stamp-logstack-certs.timer',
  /** Notices passwords that were reset inside search. */
  passwordPath: 'logstack-password.path',
  /** The agent of the host itself. */
  agentUnit: 'logstack-agent.service',
  agentDataDir: '/var/lib/logstack-agent',
  launcher: '/usr/local/bin/logstack',
  /** Commands on everyone's path, and what they lead to: of the scripts the one that documents name without a folder. */
  commands: {
    '/usr/local/bin/logstack': '/opt/logstack-install/logstack',
    '/usr/local/bin/logstack-ca': '/opt/logstack-install/scripts/logstack-ca',
  },
  /** What `logstack completion` and `logstack manual` print, where shells and man look. */
  helpFiles: {
    '/usr/local/share/bash-completion/completions/logstack': ['completion', 'bash'],
    '/usr/local/share/zsh/site-functions/_logstack': ['completion', 'zsh'],
    '/usr/local/share/man/man8/logstack.8': ['manual'],
  },
  profile: '/etc/profile.d/logstack.sh',
  /** The command podman calls for the secrets; its path is kept in podman's database, so it never changes. */
  secretDriver: '/opt/logstack-install/scripts/secret-driver.sh',
  network: 'logstack',
  image: 'localhost/logstack:LOGSTACK_LATEST',
  /** The user of the image, and so of what the containers write. */
  user: { uid: 7001, gid: 7001 },
} as const

/** Whether `install` put a stack on this host. */
export function hostIsInstalled(): boolean {
  return existsSync(`${host.quadletDir}/logstack-search.container`) && existsSync('/opt/logstack')
}

/** Whether this host has a stack, be it one whose definitions were lost: doctor must find it to mend it. */
export function hostHasStack(): boolean {
  return hostIsInstalled() || (existsSync(host.shippedDir) && existsSync('/opt/logstack'))
}

/** Whether a network interface is one that containers or virtual machines of this host are reached by. */
export function isContainerInterface(name: string): boolean {
  return /^(podman|docker|veth|cni|virbr)/.test(name)
}

/** The address of this host that others use, as far as it shows: the first IPv4 address of a network; undefined without one. */
export function firstAddress(): string | undefined {
  return Object.entries(networkInterfaces())
    .filter(([name]) => !isContainerInterface(name))
    .flatMap(([, list]) => list ?? [])
    .find((address) => address.family === 'IPv4' && !address.internal)?.address
}
