import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineGrid } from './geo-cells.ts'

/** `geohash_grid`: points by the geohash cell they lie in. */
export const geohashGrid = defineGrid({
  name: 'geohash_grid',
  precision: { least: 1, most: 12, otherwise: 5 },
  called: 'geohash aggregation precision',
  cell: (point, precision) => sql`geohashEncode(${longitudeSql(point)}, ${latitudeSql(point)}, ${num(precision)})`,
})
