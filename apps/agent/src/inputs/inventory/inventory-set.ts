/** One thing of a host, as nested ECS fields; equal fields mean that nothing changed. */
export type Fields = Readonly<Record<string, unknown>>

/** A part of the inventory: what it is a list of, and how to read it. */
export interface InventorySet {
  /** The last word of its dataset, `packages` of `inventory.packages`. */
  readonly name: string
  /** One of its things, as actions and messages call it. */
  readonly noun: string
  /** ECS's `event.category` of its changes. */
  readonly category: string
  /** What is there now, by a name that stays the same when the thing changes; throws where it cannot be known. */
  read(): Promise<ReadonlyMap<string, Fields>>
  /** Where looking costs less than reading: a word that is another one after every change; undefined when it cannot be told. */
  version?(): Promise<string | undefined>
}
