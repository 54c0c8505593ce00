/** One thing that search keeps, as a row of a list. */
export interface StoredEntry {
  readonly name: string
  /** One for each column of its kind. */
  readonly cells: readonly string[]
  /** All that search says of it. */
  readonly body: unknown
  /** Present for data streams: how long their documents stay (`30d`); empty for ever. */
  readonly retention?: string
  /** Whether it can be neither changed nor deleted here: it is search's own, the stack's own, or over. */
  readonly isFixed?: boolean
}
