import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { packagesNeeded } from '../../apps/operator/src/steps/host/packages-needed.ts'
import type { DebianHost } from './debian-host.ts'
import { baseImage, bootJoinableHost, bootPodmanHost } from './podman-host.ts'

/** Where the checkout lies on a host. */
export const home = '/root/logstack'

/** The command that installs from the checkout, without questions and without a registry. */
export const installArgv = ['./logstack', 'install', '--yes', '--base-image', baseImage] as const

/** The five parts, in the order in which they start. */
export const partNames = ['search', 'endpoint-manager', 'dashboard', 'alerter', 'agent-server'] as const

const checkout = new URL('../..', import.meta.url).pathname
const upLimitMs = 600_000
const commandLimitMs = 900_000

/** A Debian 13 host with systemd, podman and the checkout in `/root/logstack`, driven as an administrator drives it. */
export interface OperatorHost extends DebianHost {
  /** Runs a command as root in the checkout; answers its standard output, throws with its error output when it fails. */
  run(...argv: string[]): Promise<string>
  /** Runs a bash script as root in the checkout. */
  shell(script: string): Promise<string>
  /** Waits until all five parts are up, and the two with a health check healthy; answers podman's listing. */
  allUp(): Promise<string>
}

/** Boots a host that has the checkout as its first `./logstack` leaves it (built, packages there), and nothing installed. */
export async function bootOperatorHost(name: string): Promise<OperatorHost> {
  return withCheckout(await bootPodmanHost(name))
}

/** The same without the base image in its storage: for `./logstack up`, which runs no containers. */
export async function bootCheckoutHost(name: string): Promise<OperatorHost> {
  return withCheckout(await bootJoinableHost(name))
}

async function withCheckout(host: DebianHost): Promise<OperatorHost> {
  try {
    copyCheckout(host)
  } catch (thrown) {
    await host.down()
    throw thrown
  }
  const run: OperatorHost['run'] = (...argv) => host.exec(argv, { cwd: home, timeoutMs: commandLimitMs })
  return { ...host, run, shell: (script) => run('bash', '-c', script), allUp: () => waitAllUp(run) }
}

/** Boots a host with the stack installed and its five parts up. */
export async function bootInstalledHost(name: string): Promise<OperatorHost> {
  const host = await bootOperatorHost(name)
  try {
    await host.run(...installArgv)
    await host.allUp()
    return host
  } catch (thrown) {
    await host.down()
    throw thrown
  }
}

function copyCheckout(host: DebianHost): void {
  const files = ['logstack', 'install.sh', 'deploy.sh', 'Containerfile', 'LICENSE', 'package.json']
  const folders = ['dist', 'quadlet', 'config', 'rules', 'dashboards', 'scripts']
  const packages = packagesNeeded(join(checkout, 'node_modules'), ['chdb', 'lmdb', '@node-rs/argon2'])
  const modules = packages.map((name) => join('node_modules', name))
  for (const name of [...files, ...folders, ...modules].filter((path) => existsSync(join(checkout, path)))) {
    mkdirSync(dirname(join(host.root, home, name)), { recursive: true })
    cpSync(join(checkout, name), join(host.root, home, name), { recursive: true })
  }
}

// A unit is active when its container is up, and healthy where that is checked. To ask systemd costs a fifth of a listing by podman.
const untilActive = `tries=${upLimitMs / 1_000}
for unit in ${partNames.map((part) => `logstack-${part}`).join(' ')}; do
  until systemctl is-active --quiet $unit || [ $((tries -= 1)) -le 0 ]; do sleep 1; done
done`

async function waitAllUp(run: OperatorHost['run']): Promise<string> {
  const up = /^logstack-(search|dashboard) Up .*\(healthy\)$|^logstack-(?!search|dashboard)\S+ Up /
  const end = Date.now() + upLimitMs
  for (;;) {
    await run('sh', '-c', untilActive)
    const lines = await run('podman', 'ps', '--format', '{{.Names}} {{.Status}}')
    if (lines.split('\n').filter((line) => up.test(line)).length === partNames.length) return lines
    if (Date.now() > end) throw new Error(`not all parts are up: ${lines}`)
    await delay(1_000)
  }
}
