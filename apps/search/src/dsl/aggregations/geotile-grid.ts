import { z } from 'zod'
import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { whole } from '../shapes/scalars.ts'
import { gridPlan, pointField } from './geo-cells.ts'
import { requireField } from './metric-cells.ts'

/** `geotile_grid`: points by the map tile `zoom/x/y` they lie in (Web Mercator). */
export const geotileGrid = defineAggregation({
  name: 'geotile_grid',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    precision: whole.optional(),
    size: whole.optional(),
    shard_size: whole.optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field, 'geotile_grid')] }),
  plan({ field: path, precision = 7, size = 10_000 }, source) {
    if (precision < 0 || precision > 29)
      throw illegalArgument(`Invalid geotile_grid precision of ${precision}. Must be between 0 and 29.`)
    const field = pointField(source.field(requireField(path, 'geotile_grid')), 'geotile_grid')
    return gridPlan(field, (point) => tile(point, precision), size)
  },
})

function tile(point: Sql, zoom: number): Sql {
  const tiles = 2 ** zoom
  const placed = (share: Sql) => sql`least(${num(tiles - 1)}, greatest(0, toInt64(floor(${share} * ${num(tiles)}))))`
  const lat = sql`radians(${latitudeSql(point)})`
  const x = placed(sql`(${longitudeSql(point)} + 180) / 360`)
  const y = placed(sql`(1 - log(tan(${lat}) + 1 / cos(${lat})) / pi()) / 2`)
  return sql`concat(toString(${num(zoom)}), '/', toString(${x}), '/', toString(${y}))`
}
