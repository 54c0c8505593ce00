import { AppError, searchErrors } from '@logstack/errors'
import { type GeoPoint, pointText, readGeoPoint } from '@logstack/rules'
import { z } from 'zod'
import { Double, printDouble } from '../../json/print-json.ts'
import { defineFieldType } from './define-field-type.ts'
import { illegalValue, readLeaf } from './leaf.ts'
import { flag, malformedParameters } from './parameters.ts'

/** A point of a document. Throws the cause Elasticsearch names for what is none. */
function read(value: unknown, name = 'geo_point'): GeoPoint {
  const point = readGeoPoint(value)
  if (!point) throw problemOf(value)
  const { lat, lon } = point
  if (Math.abs(lat) > 90) throw illegalValue(`illegal latitude value [${printDouble(lat)}] for ${name}`)
  if (Math.abs(lon) > 180) throw illegalValue(`illegal longitude value [${printDouble(lon)}] for ${name}`)
  return point
}

function problemOf(value: unknown): AppError {
  if (typeof value === 'string') return illegalValue(`unsupported symbol in geo_point [${value}]`)
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
  const missing = isObject ? ['lat', 'lon'].find((name) => !Object.hasOwn(value, name)) : undefined
  if (missing === undefined) return illegalValue('geo_point expected')
  return new AppError(searchErrors.parse_exception, `Required [${missing}]`)
}

/** A list of two or three numbers is one point, any other list one of points. */
function members(whole: unknown): readonly unknown[] {
  return Array.isArray(whole) && typeof whole[0] !== 'number' ? whole.flatMap(members) : [whole]
}

/** `geo_point`: a point in any of its written forms, kept as `lat,lon` and searched by area and distance. */
export const geoPointField = defineFieldType({
  name: 'geo_point',
  family: 'geo_point',
  valueType: 'string',
  aggregatable: true,
  objects: 'whole',
  members,
  parameters: z.strictObject({
    ...malformedParameters,
    ignore_z_value: flag.optional(),
    null_value: z.unknown().optional(),
  }),
  parse: readLeaf((value, { path }) => pointText(read(value, path))),
  queryValue(_given, field) {
    throw illegalValue(
      `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${field.path}]`,
    )
  },
  show: (value) => String(value).replace(',', ', '),
  showLeaf(leaf, format = 'geojson') {
    const { lat, lon } = read(leaf)
    if (format === 'geojson') return { coordinates: [new Double(lon), new Double(lat)], type: 'Point' }
    if (format === 'wkt') return `POINT (${printDouble(lon)} ${printDouble(lat)})`
    throw illegalValue(`Unrecognized geometry format [${format}].`)
  },
})
