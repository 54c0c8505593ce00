import { isAppError } from '@logstack/errors'
import { distanceMetres, type GeoPoint } from '@logstack/rules'
import { type Geometry, geometryText, readGeometry } from '../../indices/geometry.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { unfit } from '../../refusals/unfit.ts'
import { distanceOf } from '../../values/geo.ts'
import { defineProcessor } from '../define-processor.ts'

interface Circle {
  readonly x: number
  readonly y: number
  readonly radiusMetres: number
}

type Ring = readonly (readonly [x: number, y: number])[]

const sidesMin = 4
const sidesMax = 1000
/** How near to the circle its corners are. */
const toleranceMetres = 0.1
/** Halvings that lead from the other side of the earth to that. */
const halvingsMax = 60

/** How many sides keep a polygon within a distance of its circle. */
function sidesOf(radiusMetres: number, errorMetres: number): number {
  const sides = Math.ceil((2 * Math.PI) / Math.acos(1 - errorMetres / radiusMetres))
  return Math.min(sidesMax, Math.max(sidesMin, Number.isNaN(sides) ? 0 : sides))
}

function ringOf(sides: number, corner: (cos: number, sin: number) => readonly [number, number]): Ring {
  const angles = Array.from({ length: sides }, (_, at) => (at * 2 * Math.PI) / sides)
  const corners = angles.map((angle) => corner(Math.cos(angle), Math.sin(angle)))
  return [...corners, ...corners.slice(0, 1)]
}

/** The corners of a circle on the earth; degrees beyond the date line stay as they are. */
const onEarth = ({ x, y, radiusMetres }: Circle, sides: number): Ring =>
  ringOf(sides, (cos, sin) => {
    const centre: GeoPoint = { lat: y, lon: x }
    let [near, far] = [0, 180]
    for (let halving = 0; halving < halvingsMax; halving++) {
      const degrees = (near + far) / 2
      const metres = distanceMetres(centre, { lat: y + sin * degrees, lon: x + cos * degrees })
      if (Math.abs(metres - radiusMetres) < toleranceMetres) return [x + cos * degrees, y + sin * degrees]
      if (metres > radiusMetres) far = degrees
      else near = degrees
    }
    throw illegalArgument(`a circle of [${radiusMetres}] metres does not fit on the earth there`)
  })

/** The corners of a circle on a plane. */
const onPlane = ({ x, y, radiusMetres }: Circle, sides: number): Ring =>
  ringOf(sides, (cos, sin) => [x + cos * radiusMetres, y + sin * radiusMetres])

const shapeTypes = { GEO_SHAPE: onEarth, SHAPE: onPlane } as const

/** Reads `CIRCLE (lon lat metres)` or GeoJSON with a `radius`. Throws `illegal_argument_exception` for other shapes. */
function readCircle(given: unknown): Circle {
  if (typeof given === 'string') {
    const numbers = /^\s*circle\s*\(([^()]+)\)\s*$/iu.exec(given)?.[1]?.trim().split(/\s+/u).map(Number)
    const [x = Number.NaN, y = Number.NaN, radiusMetres = Number.NaN, more] = numbers ?? []
    if (more === undefined && [x, y, radiusMetres].every(Number.isFinite)) return { x, y, radiusMetres }
  } else {
    const { type, coordinates, radius }: Readonly<Record<string, unknown>> = Object(given)
    const [x, y] = Array.isArray(coordinates) ? coordinates : []
    if (String(type).toLowerCase() === 'circle' && typeof x === 'number' && typeof y === 'number')
      return { x, y, radiusMetres: distanceOf(radius) }
  }
  const other = readGeometry(given)
  if (other) throw illegalArgument(`found [${other.type.toUpperCase()}] instead of circle`)
  throw illegalArgument(`no circle: [${typeof given === 'string' ? given : JSON.stringify(given)}]`)
}

/** `circle`: a polygon in a circle's place, as near to it as is said. */
export const circleProcessor = defineProcessor('circle', (config) => {
  const field = config.text('field')
  const target = config.optionalText('target_field') ?? field
  const ignoreMissing = config.boolean('ignore_missing')
  const errorMetres = Math.abs(Number(config.required('error_distance')))
  if (Number.isNaN(errorMetres))
    throw config.fault('error_distance', `property cannot be converted to a double [${config.any('error_distance')}]`)
  const shapeType = config.text('shape_type')
  const known = Object.entries(shapeTypes).find(([name]) => name === shapeType.toUpperCase())
  if (!known)
    throw config.fault('shape_type', `illegal [shape_type] value [${shapeType}]. valid values are [SHAPE, GEO_SHAPE]`)
  const [, corners] = known
  return (document) => {
    const given = ignoreMissing ? (document.find(field) ?? null) : document.get(field)
    if (given === null && ignoreMissing) return
    if (given === null) throw unfit(`field [${field}] is null, cannot process it.`)
    if (typeof given !== 'string' && (typeof given !== 'object' || Array.isArray(given)))
      throw unfit(`field [${field}] must be a WKT Circle or a GeoJSON Circle value`)
    try {
      const circle = readCircle(given)
      const coordinates = [corners(circle, sidesOf(circle.radiusMetres, errorMetres))]
      const polygon: Geometry = { type: 'polygon', coordinates }
      document.set(target, typeof given === 'string' ? geometryText(polygon, String) : { type: 'Polygon', coordinates })
    } catch (thrown) {
      if (isAppError(thrown)) throw unfit('invalid circle definition', thrown)
      throw thrown
    }
  }
})
