import type { Fields, InventorySet } from './inventory-set.ts'
import { runCommand } from './run-tool.ts'

/** Reads `systemctl list-unit-files --plain --no-legend`: unit, state, preset. */
export function readServices(text: string): Map<string, Fields> {
  return new Map(
    text.split('\n').flatMap((line): [string, Fields][] => {
      const [name, state] = line.trim().split(/\s+/)
      return name?.endsWith('.service') && state ? [[name, { service: { name, state, type: 'systemd' } }]] : []
    }),
  )
}

/** Services that systemd knows, and whether they start with the host. */
export const services: InventorySet = {
  name: 'services',
  noun: 'service',
  category: 'configuration',
  async read() {
    const flags = ['list-unit-files', '--type=service', '--plain', '--no-legend', '--no-pager']
    return readServices(await runCommand('systemctl', flags))
  },
}
