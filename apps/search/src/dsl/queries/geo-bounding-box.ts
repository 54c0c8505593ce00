import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { printDouble } from '../../json/print-json.ts'
import { illegalArgument, readStrictly } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { fieldBeside, geoField } from '../shapes/geo.ts'
import { type Box, boxOf } from '../shapes/geo-box.ts'
import { describedBy } from '../shapes/one-field.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

const parameters = z.strictObject({
  type: z.enum(['memory', 'indexed']).optional(),
  validation_method: z.enum(['STRICT', 'COERCE', 'IGNORE_MALFORMED']).optional(),
  ignore_unmapped: flag.optional(),
  ...clauseParameters,
})
const keys = new Set(Object.keys(parameters.shape))
/** `geo_bounding_box`: points within a box given by two corners, four sides, `BBOX (…)` or geohashes. */
export const geoBoundingBox = defineQuery({
  name: 'geo_bounding_box',
  schema: describedBy(
    z.unknown().transform((body) => {
      const { field, value, rest } = fieldBeside(body, keys, 'geo_bounding_box')
      return {
        field,
        box: checked(boxOf(value, 'geo_bounding_box', 'query')),
        ...readStrictly(parameters, rest, 'geo_bounding_box', 'query'),
      }
    }),
    parameters,
  ),
  lower({ field: path, box, ignore_unmapped: quiet = false }, context): Predicate {
    const field = geoField(path, 'geo_bounding_box', quiet, context)
    return field ? { op: 'geo', field: { path: field.path, type: 'string' }, shape: box } : none
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: geoBoundingBox.lower(body, context) }),
})

/** A box that has an inside. Throws `illegal_argument_exception`. */
function checked(box: Box): Box {
  const [top, left, bottom, right] = [box.top, box.left, box.bottom, box.right].map(printDouble)
  if (box.top < box.bottom) throw illegalArgument(`top is below bottom corner: ${top} vs. ${bottom}`)
  if (box.top === box.bottom) throw illegalArgument(`top cannot be the same as bottom: ${top} == ${bottom}`)
  if (box.left === box.right) throw illegalArgument(`left cannot be the same as right: ${left} == ${right}`)
  return box
}
