import { type GeoShape, geohashBox, none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { printDouble } from '../../json/print-json.ts'
import { illegalArgument, parsingError, readStrictly } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { pointOf } from '../../values/geo.ts'
import { defineQuery } from '../define-query.ts'
import { fieldBeside, geoField } from '../shapes/geo.ts'
import { describedBy } from '../shapes/one-field.ts'
import { clauseParameters, decimal, flag } from '../shapes/scalars.ts'

const parameters = z.strictObject({
  type: z.enum(['memory', 'indexed']).optional(),
  validation_method: z.enum(['STRICT', 'COERCE', 'IGNORE_MALFORMED']).optional(),
  ignore_unmapped: flag.optional(),
  ...clauseParameters,
})
const keys = new Set(Object.keys(parameters.shape))
const corners = z.strictObject({
  top_left: z.unknown().optional(),
  bottom_right: z.unknown().optional(),
  top_right: z.unknown().optional(),
  bottom_left: z.unknown().optional(),
  top: decimal.optional(),
  left: decimal.optional(),
  bottom: decimal.optional(),
  right: decimal.optional(),
  wkt: z.string().optional(),
})
type Box = Extract<GeoShape, { readonly kind: 'box' }>

/** `geo_bounding_box`: points within a box given by two corners, four sides, `BBOX (…)` or geohashes. */
export const geoBoundingBox = defineQuery({
  name: 'geo_bounding_box',
  schema: describedBy(
    z.unknown().transform((body) => {
      const { field, value, rest } = fieldBeside(body, keys, 'geo_bounding_box')
      return { field, box: boxOf(value), ...readStrictly(parameters, rest, 'geo_bounding_box', 'query') }
    }),
    parameters,
  ),
  lower({ field: path, box, ignore_unmapped: quiet = false }, context): Predicate {
    const field = geoField(path, 'geo_bounding_box', quiet, context)
    return field ? { op: 'geo', field: { path: field.path, type: 'string' }, shape: box } : none
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: geoBoundingBox.lower(body, context) }),
})

function boxOf(given: unknown): Box {
  const read = readStrictly(corners, given, 'geo_bounding_box', 'query')
  const box = read.wkt === undefined ? ofCorners(read) : ofText(read.wkt)
  const [top, left, bottom, right] = [box.top, box.left, box.bottom, box.right].map(printDouble)
  if (box.top < box.bottom) throw illegalArgument(`top is below bottom corner: ${top} vs. ${bottom}`)
  if (box.top === box.bottom) throw illegalArgument(`top cannot be the same as bottom: ${top} == ${bottom}`)
  if (box.left === box.right) throw illegalArgument(`left cannot be the same as right: ${left} == ${right}`)
  return box
}

function ofCorners(given: z.infer<typeof corners>): Box {
  // A geohash stands for its whole cell: each corner takes the outer side of it.
  const corner = (value: unknown): Box | undefined => {
    if (value === undefined) return undefined
    const cell = typeof value === 'string' && /^[0-9a-z]+$/iu.test(value) ? geohashBox(value) : undefined
    if (cell) return cell
    const { lat, lon } = pointOf(value)
    return { kind: 'box', top: lat, bottom: lat, left: lon, right: lon }
  }
  const [topLeft, bottomRight] = [corner(given.top_left), corner(given.bottom_right)]
  const [topRight, bottomLeft] = [corner(given.top_right), corner(given.bottom_left)]
  const side = (own: number | undefined, ...others: (number | undefined)[]): number => {
    const found = [own, ...others].find((value) => value !== undefined)
    if (found === undefined) throw parsingError('failed to parse bounding box: a corner or side is missing')
    return found
  }
  return {
    kind: 'box',
    top: side(given.top, topLeft?.top, topRight?.top),
    left: side(given.left, topLeft?.left, bottomLeft?.left),
    bottom: side(given.bottom, bottomRight?.bottom, bottomLeft?.bottom),
    right: side(given.right, bottomRight?.right, topRight?.right),
  }
}

/** `BBOX (left, right, top, bottom)`. */
function ofText(text: string): Box {
  const [left, right, top, bottom] = (/^\s*BBOX\s*\(([^)]*)\)\s*$/iu.exec(text)?.[1] ?? '').split(',').map(Number)
  if (
    left === undefined ||
    right === undefined ||
    top === undefined ||
    bottom === undefined ||
    Number.isNaN(left + right + top + bottom)
  )
    throw parsingError(`failed to parse WKT bounding box [${text}]`)
  return { kind: 'box', top, left, bottom, right }
}
