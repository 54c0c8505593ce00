import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError, operatorErrors } from '@logstack/errors'
import { runCommand } from '@logstack/process'
import { activeFirewall } from '../../firewall/index.ts'
import { look, openingOf } from '../../firewall/opening.ts'
import { firewallUnit } from '../../firewall/unit.ts'
import { host } from '../../places/host.ts'
import { mountsIn } from '../../places/mounts.ts'
import { stopInOrder } from '../../runtimes/start-order.ts'
import type { Stack } from '../../stack.ts'
import { secretNameVariable } from '../../vault/secret-driver.ts'
import { definitionsOf } from './definitions.ts'
import { pruneArgv } from './image.ts'
import { podmanLimits } from './podman-limits.ts'
import { listSecrets, secretNames } from './podman-secrets.ts'
import { volumeNames } from './volumes.ts'

/** One thing that is taken away; nothing happens where it is gone already. */
export interface Removal {
  readonly title: string
  remove(): Promise<void>
}

const stopLimitMs = 180_000

/** What an installation put on the host, in the order in which it can be taken away. What it did not put there stays. */
export function removalsOf(stack: Stack, options: { readonly keepData: boolean }): Removal[] {
  // Read now: the definitions are among what is removed.
  const secrets = secretNames(stack)
  const volumes = volumeNames(stack)
  const always: Removal[] = [
    { title: "this host's agent", remove: stopAgent },
    { title: 'the containers', remove: () => stopAll(stack) },
    // Now that nobody needs them: parts that cannot ask for the address of search any more would stop when their time is over.
    { title: 'the rules of the firewall', remove: () => closeFirewall(stack) },
    { title: 'the secrets of podman', remove: () => removeSecrets(secrets) },
    { title: 'the units', remove: () => removeUnits(stack) },
    { title: 'the network and the image', remove: removeNetworkAndImage },
  ]
  const data: Removal[] = [
    { title: 'the volumes', remove: () => eachPodman(volumes.map((name) => ['volume', 'rm', '--force', name])) },
    { title: 'settings, certificates and secrets', remove: async () => remove(...settingsFolders(stack)) },
  ]
  const programs = {
    title: 'the programs',
    remove: async () =>
      remove(...Object.keys(host.commands), host.profile, ...Object.keys(host.helpFiles), host.programDir),
  }
  return [...always, ...(options.keepData ? [] : data), programs]
}

/**
 * `folder_mounted` where another file system lies in what would be removed with all that is in it: its owner says what becomes of that. Asked before
 * anything is removed, as a mount can be emptied and not be removed.
 */
export function requireNothingMounted(stack: Stack, { keepData }: { readonly keepData: boolean }): void {
  const volumes = volumeNames(stack).map((name) => dirname(stack.paths.volume(name)))
  const mounts = mountsIn([host.programDir, ...(keepData ? [] : [...volumes, ...settingsFolders(stack)])])
  if (mounts.length === 0) return
  const kept = keepData ? '' : '; or keep all data: logstack uninstall --keep-data'
  throw new AppError(
    operatorErrors.folder_mounted,
    `nothing was removed: ${mounts.join(', ')} would be emptied, where another file system is mounted`,
    {
      fix: `take it away, and its line out of /etc/fstab; what is on it stays: systemctl stop ${host.stackUnit} && umount ${mounts.join(' ')}${kept}`,
    },
  )
}

function settingsFolders({ paths }: Stack): string[] {
  return [paths.optDir, '/etc/logstack', paths.logDir, host.agentDataDir]
}

async function closeFirewall(stack: Stack): Promise<void> {
  const active = await activeFirewall(look)
  const commands = active ? await active.removal(await openingOf(stack), look) : []
  for (const argv of commands) await runCommand(argv, { timeoutMs: stopLimitMs })
  await firewallUnit.remove()
}

async function stopAgent(): Promise<void> {
  if (!existsSync(join(host.unitDir, host.agentUnit))) return
  await runCommand(['systemctl', 'disable', '--now', host.agentUnit], { timeoutMs: stopLimitMs })
}

async function stopAll(stack: Stack): Promise<void> {
  if (!existsSync(join(host.unitDir, host.stackUnit))) return
  await stopInOrder(stack.runtime)
  await runCommand(['systemctl', 'disable', '--now', host.stackUnit], { timeoutMs: stopLimitMs })
  // An older installation has none.
  for (const unit of [host.doctorTimer, host.certsTimer, host.passwordPath]) {
    await runCommand(['systemctl', 'disable', '--now', unit], { timeoutMs: stopLimitMs, accept: [1] })
  }
}

// The name tells the driver to leave the vault alone: whether its files go is not podman's to say.
async function removeSecrets(names: readonly string[]): Promise<void> {
  const listed = await listSecrets()
  for (const name of names.filter((wanted) => listed.includes(wanted))) {
    const env = { [secretNameVariable]: name }
    await runCommand(['podman', 'secret', 'rm', name], { timeoutMs: podmanLimits.changeMs, env })
  }
}

async function removeUnits({ paths }: Stack): Promise<void> {
  const definitions = definitionsOf(paths.programDir)
  await runCommand(['systemctl', 'stop', 'logstack-network.service'], { timeoutMs: stopLimitMs, accept: [5] })
  remove(...definitions.flatMap(({ to }) => [to, `${to}.d`]), host.shippedDir, host.quadletLink, host.certsTimerStamp)
  await runCommand(['systemctl', 'daemon-reload'], { timeoutMs: stopLimitMs })
  await runCommand(['systemctl', 'reset-failed', 'logstack*'], { timeoutMs: stopLimitMs, accept: [1] })
}

async function removeNetworkAndImage(): Promise<void> {
  await eachPodman([
    ['network', 'rm', '--force', host.network],
    ['image', 'rm', '--force', host.image],
  ])
  await runCommand(pruneArgv, { timeoutMs: podmanLimits.changeMs })
}

async function eachPodman(commands: readonly (readonly string[])[]): Promise<void> {
  for (const argv of commands) await runCommand(['podman', ...argv], { timeoutMs: podmanLimits.changeMs, accept: [1] })
}

function remove(...paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true })
}
