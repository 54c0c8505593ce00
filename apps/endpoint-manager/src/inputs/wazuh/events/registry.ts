import { configurationCheck } from './check.ts'
import { fileChange } from './file-change.ts'
import { inventoryChange, tableRow } from './inventory.ts'
import { logLine } from './log-line.ts'
import type { MessageKind } from './reading.ts'
import { rootkitFinding } from './rootkit-finding.ts'
import { windowsEvent } from './windows-event.ts'

/** Messages of agents by the letter in front of them. Those without `read` are kept as they are. */
export const messageKinds: ReadonlyMap<string, MessageKind> = new Map([
  ['1', logLine],
  ['2', logLine],
  ['3', { name: 'hostinfo' }],
  ['4', { name: 'secure' }],
  ['5', tableRow],
  ['8', fileChange],
  ['9', rootkitFinding],
  ['d', inventoryChange],
  ['e', { name: 'ciscat' }],
  ['f', windowsEvent],
  ['p', configurationCheck],
  ['u', { name: 'upgrade' }],
])
