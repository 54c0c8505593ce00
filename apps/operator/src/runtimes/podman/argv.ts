import { containerName, type PartName } from '@logstack/contracts'

/** All containers of the stack, also ended ones: name, tab, state, tab, status in podman's words. */
export function listArgv(): string[] {
  return ['podman', 'ps', '--all', '--filter', 'name=^logstack-', '--format', '{{.Names}}\t{{.State}}\t{{.Status}}']
}

/** The main process of each container, a line each, in the order of the names. */
export function pidsArgv(names: readonly string[]): string[] {
  return ['podman', 'container', 'inspect', '--format', '{{.State.Pid}}', ...names]
}

/** Asks the program in a part's container to read its settings and certificate again. */
export function reloadArgv(part: PartName): string[] {
  return ['podman', 'kill', '--signal', 'HUP', containerName(part)]
}

/** A command in a part's container, with its standard input. */
export function execArgv(part: PartName, argv: readonly string[]): string[] {
  return ['podman', 'exec', '--interactive', containerName(part), ...argv]
}
