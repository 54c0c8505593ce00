import { containerName, type PartName } from '@logstack/contracts'

/** The unit of a part, as quadlet names it. */
function unitName(part: PartName): string {
  return `${containerName(part)}.service`
}

/** Orders a start; `--no-block` because the operator waits for readiness itself, and says for what. */
export function startUnitArgv(part: PartName): string[] {
  return ['systemctl', 'start', '--no-block', unitName(part)]
}

/** Forgets failed starts, so that what is counted afterwards is new. */
export function resetFailedArgv(part: PartName): string[] {
  return ['systemctl', 'reset-failed', unitName(part)]
}

/** Asks how often systemd restarted a unit since it was last started by someone or reset. */
export function restartsArgv(part: PartName): string[] {
  return ['systemctl', 'show', '--property=NRestarts', '--value', unitName(part)]
}

/** Asks for the state of a unit: `active`, `activating` (also between two starts), `deactivating`, `inactive`, `failed`. */
export function activeStateArgv(part: PartName): string[] {
  return ['systemctl', 'show', '--property=ActiveState', '--value', unitName(part)]
}

/** Asks for the id that a unit gets anew with every start. */
export function invocationArgv(part: PartName): string[] {
  return ['systemctl', 'show', '--property=InvocationID', '--value', unitName(part)]
}

/** Stops a unit and returns when it has stopped. */
export function stopUnitArgv(part: PartName): string[] {
  return ['systemctl', 'stop', unitName(part)]
}

/** Orders a restart. */
export function restartUnitArgv(part: PartName): string[] {
  return ['systemctl', 'restart', '--no-block', unitName(part)]
}

/** Starts or stops the unit on top and returns when that is done. */
export function stackUnitArgv(verb: 'start' | 'stop'): string[] {
  return ['systemctl', verb, 'logstack.service']
}

/** What of a unit's journal is wanted. */
interface JournalOptions {
  readonly lines: number
  readonly follow: boolean
  /** Only what was said at this time or later, in milliseconds since the epoch. */
  readonly sinceMs?: number
}

/** The journal of a unit, the container's own output included. */
export function journalArgv(part: PartName, options: JournalOptions): string[] {
  const argv = ['journalctl', `--unit=${unitName(part)}`, '--output=cat', '--quiet', `--lines=${options.lines}`]
  if (options.sinceMs !== undefined) argv.push(`--since=@${(options.sinceMs / 1000).toFixed(3)}`)
  return options.follow ? [...argv, '--follow'] : [...argv, '--no-pager']
}
