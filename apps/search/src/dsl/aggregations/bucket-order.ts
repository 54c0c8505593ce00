import { z } from 'zod'
import { parsingError, refusing } from '../../refusals/refuse.ts'
import type { Sql } from '../../sql/sql.ts'
import { sql } from '../../sql/sql.ts'
import type { BucketColumns } from '../define-aggregation.ts'

const direction = refusing(
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(['asc', 'desc'])),
  (given) => parsingError(`Unknown order direction [${String(given)}]`),
)
const entry = z.record(z.string(), direction)

/** `order` of bucket aggregations: one object or several, each with one path. */
export const bucketOrder = z.union([z.array(entry), entry.transform((only) => [only])])

/** One criterion. */
export interface OrderCriterion {
  readonly path: string
  readonly descending: boolean
}

/** The criteria of an order, with the key as the last where it is none of them. */
export function orderCriteria(
  given: z.infer<typeof bucketOrder> | undefined,
  otherwise: OrderCriterion,
): OrderCriterion[] {
  const criteria = given?.flatMap((each) =>
    Object.entries(each).map(([path, way]) => ({
      path: path === '_term' || path === '_time' ? '_key' : path,
      descending: way === 'desc',
    })),
  ) ?? [otherwise]
  return criteria.some(({ path }) => path === '_key') ? criteria : [...criteria, { path: '_key', descending: false }]
}

/** The criteria as an ORDER BY; missing metrics come last. */
export function orderSql(criteria: readonly OrderCriterion[], columns: BucketColumns): Sql[] {
  return criteria.flatMap(({ path, descending }) => {
    const way = descending ? sql`DESC` : sql`ASC`
    if (path === '_count') return [sql`${columns.count} ${way}`]
    if (path === '_key') return columns.keys.map((key) => sql`${key} ${way}`)
    const metric = columns.metric(path)
    return [sql`ifNull(isNaN(toFloat64(${metric})), 1) ASC`, sql`${metric} ${way}`]
  })
}
