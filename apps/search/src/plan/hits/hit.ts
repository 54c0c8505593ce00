import type { IndexMeta } from '../../model/index-meta.ts'
import type { Leaf } from '../leaves/leaves.ts'
import type { SortValue } from '../order/order-key.ts'
import type { MatchedClause } from './named-clauses.ts'

/** A hit as the engine found it. */
export interface Hit {
  readonly leaf: Leaf
  readonly index: IndexMeta
  readonly id: string
  /** Undefined where versions were not read, as the version. */
  readonly seqNo: number | undefined
  readonly version: number | undefined
  readonly routing: string
  /** Ignored fields as a JSON list; empty when there are none. */
  readonly ignored: string
  readonly score: number
  /** The value it was collapsed by, behind a mark; empty without one. */
  readonly group: string
  /** The clauses with a `_name` that the document matches. */
  readonly matched: readonly MatchedClause[]
  readonly source: Buffer | undefined
  /** The source, of an index that shows none, too: what may be computed with, and shown in parts that are not the source. */
  readonly kept: Buffer | undefined
  /** A value a criterion, and last the place in the order of arrival. */
  readonly values: readonly SortValue[]
}
