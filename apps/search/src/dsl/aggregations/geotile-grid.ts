import { latitudeSql, longitudeSql } from '../../sql/geo-to-sql.ts'
import { num, type Sql, sql } from '../../sql/sql.ts'
import type { Box } from '../shapes/geo-box.ts'
import { columnShare, defineGrid, sidesOf } from './geo-cells.ts'

/** Zooms that tiles have. */
export const tileZooms = { least: 0, most: 29, otherwise: 7 } as const

/** `geotile_grid`: points by the map tile `zoom/x/y` they lie in (Web Mercator). */
export const geotileGrid = defineGrid({
  name: 'geotile_grid',
  precision: tileZooms,
  called: 'geotile_grid precision',
  cell: tile,
  place: tilePlace,
  sides: tileSides,
})

function tile(point: Sql, zoom: number): Sql {
  const { x, y } = tilePlace(point, zoom)
  return sql`concat(toString(${num(zoom)}), '/', toString(${x}), '/', toString(${y}))`
}

/** Where the sides of a box lie among the tiles of a zoom. */
export function tileSides({ top, left, bottom, right }: Box, zoom: number): Box {
  const rowShare = (latitude: number) => {
    const radians = (Math.min(latitudeMost, Math.max(-latitudeMost, latitude)) * Math.PI) / 180
    return (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2
  }
  const shares = { top: rowShare(top), left: columnShare(left), bottom: rowShare(bottom), right: columnShare(right) }
  return sidesOf(shares, 2 ** zoom, 2 ** zoom)
}

/** Degrees of latitude at the upper edge of the map. */
const latitudeMost = 85.0511287798066
const latitudeMax = num(latitudeMost)

/** Column and row of the tile of a point, as integers. */
export function tilePlace(point: Sql, zoom: number): { readonly x: Sql; readonly y: Sql } {
  const tiles = 2 ** zoom
  const placed = (share: Sql) => sql`least(${num(tiles - 1)}, greatest(0, toInt64(floor(${share} * ${num(tiles)}))))`
  // Beyond these there is no tile: the projection is a square that leaves the poles out.
  const lat = sql`radians(least(${latitudeMax}, greatest(-${latitudeMax}, ${latitudeSql(point)})))`
  return {
    x: placed(sql`(${longitudeSql(point)} + 180) / 360`),
    y: placed(sql`(1 - log(tan(${lat}) + 1 / cos(${lat})) / pi()) / 2`),
  }
}
