import { containerName, type PartName } from '@logstack/contracts'

/** All containers of the stack, also ended ones: name, tab, status in podman's words. */
export function listArgv(): string[] {
  return ['podman', 'ps', '--all', '--filter', 'name=^logstack-', '--format', '{{.Names}}\t{{.Status}}']
}

/** A command in a part's container, with its standard input. */
export function execArgv(part: PartName, argv: readonly string[]): string[] {
  return ['podman', 'exec', '--interactive', containerName(part), ...argv]
}
