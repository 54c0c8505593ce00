import type { AggregationNode, AroundLevel, MetricPlan } from '../../dsl/define-aggregation.ts'
import type { PlanServices } from '../leaves/leaf-request.ts'
import type { PlanRead } from '../leaves/plan-read.ts'
import type { BucketLevel } from './bucket-rows.ts'
import type { PlannedRows } from './row-source.ts'

/** A planned metric. */
export interface MetricNode {
  readonly node: AggregationNode
  readonly plan: MetricPlan
  readonly around: readonly AroundLevel[]
}

/** A planned bucket aggregation with those below it. */
export interface BucketNode extends BucketLevel {
  readonly node: AggregationNode
  readonly source: PlannedRows
  readonly metrics: readonly MetricNode[]
  readonly buckets: readonly BucketNode[]
}

/** What runs the statements of bucket aggregations. */
export interface BucketRun {
  readonly services: { readonly engine: Pick<PlanServices['engine'], 'rows'> }
  /** All documents the caller may see, whatever the query; their columns have names that begin so. */
  everything(naming?: string): PlannedRows
  /** `search.max_buckets`. */
  readonly bucketsMax: number
  readonly read: PlanRead
}
