import { type GeoPoint, type GeoShape, holdsPoint, readGeoPoint } from '@logstack/rules'
import { type Geometry, readGeometry } from '../../indices/geometry.ts'
import { unfit } from '../../refusals/unfit.ts'
import { distanceOf } from '../../values/geo.ts'
import type { Keying } from './keying.ts'

type Position = readonly [lon: number, lat: number]

interface Box {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
}

/** An area without its holes, and the box around it. */
interface Area {
  readonly box: Box
  holds(point: GeoPoint): boolean
}

const metresOfDegree = 111_195

function boxAround(positions: readonly Position[]): Box {
  const [left, right] = [Math.min(...positions.map(([lon]) => lon)), Math.max(...positions.map(([lon]) => lon))]
  const [bottom, top] = [Math.min(...positions.map(([, lat]) => lat)), Math.max(...positions.map(([, lat]) => lat))]
  return { left, right, bottom, top }
}

function polygon([outer = [], ...holes]: readonly (readonly Position[])[]): Area {
  const ring = (positions: readonly Position[]): GeoShape => ({
    kind: 'polygon',
    points: positions.map(([lon, lat]) => ({ lon, lat })),
  })
  const [around, ...out] = [outer, ...holes].map(ring)
  return {
    box: boxAround(outer),
    holds: (point) => !!around && holdsPoint(around, point) && !out.some((hole) => holdsPoint(hole, point)),
  }
}

function boxes({ left, right, top, bottom }: Box): Area[] {
  const holding = (box: Box): Area => ({ box, holds: (point) => holdsPoint({ kind: 'box', ...box }, point) })
  // One that crosses the date line is two.
  const sides =
    left <= right
      ? [{ left, right }]
      : [
          { left, right: 180 },
          { left: -180, right },
        ]
  return sides.map((side) => holding({ ...side, top, bottom }))
}

function circle([lon, lat]: Position, metres: number): Area {
  const high = metres / metresOfDegree
  const wide = Math.abs(lat) + high >= 89 ? 360 : high / Math.cos(((Math.abs(lat) + high) * Math.PI) / 180)
  const spans = lon - wide < -180 || lon + wide > 180
  return {
    box: {
      left: spans ? -180 : lon - wide,
      right: spans ? 180 : lon + wide,
      bottom: Math.max(-90, lat - high),
      top: Math.min(90, lat + high),
    },
    holds: (point) => holdsPoint({ kind: 'circle', center: { lon, lat }, metres }, point),
  }
}

function areasOf({ type, coordinates, radius, geometries }: Geometry): Area[] {
  const point = ([lon, lat]: Position) => boxes({ left: lon, right: lon, top: lat, bottom: lat })
  if (type === 'geometrycollection') return (geometries ?? []).flatMap(areasOf)
  if (type === 'polygon') return [polygon(coordinates as readonly (readonly Position[])[])]
  if (type === 'multipolygon') return (coordinates as readonly (readonly (readonly Position[])[])[]).map(polygon)
  if (type === 'circle') return [circle(coordinates as Position, distanceOf(radius))]
  if (type === 'point') return point(coordinates as Position)
  if (type === 'multipoint') return (coordinates as readonly Position[]).flatMap(point)
  if (type !== 'envelope')
    throw unfit(`a shape of type [${type}] holds no point: a policy of type [geo_match] cannot use it`)
  const [[left, top], [right, bottom]] = coordinates as readonly [Position, Position]
  return boxes({ left, right, top, bottom })
}

function read(value: unknown): Area[] {
  const geometry = readGeometry(value)
  if (geometry) return areasOf(geometry)
  const point = readGeoPoint(value)
  if (point) return boxes({ left: point.lon, right: point.lon, top: point.lat, bottom: point.lat })
  throw unfit('failed to parse geometry')
}

const sizeMax = 20
const cellsMax = 4

const column = (lon: number, size: number) => Math.floor(((lon + 180) / 360) * 2 ** size)
const line = (lat: number, size: number) => Math.floor(((lat + 90) / 180) * 2 ** size)

/** The smallest cells of which a box takes few. */
function cellsOf({ left, right, bottom, top }: Box): { readonly size: number; readonly keys: readonly string[] } {
  let size = sizeMax
  const across = () => column(right, size) - column(left, size)
  const up = () => line(top, size) - line(bottom, size)
  while (size > 0 && (across() >= cellsMax || up() >= cellsMax)) size -= 1
  const keys: string[] = []
  for (let x = column(left, size); x <= column(right, size); x += 1)
    for (let y = line(bottom, size); y <= line(top, size); y += 1) keys.push(`${size}:${x}:${y}`)
  return { size, keys }
}

function pointOf(value: unknown): GeoPoint {
  const point = readGeoPoint(value)
  if (point) return point
  throw unfit('a policy of type [geo_match] looks up points only')
}

/** A list of two or three numbers is one point. */
function members(given: unknown): readonly unknown[] {
  if (given === null || given === undefined) return []
  return Array.isArray(given) && typeof given[0] !== 'number' ? given.flatMap(members) : [given]
}

/** `geo_match`: points that lie in a shape. */
export const geoMatchKeying: Keying = {
  fieldOf(path, field) {
    if (field && ['geo_shape', 'geo_point'].includes(field.wireType)) return undefined
    throw unfit(`Field '${path}' has type [${field?.wireType ?? 'object'}] which doesn't appear to be a geo type`)
  },
  rowKeys(value) {
    const found = read(value).map(({ box }) => cellsOf(box))
    return { keys: [...new Set(found.flatMap(({ keys }) => keys))], sizes: found.map(({ size }) => size) }
  },
  lookupKeys(value, { sizes = [] }) {
    const { lat, lon } = pointOf(value)
    return sizes.map((size) => `${size}:${column(lon, size)}:${line(lat, size)}`)
  },
  values: members,
  holds(own, value) {
    const point = pointOf(value)
    return own.flatMap(read).some((area) => area.holds(point))
  },
  relates: true,
}
