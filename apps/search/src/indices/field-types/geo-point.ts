import { z } from 'zod'
import { defineFieldType } from './define-field-type.ts'
import { absent, illegalValue, readLeaf } from './leaf.ts'
import { flag, malformedParameters } from './parameters.ts'

const coordinate = /^\s*-?\d+(?:\.\d+)?\s*$/
const geohash = /^[0-9b-hjkmnp-zB-HJKMNP-Z]{1,12}$/
const wellKnownText = /^\s*POINT\s*\(\s*-?[\d.]+\s+-?[\d.]+(?:\s+-?[\d.]+)?\s*\)\s*$/i

function check(lat: unknown, lon: unknown): void {
  const [latitude, longitude] = [Number(lat), Number(lon)]
  if (!(Math.abs(latitude) <= 90)) throw illegalValue(`illegal latitude value [${String(lat)}] for geo_point`)
  if (!(Math.abs(longitude) <= 180)) throw illegalValue(`illegal longitude value [${String(lon)}] for geo_point`)
}

function checkText(text: string): void {
  const parts = text.split(',')
  if (parts.length >= 2 && parts.length <= 3 && parts.every((part) => coordinate.test(part))) check(parts[0], parts[1])
  else if (!geohash.test(text) && !wellKnownText.test(text))
    throw illegalValue(`unsupported symbol in geo_point [${text}]`)
}

function checkObject(point: Readonly<Record<string, unknown>>): void {
  const coordinates = point['coordinates']
  if (Array.isArray(coordinates)) check(coordinates[1], coordinates[0])
  else if (point['geohash'] !== undefined) checkText(String(point['geohash']))
  else if (point['lat'] === undefined) throw illegalValue('field [lat] missing')
  else if (point['lon'] === undefined) throw illegalValue('field [lon] missing')
  else check(point['lat'], point['lon'])
}

function checkPoint(value: unknown, depth: number): void {
  if (depth > 2) throw illegalValue('geo_point expected')
  if (typeof value === 'string') checkText(value)
  else if (Array.isArray(value) && typeof value[0] === 'number') check(value[1], value[0])
  else if (Array.isArray(value)) for (const point of value) checkPoint(point, depth + 1)
  else if (typeof value === 'object' && value !== null) checkObject(value as Readonly<Record<string, unknown>>)
  else throw illegalValue('geo_point expected')
}

/** `geo_point`: a point in any of its written forms, checked and kept in the source; not searchable yet. */
export const geoPointField = defineFieldType({
  name: 'geo_point',
  family: 'geo_point',
  valueType: undefined,
  aggregatable: false,
  objects: 'whole',
  parameters: z.strictObject({
    ...malformedParameters,
    ignore_z_value: flag.optional(),
    null_value: z.unknown().optional(),
  }),
  parse: readLeaf((value) => {
    checkPoint(value, 0)
    return absent
  }),
  queryValue() {
    throw illegalValue('Geometry fields do not support exact searching, use dedicated geometry queries instead')
  },
  show: String,
})
