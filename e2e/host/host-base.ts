import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand } from '@logstack/process'

/** Where base file systems and the file systems of booted hosts are kept. */
export const hostCache = process.env['LOGSTACK_TEST_HOST_CACHE'] ?? '/var/tmp/logstack-test-host'

/** What a base file system holds: `node` is what a container image needs, `systemd` what every host has, `plain` adds npm, `podman` one that can run containers. */
export type BaseName = 'node' | 'systemd' | 'plain' | 'podman'

const suite = 'trixie'
// Raised whenever a recipe below changes, so that a base of an older recipe is not used.
const recipe = 6
const buildLimitMs = 900_000

const bases: Readonly<Record<BaseName, { readonly on?: BaseName; readonly packages: readonly string[] }>> = {
  node: { packages: ['nodejs', 'ca-certificates'] },
  systemd: { on: 'node', packages: ['systemd', 'systemd-sysv', 'dbus', 'procps', 'bsdutils'] },
  plain: { on: 'systemd', packages: ['git', 'npm'] },
  podman: {
    on: 'systemd',
    packages: [
      ...['podman', 'crun', 'conmon', 'netavark', 'aardvark-dns', 'nftables', 'uidmap', 'iproute2'],
      ...['curl', 'openssl', 'sudo', 'psmisc', 'ansible-core'],
    ],
  },
}

/** The folder of a base file system, built when it is not in the cache: from nothing with debootstrap, or from another base with apt. */
export async function buildBase(name: BaseName): Promise<string> {
  const finished = join(hostCache, `base-${suite}-${recipe}-${name}`)
  if (existsSync(finished)) return finished
  const { on, packages } = bases[name]
  // In a folder of its own until it is whole: two runs side by side may both build it, and the first one's stays.
  const base = `${finished}.${process.pid}`
  rmSync(base, { recursive: true, force: true })
  mkdirSync(hostCache, { recursive: true })
  if (on === undefined) {
    const argv = ['debootstrap', '--variant=minbase', `--include=${packages.join(',')}`, suite, base, await mirror()]
    await runCommand(argv, { timeoutMs: buildLimitMs })
    shareNetworkSettings(base)
  } else {
    await runCommand(['cp', '--archive', '--reflink=auto', await buildBase(on), base], { timeoutMs: buildLimitMs })
    const install = `apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends ${packages.join(' ')} && apt-get clean`
    await runCommand(['chroot', base, 'sh', '-c', install], { timeoutMs: buildLimitMs })
  }
  if (name === 'podman') letPodmanRunInside(base)
  if (existsSync(finished)) rmSync(base, { recursive: true, force: true })
  else renameSync(base, finished)
  return finished
}

/** A container image's file system as a tar file, made once: Debian with Node, as no registry is needed for it. */
export async function buildImageTar(): Promise<string> {
  const tar = join(hostCache, `base-${suite}-${recipe}-node.tar`)
  if (existsSync(tar)) return tar
  const without = ['./dev', './var/cache/apt', './var/lib/apt/lists', './usr/share/doc', './usr/share/man']
  const excluded = without.map((path) => `--exclude=${path}/*`)
  const part = `${tar}.${process.pid}`
  const argv = ['tar', '--directory', await buildBase('node'), ...excluded, '--create', '--file', part, '.']
  await runCommand(argv, { timeoutMs: buildLimitMs })
  renameSync(part, tar)
  return tar
}

// A mirror that is reached through settings or certificates of this machine is reached the same way inside.
function shareNetworkSettings(base: string): void {
  for (const path of ['/etc/apt/apt.conf.d', '/etc/ssl/certs/ca-certificates.crt', '/etc/resolv.conf', '/etc/hosts']) {
    if (existsSync(path)) cpSync(path, join(base, path), { recursive: true, dereference: true, force: true })
  }
}

/** The Debian mirror this machine itself uses. */
async function mirror(): Promise<string> {
  const lists = ['/etc/apt/sources.list', '/etc/apt/sources.list.d/debian.sources'].filter((file) => existsSync(file))
  const { stdout } = await runCommand(['cat', '/dev/null', ...lists], { timeoutMs: 10_000 })
  return (
    stdout.match(/(?:^URIs: |^deb (?:\[[^\]]*\] )?)(\S+\/debian\/?)(?:\s|$)/m)?.[1] ?? 'http://deb.debian.org/debian'
  )
}

/**
 * A container in a container: the outer one may lack CAP_SYS_RESOURCE and the memory and pids controllers, so limits that a real host would
 * set are taken out of what podman hands to crun. Nothing else differs from a real host.
 */
function letPodmanRunInside(base: string): void {
  const program = '/usr/local/bin/crun-without-limits'
  writeFileSync(join(base, program), crunWithoutLimits)
  chmodSync(join(base, program), 0o755)
  mkdirSync(join(base, 'etc/containers/containers.conf.d'), { recursive: true })
  writeFileSync(
    join(base, 'etc/containers/containers.conf.d/10-test-host.conf'),
    `[containers]\npids_limit = 0\ndefault_ulimits = []\n[engine]\nruntime = "unlimited"\n[engine.runtimes]\nunlimited = ["${program}"]\n`,
  )
  // Modules are the outer machine's; the unit would only fail.
  const modules = join(base, 'etc/systemd/system/systemd-modules-load.service')
  rmSync(modules, { force: true })
  symlinkSync('/dev/null', modules)
}

// In shell with sed: every container command starts it, health checks every two seconds, and Python or Node would take longer than crun itself.
const crunWithoutLimits = `#!/bin/sh
without='
  s/"rlimits":[[:space:]]*\\[[^]]*\\],//g; s/,"rlimits":[[:space:]]*\\[[^]]*\\]//g
  s/"(memory|pids)":[[:space:]]*\\{[^{}]*\\},//g; s/,"(memory|pids)":[[:space:]]*\\{[^{}]*\\}//g; s/\\{"(memory|pids)":[[:space:]]*\\{[^{}]*\\}\\}/{}/g'
file= next=
for word; do
  case $next in
    bundle) file=$word/config.json ;;
    process) file=$word ;;
  esac
  next=
  case $word in
    --bundle | -b) next=bundle ;;
    --bundle=* | -b=*) file=\${word#*=}/config.json ;;
    --process | -p) next=process ;;
    --process=* | -p=*) file=\${word#*=} ;;
  esac
  if [ -n "$file" ] && [ -f "$file" ]; then sed -E -i "$without" "$file"; fi
  file=
done
exec /usr/bin/crun "$@"
`
