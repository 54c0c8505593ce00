import { isDeepStrictEqual } from 'node:util'
import type { PolicyStream } from '@logstack/contracts'
import { messageOf } from '@logstack/errors'
import { z } from 'zod'
import { pauseUntilNext } from '../pause.ts'
import { type InputContext, type InputType, numberOf } from './input.ts'
import type { Fields, InventorySet } from './inventory/inventory-set.ts'
import { inventorySets } from './inventory/registry.ts'
import { StateFile } from './state-file.ts'

const defaultPeriodMs = 60_000
const stateSchema = z.record(z.string(), z.record(z.string(), z.unknown()))
const types = { found: 'info', added: 'creation', changed: 'change', removed: 'deletion' } as const

/**
 * What a host has: one stream a part, named by its dataset (`inventory.packages`), looked at every `period_ms`. The first look reports everything
 * as found, later ones what was added, changed and removed. Where the agent was off in between, it compares with what it knew then.
 */
export const inventoryInput: InputType = {
  type: 'inventory',
  platform: 'linux',
  async run(input, context) {
    await Promise.all(input.streams.map((stream) => follow(stream, context)))
  },
}

async function follow(stream: PolicyStream, context: InputContext): Promise<void> {
  const { dataset } = stream.data_stream
  const set = inventorySets.find(({ name }) => dataset === `inventory.${name}`)
  if (!set) return context.report(stream.id, 'FAILED', `this agent keeps no ${dataset}`)
  const file = new StateFile(context, stream.id, stateSchema)
  const periodMs = numberOf(stream, 'period_ms', defaultPeriodMs)
  let known = file.read()
  while (!context.signal.aborted) {
    try {
      const current = await set.read()
      const records = inventoryChanges(set, known, current).map((event) => ({ data_stream: stream.data_stream, event }))
      if (records.length > 0 || !known) {
        const next = Object.fromEntries(current)
        if (!(await file.append(records, next, context.signal))) return
        known = next
      }
      context.report(stream.id, 'HEALTHY', `${current.size} found, looking every ${periodMs} ms`)
    } catch (thrown) {
      context.report(stream.id, 'DEGRADED', messageOf(thrown))
    }
    await pauseUntilNext(periodMs, context.signal)
  }
}

/** The events that lead from what was known to what is there; without anything known everything is `found`. */
export function inventoryChanges(
  set: InventorySet,
  known: Readonly<Record<string, Fields>> | undefined,
  current: ReadonlyMap<string, Fields>,
): Record<string, unknown>[] {
  const events: Record<string, unknown>[] = []
  const add = (verb: keyof typeof types, key: string, fields: Fields): void => {
    events.push({
      ...fields,
      message: `${set.noun} ${key} ${verb}`,
      event: {
        kind: verb === 'found' ? 'state' : 'event',
        module: 'inventory',
        category: [set.category],
        type: [types[verb]],
        action: `${set.noun}_${verb}`,
      },
      logstack: { inventory: { kind: set.noun, key, present: verb !== 'removed' } },
    })
  }
  for (const [key, fields] of current) {
    const before = known && Object.hasOwn(known, key) ? known[key] : undefined
    // Through JSON, as what was known went: members that are undefined are none.
    const now = JSON.parse(JSON.stringify(fields)) as Fields
    if (before === undefined) add(known ? 'added' : 'found', key, now)
    else if (!isDeepStrictEqual(before, now)) add('changed', key, now)
  }
  for (const [key, fields] of Object.entries(known ?? {})) if (!current.has(key)) add('removed', key, fields)
  return events
}
