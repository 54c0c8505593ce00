import type { EnrichedField } from '../../enrich/keys/keying.ts'
import type { EnrichReader } from '../../enrich/lookup.ts'
import type { EsqlType } from '../types.ts'
import type { Value } from '../value.ts'

/** The documents of a table that belong to each value that rows have, by the value as the engine prints it. */
export type PlacesByKey = ReadonlyMap<string, readonly number[]>

/** A column that ENRICH adds. */
export interface EnrichedColumn {
  readonly name: string
  readonly type: EsqlType
  readonly field: EnrichedField
}

/** What ENRICH adds to rows: its columns, and the documents for each value that rows have. */
export interface Enriched {
  readonly reader: EnrichReader
  readonly columns: readonly EnrichedColumn[]
  /** The column of the rows that is looked up. */
  readonly key: Value
  readonly places: PlacesByKey
}
