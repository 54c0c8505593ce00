import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import { columnShare, defineGrid, sidesOf } from './geo-cells.ts'

/** `geohash_grid`: points by the geohash cell they lie in. */
export const geohashGrid = defineGrid({
  name: 'geohash_grid',
  precision: { least: 1, most: 12, otherwise: 5 },
  called: 'geohash aggregation precision',
  cell: (point, precision) => sql`geohashEncode(${longitudeSql(point)}, ${latitudeSql(point)}, ${num(precision)})`,
  place(point, precision) {
    const { columns, rows } = cellsOf(precision)
    const at = (share: Sql, cells: number) => sql`least(${num(cells - 1)}, toInt64(floor(${share} * ${num(cells)})))`
    return {
      x: at(sql`(${longitudeSql(point)} + 180) / 360`, columns),
      y: at(sql`(90 - ${latitudeSql(point)}) / 180`, rows),
    }
  },
  sides({ top, left, bottom, right }, precision) {
    const { columns, rows } = cellsOf(precision)
    const rowShare = (latitude: number) => (90 - latitude) / 180
    const shares = { top: rowShare(top), left: columnShare(left), bottom: rowShare(bottom), right: columnShare(right) }
    return sidesOf(shares, columns, rows)
  },
})

/** How many cells of a precision go around the earth and from pole to pole: a letter is five bits, of which longitudes have the first, third and so on. */
function cellsOf(precision: number): { readonly columns: number; readonly rows: number } {
  const bits = 5 * precision
  return { columns: 2 ** Math.ceil(bits / 2), rows: 2 ** Math.floor(bits / 2) }
}
