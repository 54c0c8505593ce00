import { hardware } from './hardware.ts'
import { interfaces } from './interfaces.ts'
import type { InventorySet } from './inventory-set.ts'
import { packages } from './packages.ts'
import { ports } from './ports.ts'
import { services } from './services.ts'
import { users } from './users.ts'

/** Every part of the inventory. */
export const inventorySets: readonly InventorySet[] = [packages, ports, users, services, interfaces, hardware]
