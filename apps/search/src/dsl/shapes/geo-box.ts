import { type GeoShape, geohashBox } from '@logstack/rules'
import { z } from 'zod'
import { parsingError, readStrictly } from '../../refusals/refuse.ts'
import { pointOf } from '../../values/geo.ts'
import { decimal } from './scalars.ts'

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
/** A box of degrees; its left side is east of its right one where it goes over the date line. */
export type Box = Extract<GeoShape, { readonly kind: 'box' }>

/** A box given by two corners, four sides, `BBOX (…)` or geohashes. Throws `parsing_exception` for what is none. */
export function boxOf(given: unknown, clause: string, kind: 'query' | 'aggregation'): Box {
  const read = readStrictly(corners, given, clause, kind)
  return read.wkt === undefined ? ofCorners(read) : ofText(read.wkt)
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
