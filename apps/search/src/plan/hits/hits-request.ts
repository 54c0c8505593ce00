import type { SearchRequest } from '../../dsl/search-request.ts'
import type { SortCriterion } from '../../dsl/sort/read-sort.ts'
import type { ColumnLookup } from '../../sql/predicate-to-sql.ts'
import type { Sql } from '../../sql/sql.ts'
import type { Leaf } from '../leaves/leaves.ts'
import type { LeafScore } from '../leaves/score-leaf.ts'
import type { OrderKey, SortValue } from '../order/order-key.ts'
import type { LookAhead } from '../pruning/look-ahead.ts'

/** What of the hits is wanted. */
export interface HitsRequest {
  readonly sort: readonly SortCriterion[]
  /** How many, from the first. */
  readonly count: number
  /** Values of `search_after` as the client gave them. */
  readonly after: SearchRequest['searchAfter']
  /** Values of the last hit of the page before, its place in the order of arrival included. */
  readonly cursor?: readonly SortValue[] | undefined
  /** Of a scroll: what is known of the pages to come. */
  readonly ahead?: LookAhead | undefined
  readonly withSource: boolean
  /** Whether version and sequence number are read. */
  readonly withVersions: boolean
  /** The field whose values only the first hit of each is read of. */
  readonly collapse?: string | undefined
  /** The field whose value of each hit is read as its group, of hits that were chosen beforehand. */
  readonly shownValue?: string | undefined
}

/** The order of the hits of one leaf. */
export interface LeafOrder {
  readonly leaf: Leaf
  /** The leaf, or that of the rows of it which can be among the hits. */
  readonly rows: Leaf
  readonly lookup: ColumnLookup
  readonly score: LeafScore
  /** A cell a clause with a name. */
  readonly named: readonly Sql[]
  /** One key a criterion and the order of arrival. */
  readonly keys: readonly OrderKey[]
}
