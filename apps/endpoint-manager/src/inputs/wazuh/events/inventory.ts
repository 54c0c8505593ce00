import type { Fields } from '../../../ecs/fields.ts'
import { fileState } from './file-change.ts'
import { type InventoryTable, inventoryTables, isWhole, transientKinds } from './inventory-tables.ts'
import { type MessageKind, objectOf, present, type Reading, readObject, textOf } from './reading.ts'
import { type ScanRow, scanRow } from './scan-rows.ts'

const types = { found: 'info', added: 'creation', changed: 'change', removed: 'deletion' } as const
const verbs = new Map<string | undefined, keyof typeof types>([
  ['INSERTED', 'added'],
  ['MODIFIED', 'changed'],
  ['DELETED', 'removed'],
])

/** `d`: what a host has, as it changes. */
export const inventoryChange: MessageKind = {
  name: 'syscollector',
  read(text) {
    const read = readObject(text)
    if (read === undefined) return undefined
    const scanned = scanRow(read)
    if (scanned) return ofScan(scanned)
    const table = inventoryTables.get(textOf(read, 'type')?.replace(/^dbsync_/, '') ?? '')
    const verb = verbs.get(textOf(read, 'operation'))
    return table && verb && inventoryReading(table, objectOf(read, 'data'), verb)
  },
}

/** `5`: rows of an agent's tables that it was asked for; its questions whether they are known are no events. */
export const tableRow: MessageKind = {
  name: 'dbsync',
  read(text) {
    const read = readObject(text)
    if (read === undefined) return undefined
    const type = textOf(read, 'type') ?? ''
    if (type.startsWith('integrity_')) return 'none'
    const component = textOf(read, 'component') ?? ''
    const data = objectOf(read, 'data')
    if (type !== 'state') return undefined
    if (/^(?:syscheck$|fim_)/.test(component)) return fileState(data)
    const table = inventoryTables.get(component.replace(/^syscollector_/, ''))
    return table && inventoryReading(table, objectOf(data, 'attributes'), 'found')
  },
}

function ofScan({ table: name, row }: ScanRow): Reading | 'none' | undefined {
  const table = inventoryTables.get(name)
  return row ? table && inventoryReading(table, row, 'found') : 'none'
}

function inventoryReading(table: InventoryTable, row: Fields, told: keyof typeof types): Reading | undefined {
  const key = table.keyOf(row)
  if (key === undefined) return undefined
  const verb = told === 'changed' && table.hasCounters ? 'found' : told
  const kind = table.kindOf?.(row) ?? table.kinds[0]
  const fields = present({
    ...table.fieldsOf(row),
    message: `${kind.replace('_', ' ')} ${key} ${verb}`,
    event: {
      kind: verb === 'found' || transientKinds.has(kind) ? 'state' : 'event',
      module: 'inventory',
      category: [table.category],
      type: [types[verb]],
      action: `${kind}_${verb}`,
    },
    // What is known of a thing stays where a change of it is not told whole.
    logstack:
      told === 'changed' && !isWhole(table, row)
        ? undefined
        : { inventory: { kind, key, present: verb !== 'removed' } },
  })
  return { dataset: `inventory.${table.partOf?.[kind] ?? table.part}`, fields }
}
