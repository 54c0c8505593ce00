/** A row that somebody has read in a snapshot that is held. */
export interface SeenRow extends Omit<LiveDocument, 'state' | 'source'> {
  /** The catalogue id of the document's index, and the document's own. */
  readonly index: number
  readonly id: string
  /** How often rows had been taken from the table beside all commits (`Visibility`): what was seen before such a time may be gone. */
  readonly expiries: number
}

/** Where the newest version of a document lies. */
export interface LiveDocument {
  readonly state: 'live'
  readonly seq: number
  readonly seqNo: number
  readonly version: number
  /** The table's catalogue id and the partition of the row. */
  readonly table: number
  readonly slot: number
  readonly routing: string
  /** Loaded only where an update needs it. */
  readonly source: Buffer | undefined
}

/** One write to one document. `source` is the exact bytes to keep (for `update` the result of the merge is computed by the store). */
export interface WriteOperation {
  readonly action: 'index' | 'create' | 'update' | 'delete'
  /** The name the client used: index, alias or data stream. */
  readonly index: string
  /** Absent: an automatic id, and no lookup. */
  readonly id?: string
  readonly source?: Buffer
  readonly update?: UpdateRequest
  readonly routing?: string
  readonly ifSeqNo?: number
  readonly ifPrimaryTerm?: number
  readonly version?: number
  readonly versionType?: 'internal' | 'external' | 'external_gte'
  /** The version that a pipeline said the document has. */
  readonly expectedVersion?: number
  /** The row of the document, where whoever writes has read it and holds it: while it is the newest one nothing has to be looked up. */
  readonly seen?: SeenRow
  readonly requireAlias?: boolean
  readonly requireDataStream?: boolean
  /** Must have been run and taken away by the caller; what still names one is refused, so that none is skipped unseen. */
  readonly pipeline?: string
}

/** `_update`: a partial document or a script, what to insert when absent. */
export interface UpdateRequest {
  readonly doc?: Readonly<Record<string, unknown>>
  readonly docAsUpsert?: boolean
  readonly upsert?: Readonly<Record<string, unknown>>
  readonly detectNoop?: boolean
  /** Changes `ctx` in place: `ctx._source` and `ctx.op` (`index`, `none`, `delete`). */
  readonly script?: (ctx: ScriptContext) => void
  readonly scriptedUpsert?: boolean
  readonly retryOnConflict?: number
  /** What of the source the answer shall show, as the request has it; the store does not look at it. */
  readonly shownSource?: unknown
}

export interface ScriptContext {
  op: string
  _source: Record<string, unknown>
  readonly _index: string
  readonly _id: string
  readonly _version: number
  readonly _now: number
}
