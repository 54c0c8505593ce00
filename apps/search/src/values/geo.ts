import { type GeoPoint, readGeoPoint } from '@logstack/rules'
import { exactJson } from '../json/exact-json.ts'
import { illegalArgument, numberFormatError, parsingError } from '../refusals/refuse.ts'

const metres: Readonly<Record<string, number>> = {
  mm: 0.001,
  millimeters: 0.001,
  cm: 0.01,
  centimeters: 0.01,
  m: 1,
  meters: 1,
  km: 1000,
  kilometers: 1000,
  in: 0.0254,
  inch: 0.0254,
  ft: 0.3048,
  feet: 0.3048,
  yd: 0.9144,
  yards: 0.9144,
  mi: 1609.344,
  miles: 1609.344,
  nmi: 1852,
  NM: 1852,
  nauticalmiles: 1852,
}

/** How many metres a unit of length has; throws `illegal_argument_exception` for what is no unit. */
export function metresOf(unit: string): number {
  const known = Object.hasOwn(metres, unit) ? metres[unit] : undefined
  if (known === undefined) throw illegalArgument(`No matching unit found for unit string [${unit}]`)
  return known
}

/** A distance (`12km`, `500`, 500) in metres; without a unit it is in `unit`. */
export function distanceOf(given: unknown, unit = 'm'): number {
  const found = /^\s*([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)\s*([a-zA-Z]*)\s*$/u.exec(String(given))
  if (!found) throw numberFormatError(String(given))
  return Number(found[1]) * metresOf(found[2] === '' || found[2] === undefined ? unit : found[2])
}

/** A point of a query, which may lie outside the earth; throws `parsing_exception` for what is none. */
export function readPoint(given: unknown): GeoPoint {
  const point = readGeoPoint(given)
  if (!point) throw parsingError(`failed to parse geo_point [${exactJson(given)}]`)
  return point
}

/** A point of a query; throws `parsing_exception` for what is none. */
export function pointOf(given: unknown): GeoPoint {
  const point = readPoint(given)
  if (Math.abs(point.lat) > 90) throw illegalArgument(`illegal latitude value [${point.lat}]`)
  if (Math.abs(point.lon) > 180) throw illegalArgument(`illegal longitude value [${point.lon}]`)
  return point
}
