import { z } from 'zod'
import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { whole } from '../shapes/scalars.ts'
import { gridPlan, pointField } from './geo-cells.ts'
import { requireField } from './metric-cells.ts'

/** `geohash_grid`: points by the geohash cell they lie in. */
export const geohashGrid = defineAggregation({
  name: 'geohash_grid',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    precision: whole.optional(),
    size: whole.optional(),
    shard_size: whole.optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field, 'geohash_grid')] }),
  plan({ field: path, precision = 5, size = 10_000 }, source) {
    if (precision < 1 || precision > 12)
      throw illegalArgument(`Invalid geohash aggregation precision of ${precision}. Must be between 1 and 12.`)
    const field = pointField(source.field(requireField(path, 'geohash_grid')), 'geohash_grid')
    return gridPlan(
      field,
      (point) => sql`geohashEncode(${longitudeSql(point)}, ${latitudeSql(point)}, ${num(precision)})`,
      size,
    )
  },
})
