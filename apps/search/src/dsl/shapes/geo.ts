import { type GeoPoint, readGeoPoint } from '@logstack/rules'
import type { ResolvedField } from '../../indices/model.ts'
import type { LowerContext } from '../define-query.ts'
import { exactJson } from './exact-json.ts'
import { illegalArgument, numberFormatError, parsingError, queryShardError } from './refuse.ts'

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

/** The point field of a clause; undefined when it is unmapped and that is said to be well. */
export function geoField(path: string, name: string, quiet: boolean, context: LowerContext): ResolvedField | undefined {
  const field = context.field(path)
  if (!field) {
    if (quiet || !context.hasIndex) return undefined
    throw queryShardError(context.reportedIndex, undefined, `failed to find geo field [${path}]`)
  }
  if (field.wireType !== 'geo_point') {
    const reason = `Field [${path}] is of unsupported type [${field.wireType}] for [${name}] query`
    throw queryShardError(context.reportedIndex, undefined, reason)
  }
  return field
}

/** A clause whose one member that is no parameter names its field. Throws `parsing_exception` for none or several. */
export function fieldBeside(
  body: unknown,
  parameters: ReadonlySet<string>,
  name: string,
): { readonly field: string; readonly value: unknown; readonly rest: Readonly<Record<string, unknown>> } {
  if (body === null || typeof body !== 'object' || Array.isArray(body))
    throw parsingError(`[${name}] query malformed, no start_object after query name`)
  const entries = Object.entries(body)
  const fields = entries.filter(([key]) => !parameters.has(key))
  const [first, second] = fields
  if (!first) throw parsingError(`[${name}] query malformed, no field name`)
  if (second)
    throw parsingError(`[${name}] query doesn't support multiple fields, found [${first[0]}] and [${second[0]}]`)
  return { field: first[0], value: first[1], rest: Object.fromEntries(entries.filter(([key]) => parameters.has(key))) }
}
