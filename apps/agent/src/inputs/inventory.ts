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
  const part = new InventoryPart(set, stream, context)
  const periodMs = numberOf(stream, 'period_ms', defaultPeriodMs)
  while (!context.signal.aborted) {
    try {
      const found = await part.look()
      if (found !== undefined) context.report(stream.id, 'HEALTHY', `${found} found, looking every ${periodMs} ms`)
    } catch (thrown) {
      context.report(stream.id, 'DEGRADED', messageOf(thrown))
    }
    await pauseUntilNext(periodMs, context.signal)
  }
}

/** A part of the inventory, with what is known of it. Of a look nothing else stays in memory: what was read hangs on the texts it was cut from. */
export class InventoryPart {
  readonly #set: InventorySet
  readonly #stream: PolicyStream
  readonly #context: InputContext
  readonly #file: StateFile<Record<string, Record<string, unknown>>>
  #known: Record<string, Fields> | undefined
  /** What was looked at last and is the same still, unless it has another version. */
  #version: string | undefined

  constructor(set: InventorySet, stream: PolicyStream, context: InputContext) {
    this.#set = set
    this.#stream = stream
    this.#context = context
    this.#file = new StateFile(context, stream.id, stateSchema)
    this.#known = this.#file.read()
  }

  /** Reports what changed since the last look, and answers how much there is; undefined when there was nothing to look for. */
  async look(): Promise<number | undefined> {
    const { signal } = this.#context
    // Asked before reading: what changes meanwhile is found at the next look.
    const version = await this.#set.version?.()
    if (version !== undefined && version === this.#version) return undefined
    this.#version = undefined
    const current = await this.#set.read()
    const events = inventoryChanges(this.#set, this.#known, current)
    if (events.length > 0 || !this.#known) {
      const next = JSON.parse(JSON.stringify(Object.fromEntries(current))) as Record<string, Record<string, unknown>>
      const records = events.map((event) => ({ data_stream: this.#stream.data_stream, event }))
      if (!(await this.#file.append(records, next, signal))) return undefined
      this.#known = next
    }
    this.#version = version
    return current.size
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
