import { earthRadiusMetres, type GeoPoint, type GeoShape } from '@logstack/rules'
import type { FieldColumns } from './field-columns.ts'
import { join, list, num, type Sql, sql } from './sql.ts'

/** The latitude of a kept point in degrees. */
export function latitudeSql(point: Sql): Sql {
  return sql`toFloat64OrZero(splitByChar(',', assumeNotNull(${point}))[1])`
}

/** The longitude of a kept point in degrees. */
export function longitudeSql(point: Sql): Sql {
  return sql`toFloat64OrZero(splitByChar(',', assumeNotNull(${point}))[2])`
}

/** The distance of a kept point from another, in metres. */
export function distanceSql(point: Sql, { lat, lon }: GeoPoint): Sql {
  const half = (from: number, to: Sql) => sql`pow(sin(radians(${to} - ${double(from)}) / 2), 2)`
  const own = latitudeSql(point)
  const h = sql`(${half(lat, own)} + cos(radians(${double(lat)})) * cos(radians(${own})) * ${half(lon, longitudeSql(point))})`
  return sql`(${double(2 * earthRadiusMetres)} * asin(least(1., sqrt(${h}))))`
}

/** Whether one of a field's points lies in an area; NULL where it has none. */
export function geoSql(shape: GeoShape, { one, many }: FieldColumns): Sql {
  const holds = (point: Sql) => sql`(isNotNull(${point}) AND ${areaSql(shape, point)})`
  return many ? sql`(${holds(one)} OR arrayExists(x -> ${holds(sql`x`)}, ${many}))` : holds(one)
}

function areaSql(shape: GeoShape, point: Sql): Sql {
  if (shape.kind === 'circle') return sql`${distanceSql(point, shape.center)} <= ${double(shape.metres)}`
  const [lat, lon] = [latitudeSql(point), longitudeSql(point)]
  if (shape.kind === 'polygon') {
    return polygonSql(shape.points, lat, lon)
  }
  const { top, left, bottom, right } = shape
  const across = join(
    [sql`${lon} >= ${double(left)}`, sql`${lon} <= ${double(right)}`],
    left <= right ? ' AND ' : ' OR ',
  )
  return sql`(${lat} <= ${double(top)} AND ${lat} >= ${double(bottom)} AND (${across}))`
}

/**
 * A line northwards crosses the sides of an area that holds the point an odd number of times. The engine's own `pointInPolygon` finds points
 * outside of large triangles.
 */
function polygonSql(points: readonly GeoPoint[], lat: Sql, lon: Sql): Sql {
  const sides = points.map((a, at) => [a, points[(at + 1) % points.length] ?? a] as const)
  const crossing = sides.filter(([a, b]) => a.lon !== b.lon)
  if (crossing.length === 0) return sql`0`
  const ends = (of: (side: readonly [GeoPoint, GeoPoint]) => number) => list(crossing.map((side) => double(of(side))))
  const from = [ends(([a]) => a.lon), ends(([a]) => a.lat)] as const
  const to = [ends(([, b]) => b.lon), ends(([, b]) => b.lat)] as const
  const crosses = sql`(ax > x) != (bx > x) AND y < ((by - ay) * (x - ax)) / (bx - ax) + ay`
  const count = sql`arrayCount((ax, ay, bx, by) -> ${crosses}, ${from[0]}, ${from[1]}, ${to[0]}, ${to[1]})`
  return sql`arrayExists((x, y) -> ${count} % 2 = 1, [${lon}], [${lat}])`
}

function double(value: number): Sql {
  return sql`toFloat64(${num(value)})`
}
