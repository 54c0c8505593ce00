import type { BulkAction } from '@logstack/search-client'
import { stableId } from '../documents/stable-id.ts'
import { getField } from '../ecs/fields.ts'
import { BackgroundWriter, type BackgroundWriterOptions } from '../outputs/background-writer.ts'
import type { OutputDocument } from '../outputs/search-output.ts'

/** The index of what hosts have now and how their checks ended: one document a thing, its id made of host and thing. */
export const inventoryIndex = 'endpoint-inventory'

/** Keeps the newest state of inventories and checks: events that say what a host has change its document, those that say it is gone remove it. */
export class CurrentState {
  readonly #writer: BackgroundWriter

  constructor(services: Pick<BackgroundWriterOptions, 'search' | 'logger' | 'losses'>) {
    this.#writer = new BackgroundWriter({ ...services, what: 'the state of inventories' })
  }

  /** What an event changes once it is stored. */
  look(event: OutputDocument): (() => void) | undefined {
    const action = stateAction(event)
    return action && (() => this.#writer.add([action]))
  }

  stop(): Promise<void> {
    return this.#writer.stop()
  }
}

/** What an event of an agent changes of the current state of its own host; undefined for events of anything else, and of anybody else. */
export function stateAction({ agent, document }: OutputDocument): BulkAction | undefined {
  const kind = getField(document, 'logstack.inventory.kind')
  const key = getField(document, 'logstack.inventory.key')
  if (typeof kind !== 'string' || typeof key !== 'string' || agent === undefined) return undefined
  const id = stableId([agent, kind, key])
  if (getField(document, 'logstack.inventory.present') === false) return { action: 'delete', index: inventoryIndex, id }
  return { action: 'index', index: inventoryIndex, id, document }
}
