import { networkInterfaces } from 'node:os'
import type { Fields, InventorySet } from './inventory-set.ts'

/** Network interfaces and their addresses; temporary IPv6 addresses change by themselves and are part of it. */
export const interfaces: InventorySet = {
  name: 'interfaces',
  noun: 'interface',
  category: 'network',
  async read() {
    return new Map(
      Object.entries(networkInterfaces()).map(([name, addresses = []]): [string, Fields] => [
        name,
        {
          host: { mac: [...new Set(addresses.map(({ mac }) => mac))].sort() },
          observer: { ingress: { interface: { name } } },
          inventory: {
            interface: {
              address: addresses
                .map(({ cidr }) => cidr)
                .filter((cidr) => cidr !== null)
                .sort(),
            },
          },
        },
      ]),
    )
  },
}
