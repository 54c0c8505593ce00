import { spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from '@logstack/process'
import { type BaseName, buildBase, hostCache } from './host-base.ts'
import { cgroupRoots, endGroup, groupsOf } from './host-groups.ts'

/**
 * A real Debian 13 host: systemd as process 1, journald, Node and npm from Debian, nothing else. Booted in a systemd-nspawn container from a
 * base file system that is built once and cached. It shares this machine's network, so tests use ports of their own. Needs root.
 */
export interface DebianHost {
  /** Runs a command inside as root and answers its standard output; throws with its error output when it fails. */
  exec(argv: readonly string[], options?: { timeoutMs?: number; cwd?: string }): Promise<string>
  /** Where its file system lies out here. */
  readonly root: string
  /** The process out here that is its process 1; another one after a reboot. */
  leader(): number
  /** The process out here that holds the container. */
  holder(): number
  /** Restarts it as `systemctl reboot` does, and returns when systemd has started everything it starts at boot. */
  reboot(): Promise<void>
  /** Ends it and deletes its file system. */
  down(): Promise<void>
}

const bootLimitMs = 300_000
const copyLimitMs = 300_000
const rebootLimitMs = 300_000

/** The reason why no host can be booted here, or undefined. */
export function whyNoHost(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root'
  const missing = ['debootstrap', 'systemd-nspawn', 'nsenter'].find(
    (program) => !['/usr/sbin', '/usr/bin'].some((folder) => existsSync(join(folder, program))),
  )
  return missing && `${missing} is not installed`
}

/** How a host differs from the plain one: its base file system, a network of its own, devices of this machine it may use. */
export interface HostVariant {
  readonly base: BaseName
  readonly ownNetwork?: boolean
  readonly devices?: readonly string[]
}

/** Boots a fresh copy of a base. */
export async function bootHost(name: string, variant: HostVariant = { base: 'plain' }): Promise<DebianHost> {
  const base = await buildBase(variant.base)
  const root = join(hostCache, `host-${name}-${process.pid}`)
  await runCommand(['cp', '--archive', '--reflink=auto', base, root], { timeoutMs: copyLimitMs })
  writeFileSync(join(root, 'etc/hostname'), `${name}\n`)
  let boss = startContainer(name, root, variant)
  const exec: DebianHost['exec'] = async (argv, options = {}) => {
    const inside = [
      'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      'HOME=/root',
      'LANG=C.UTF-8',
      ...(variant.base === 'plain' ? certificateVariables() : []),
    ]
    const goTo = options.cwd ? ['sh', '-c', 'cd "$0" && exec "$@"', options.cwd] : []
    const enter = ['nsenter', '--target', String(leaderOf(boss)), '--all', '--root', '--wd']
    const result = await runCommand([...enter, 'env', '--ignore-environment', ...inside, ...goTo, ...argv], {
      timeoutMs: options.timeoutMs ?? 60_000,
      cwd: '/',
    })
    return result.stdout
  }
  const reboot = async (): Promise<void> => {
    const gone = ended(boss)
    await exec(['systemctl', 'reboot', '--no-block'])
    await gone
    boss = startContainer(name, root, variant)
    await waitForBoot(exec, root)
  }
  const down = async (): Promise<void> => {
    await endGroup(cgroupOf(root))
    // Many thousand files: nobody has to wait until they are gone.
    const script = 'rm -rf "$0" "$0.console"; find "$@" -depth -type d -exec rmdir {} + 2>/dev/null'
    spawn('sh', ['-c', script, root, ...groupsOf(cgroupOf(root))], { detached: true, stdio: 'ignore' }).unref()
  }
  try {
    await waitForBoot(exec, root)
  } catch (thrown) {
    await down()
    throw thrown
  }
  return { exec, root, leader: () => leaderOf(boss), holder: () => boss, reboot, down }
}

// npm inside needs the same extra certificates as npm out here, if there are any. Nothing else does, and each start of Node would read them all.
function certificateVariables(): string[] {
  return process.env['NODE_EXTRA_CA_CERTS'] ? ['NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'] : []
}

// Two hosts in one control group would take each other's units of the same name for their own.
const cgroupOf = (root: string): string => basename(root)
const enterCgroup = `for root in ${cgroupRoots.join(' ')}; do
  if [ -e "$root/cgroup.procs" ] && mkdir -p "$root/$0"; then echo $$ >"$root/$0/cgroup.procs" || rmdir "$root/$0"; fi
done
exec "$@"`

/** Starts systemd inside; answers the process out here that holds the container. */
function startContainer(name: string, root: string, variant: HostVariant): number {
  const output = openSync(`${root}.console`, 'w')
  const options = [
    '--quiet',
    '--boot',
    '--console=read-only',
    '--capability=all',
    '--keep-unit',
    '--register=no',
    '--resolv-conf=off',
    ...(variant.ownNetwork ? ['--private-network'] : []),
    ...(variant.devices ?? []).map((device) => `--bind=${device}`),
    ...(variant.devices ? ['--property=DeviceAllow=all'] : []),
  ]
  const nspawn = ['systemd-nspawn', `--directory=${root}`, `--machine=${name}`, ...options]
  const child = spawn('sh', ['-c', enterCgroup, cgroupOf(root), ...nspawn], {
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1', SYSTEMD_SECCOMP: '0' },
  })
  child.unref()
  if (child.pid === undefined) throw new Error('systemd-nspawn did not start')
  return child.pid
}

/** Resolves when the container's process out here is gone: it ends when the host inside halts or restarts. */
async function ended(boss: number): Promise<void> {
  const end = Date.now() + rebootLimitMs
  while (existsSync(`/proc/${boss}/task/${boss}/children`) && childrenOf(boss) !== '') {
    if (Date.now() > end) throw new Error('the host does not shut down')
    await delay(200)
  }
}

function childrenOf(boss: number): string {
  try {
    return readFileSync(`/proc/${boss}/task/${boss}/children`, 'utf8').trim()
  } catch (thrown) {
    if (['ENOENT', 'ESRCH'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return ''
    throw thrown
  }
}

/** The process out here that is the host's own process 1. */
function leaderOf(boss: number): number {
  const [leader] = readFileSync(`/proc/${boss}/task/${boss}/children`, 'utf8').trim().split(' ')
  if (!leader) throw new Error('the host is not running')
  return Number(leader)
}

async function waitForBoot(exec: DebianHost['exec'], root: string): Promise<void> {
  const end = Date.now() + bootLimitMs
  let last: unknown
  while (Date.now() < end) {
    try {
      // `is-system-running` ends with 1 for `degraded`, which is as good here.
      const state = await exec(['sh', '-c', 'systemctl is-system-running || true'])
      if (/^(running|degraded)$/m.test(state)) return
    } catch (thrown) {
      last = thrown
    }
    await delay(300)
  }
  throw new Error(`the host did not finish booting; its console is at ${root}.console`, { cause: last })
}
