import { chmodSync, existsSync, lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { containerName, parts } from '@logstack/contracts'
import { runCommand } from '@logstack/process'
import { host } from '../../places/host.ts'
import { writeFileAtomically } from '../../places/write-file.ts'
import { unproven } from '../../telling/unproven.ts'
import { defineStep, findingOf } from '../define-step.ts'

const systemctlLimitMs = 60_000

const reload = ['systemctl', 'daemon-reload']
/** The unit on top, and what looks after the stack beside it. */
const wantedUnits = [host.stackUnit, host.doctorTimer, host.certsTimer, host.passwordPath]
const enable = ['systemctl', 'enable', ...wantedUnits]
const start = ['systemctl', 'start', ...wantedUnits]

/** systemd knows the units as their definitions are now, and starts the stack at boot. */
export const units = defineStep({
  name: 'units',
  title: 'units',
  async diagnose() {
    const plan = (await unitsAreKnown()) ? [] : [reload.join(' ')]
    return findingOf((await areEnabled()) ? plan : [...plan, enable.join(' ')])
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
    if (!(await areEnabled())) throw unproven(`not all of ${wantedUnits.join(', ')} are enabled`)
  },
})

/** The commands on everyone's path, and what root's login shell needs to read the vault. */
export const launcher = defineStep({
  name: 'launcher',
  title: 'command on the path',
  async diagnose({ paths }) {
    const plan = missingCommands().map(([command, target]) => `ln -sf ${target} ${command}`)
    return findingOf(
      profileText(paths.vaultKeyFile) === textOf(host.profile) ? plan : [...plan, `write ${host.profile}`],
    )
  },
  async apply({ paths }) {
    writeFileAtomically(host.profile, profileText(paths.vaultKeyFile))
    chmodSync(host.profile, 0o644)
    for (const [command, target] of missingCommands()) {
      rmSync(command, { force: true })
      symlinkSync(target, command)
    }
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
    return findingOf((await areActive()) ? [] : [start.join(' ')])
  },
  async apply() {
    await runCommand(start, { timeoutMs: systemctlLimitMs })
  },
  async prove() {
    if (!(await areActive()))
      throw unproven(`not all of ${wantedUnits.join(', ')} are active`, `journalctl -xu ${host.stackUnit}`)
  },
})

const areActive = (): Promise<boolean> => holdsForAll('is-active')
const areEnabled = (): Promise<boolean> => holdsForAll('is-enabled')

// Asked for several at once, systemctl is content with one.
async function holdsForAll(verb: 'is-active' | 'is-enabled'): Promise<boolean> {
  for (const unit of wantedUnits) {
    const argv = ['systemctl', verb, '--quiet', unit]
    if ((await runCommand(argv, { timeoutMs: systemctlLimitMs, accept: [1, 3, 4] })).exitCode !== 0) return false
  }
  return true
}

async function unitsAreKnown(): Promise<boolean> {
  const names = [...parts.map((part) => `${containerName(part)}.service`), ...wantedUnits, 'logstack-network.service']
  const argv = ['systemctl', 'show', '--property=LoadState,NeedDaemonReload', ...names]
  const { stdout } = await runCommand(argv, { timeoutMs: systemctlLimitMs })
  const lines = stdout.split('\n').filter(Boolean)
  return (
    lines.length === 2 * names.length &&
    // Masked: a cluster stands in search's place.
    lines.every((line) => ['LoadState=loaded', 'LoadState=masked', 'NeedDaemonReload=no'].includes(line))
  )
}

function missingCommands(): [command: string, target: string][] {
  return Object.entries(host.commands).filter(([command, target]) => {
    const stat = lstatSync(command, { throwIfNoEntry: false })
    return stat?.isSymbolicLink() !== true || readlinkSync(command) !== target
  })
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
