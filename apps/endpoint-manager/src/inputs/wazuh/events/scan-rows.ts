import { type Fields, isFields } from '../../../ecs/fields.ts'
import { objectOf, textOf } from './reading.ts'

/** A row of what agents before 4.2 send at every look, or the end of such a look. */
export interface ScanRow {
  /** As later agents call it. */
  readonly table: string
  /** The look it belongs to. */
  readonly scan: string
  /** Undefined at the end. */
  readonly row: Fields | undefined
}

// The table, and the member that holds the row; of hotfixes the message itself is one.
const tables = new Map<string, readonly [string, string]>([
  ['port', ['ports', 'port']],
  ['program', ['packages', 'program']],
  ['process', ['processes', 'process']],
  ['network', ['network_iface', 'iface']],
  ['hardware', ['hwinfo', 'inventory']],
  ['OS', ['osinfo', 'inventory']],
  ['hotfix', ['hotfixes', '']],
])

/** Reads a message of an agent of Wazuh 4.0 or 4.1 about what its host has; undefined for other ones. */
export function scanRow(read: Fields): ScanRow | undefined {
  const type = textOf(read, 'type') ?? ''
  const found = tables.get(type.replace(/_end$/, ''))
  if (!found) return undefined
  const [table, member] = found
  const scan = textOf(read, 'ID') ?? ''
  if (type.endsWith('_end')) return { table, scan, row: undefined }
  const own = member === '' ? read : objectOf(read, member)
  const addresses = ['IPv4', 'IPv6'].flatMap((version) => [objectOf(own, version)['address']].flat())
  // Sizes are in other units than later.
  const row = { ...own, mac: own['MAC'], mtu: own['MTU'], pid: own['PID'] ?? own['pid'], size: undefined }
  return { table, scan, row: { ...row, addresses: addresses.filter((each) => !isFields(each)) } }
}
