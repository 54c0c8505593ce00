import { chmodSync, existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { defineStep, findingOf } from '../define-step.ts'
import { unproven } from '../unproven.ts'

const systemctlLimitMs = 60_000

const reload = ['systemctl', 'daemon-reload']
const enable = ['systemctl', 'enable', host.stackUnit, host.doctorTimer]

/** systemd knows the units as their definitions are now, and starts the stack at boot. */
export const units = defineStep({
  name: 'units',
  title: 'units',
  async diagnose() {
    const plan = (await unitsAreKnown()) ? [] : [reload.join(' ')]
    return findingOf((await isEnabled()) ? plan : [...plan, enable.join(' ')])
  },
  async apply() {
    await runCommand(reload, { timeoutMs: systemctlLimitMs })
    await runCommand(enable, { timeoutMs: systemctlLimitMs })
  },
  async prove() {
    if (!(await unitsAreKnown())) {
      throw unproven(
        'systemd does not know the units',
        '/usr/lib/systemd/system-generators/podman-system-generator --dryrun',
      )
    }
    if (!(await isEnabled())) throw unproven(`${host.stackUnit} or ${host.doctorTimer} is not enabled`)
  },
})

/** The command on everyone's path, and what root's login shell needs to read the vault. */
export const launcher = defineStep({
  name: 'launcher',
  title: 'command on the path',
  async diagnose({ paths }) {
    const plan = launcherIsRight() ? [] : [`ln -sf ${host.programDir}/logstack ${host.launcher}`]
    return findingOf(
      profileText(paths.vaultKeyFile) === textOf(host.profile) ? plan : [...plan, `write ${host.profile}`],
    )
  },
  async apply({ paths }) {
    writeFileAtomically(host.profile, profileText(paths.vaultKeyFile))
    chmodSync(host.profile, 0o644)
    if (launcherIsRight()) return
    rmSync(host.launcher, { force: true })
    symlinkSync(`${host.programDir}/logstack`, host.launcher)
  },
  async prove() {
    await runCommand([host.launcher, '--version'], { timeoutMs: systemctlLimitMs })
  },
})

/** The unit on top, active once all parts are up: stopping it stops them. */
export const stackUnit = defineStep({
  name: 'stack-unit',
  title: host.stackUnit,
  async diagnose() {
    return findingOf((await isActive()) ? [] : [`systemctl start ${host.stackUnit}`])
  },
  async apply() {
    await runCommand(['systemctl', 'start', host.stackUnit], { timeoutMs: systemctlLimitMs })
  },
  async prove() {
    if (!(await isActive())) throw unproven(`${host.stackUnit} is not active`, `journalctl -xu ${host.stackUnit}`)
  },
})

async function isActive(): Promise<boolean> {
  const argv = ['systemctl', 'is-active', '--quiet', host.stackUnit]
  return (await runCommand(argv, { timeoutMs: systemctlLimitMs, accept: [1, 3, 4] })).exitCode === 0
}

async function isEnabled(): Promise<boolean> {
  // Asked for both at once, systemctl is content with one.
  for (const unit of [host.stackUnit, host.doctorTimer]) {
    const argv = ['systemctl', 'is-enabled', '--quiet', unit]
    if ((await runCommand(argv, { timeoutMs: systemctlLimitMs, accept: [1, 4] })).exitCode !== 0) return false
  }
  return true
}

async function unitsAreKnown(): Promise<boolean> {
  const names = [
    ...parts.map((part) => `${containerName(part)}.service`),
    host.stackUnit,
    host.doctorTimer,
    'logstack-network.service',
  ]
  const argv = ['systemctl', 'show', '--property=LoadState,NeedDaemonReload', ...names]
  const { stdout } = await runCommand(argv, { timeoutMs: systemctlLimitMs })
  const lines = stdout.split('\n').filter(Boolean)
  return (
    lines.length === 2 * names.length &&
    lines.every((line) => ['LoadState=loaded', 'NeedDaemonReload=no'].includes(line))
  )
}

function launcherIsRight(): boolean {
  const stat = lstatSync(host.launcher, { throwIfNoEntry: false })
  return stat?.isSymbolicLink() === true && readlinkSync(host.launcher) === `${host.programDir}/logstack`
}

function profileText(vaultKeyFile: string): string {
  return `# Written by logstack install: the command, and for root the key of the vault, so that ansible-vault asks nothing.
case ":$PATH:" in *:/usr/local/bin:*) ;; *) PATH=$PATH:/usr/local/bin ;; esac
if [ "$(id -u)" = 0 ]; then export ANSIBLE_VAULT_PASSWORD_FILE=${vaultKeyFile}; fi
`
}

function textOf(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
