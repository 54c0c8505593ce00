import type { Visibility } from '../../documents/visibility.ts'
import type { TracedContext } from '../../dsl/lower-context.ts'
import type { DerivedObject } from '../../indices/derived-fields.ts'
import type { ResolvedIndex } from '../../indices/resolve.ts'
import type { ResolvedField } from '../../model/mapping.ts'
import type { Scope } from '../../model/scope.ts'
import type { Services } from '../../services.ts'

/** The snapshots of tables that a search, or all pages of a scroll, see. */
export type Snapshots = Map<number, Visibility>

/** A request over resolved indices, as far as leaves depend on it. */
export interface LeafRequest {
  readonly indices: readonly ResolvedIndex[]
  readonly scope: Scope
  /** The query of the request; undefined is all documents. */
  readonly query: unknown
  /** What documents must meet beside the query, without a part in their score. */
  readonly filter?: unknown
  /** The least score of documents that are found. */
  readonly minScore?: number | undefined
  /** Runtime fields of the request. */
  readonly runtime?: ReadonlyMap<string, ResolvedField> | undefined
  /** Derived objects of the request. */
  readonly derivedObjects?: readonly DerivedObject[] | undefined
  readonly nowMs: number
  /** Whether documents are scored. */
  readonly scored?: boolean
  /** Whether clauses with a `_name` are scored, each by itself. */
  readonly namedScores?: boolean
  /** Makes every other look-up the request depends on. */
  readonly touch?: (context: TracedContext) => void
  readonly snapshots?: Snapshots
  /** How much more the scores of an index count, by its name. */
  readonly boosts?: ReadonlyMap<string, number>
}

/** What search plans need of the services. */
export type PlanServices = Pick<Services, 'engine' | 'catalogue' | 'documents' | 'now'>
