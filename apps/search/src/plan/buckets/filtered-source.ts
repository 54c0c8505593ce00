import type { AggregationNode, AroundLevel, BucketPlan, MetricPlan, RowSource } from '../../dsl/define-aggregation.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { join, type Sql, sql } from '../../sql/sql.ts'

/** A planned aggregation below a bucket, as far as an order may lead through it. */
export interface OrderTarget {
  readonly node: AggregationNode
  readonly plan: BucketPlan
  readonly metrics: readonly {
    readonly node: AggregationNode
    readonly plan: MetricPlan
    readonly around: readonly AroundLevel[]
  }[]
  readonly buckets: readonly OrderTarget[]
}

/**
 * The aggregate that an order path through single buckets leads to (`failed>load.max`, `failed>_count`, `failed`), computed among all rows
 * of a group; undefined when the path leads nowhere. Throws when the metric gives rows without a value one.
 */
export function deepOrderCell(targets: readonly OrderTarget[], path: string, source: RowSource): Sql | undefined {
  const names = path.split('>')
  const conditions: Sql[] = []
  let level: readonly OrderTarget[] = targets
  let at: OrderTarget | undefined
  while (names.length > 0) {
    const [name = ''] = names
    const next = level.find(
      ({ node, plan }) => node.name === name.replace(/\._count$|\.doc_count$/u, '') && plan.parts.length === 0,
    )
    // Other rows than those of the group (objects, children, a sample of them) are none of its aggregates.
    if (!next?.plan.where || next.plan.rows || next.plan.sample) break
    conditions.push(next.plan.where)
    at = next
    level = next.buckets
    names.shift()
  }
  if (!at || conditions.length === 0) return undefined
  const holds = sql`(${join(conditions, ' AND ')})`
  const [rest, further] = names
  if (further !== undefined) return undefined
  if (rest === undefined || rest === '_count' || rest === 'doc_count') return sql`countIf(${holds})`
  return metricCell(at, rest, filtered(source, holds))
}

function metricCell(target: OrderTarget, path: string, source: RowSource): Sql | undefined {
  const parts = /^([^.[\]]+)(?:\.([^[\]]+)|\[([^\]]+)\])?$/u.exec(path)
  const metric = target.metrics.find(({ node }) => node.name === parts?.[1])
  if (!metric) return undefined
  const { aggregation } = metric.node
  if (aggregation.fillsMissing)
    throw illegalArgument(`ordering by [${path}] below a filter is not supported for a metric with [missing]`)
  const planned = aggregation.plan(source, [], metric.node.name, metric.around)
  if (planned.kind !== 'metric') return undefined
  const property = parts?.[2] ?? parts?.[3]
  const at = planned.plan.orderCell(property)
  const cell = at === undefined ? undefined : planned.plan.cells[at]
  return cell && (planned.plan.ordered?.(cell, property) ?? cell)
}

/** The same rows, whose fields have no value where a condition does not hold: aggregates skip these. */
function filtered(source: RowSource, holds: Sql): RowSource {
  return {
    ...source,
    field(path) {
      const field = source.field(path)
      return { ...field, sql: sql`if(${holds}, ${field.sql}, ${field.many ? sql`[]` : sql`NULL`})` }
    },
  }
}
