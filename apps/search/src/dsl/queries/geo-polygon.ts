import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { parsingError, readStrictly } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { pointOf } from '../../values/geo.ts'
import { defineQuery } from '../define-query.ts'
import { fieldBeside, geoField } from '../shapes/geo.ts'
import { describedBy } from '../shapes/one-field.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

const parameters = z.strictObject({
  validation_method: z.enum(['STRICT', 'COERCE', 'IGNORE_MALFORMED']).optional(),
  ignore_unmapped: flag.optional(),
  ...clauseParameters,
})
const keys = new Set(Object.keys(parameters.shape))
const shape = z.strictObject({ points: z.array(z.unknown()) })

/** `geo_polygon`: points within a polygon; deprecated in Elasticsearch, which has `geo_shape` for it. */
export const geoPolygon = defineQuery({
  name: 'geo_polygon',
  schema: describedBy(
    z.unknown().transform((body) => {
      const { field, value, rest } = fieldBeside(body, keys, 'geo_polygon')
      const points = readStrictly(shape, value, 'geo_polygon', 'query').points.map(pointOf)
      if (points.length < 3) throw parsingError('too few points defined for geo_polygon query')
      return { field, points, ...readStrictly(parameters, rest, 'geo_polygon', 'query') }
    }),
    parameters,
  ),
  lower({ field: path, points, ignore_unmapped: quiet = false }, context): Predicate {
    const field = geoField(path, 'geo_polygon', quiet, context)
    return field ? { op: 'geo', field: { path: field.path, type: 'string' }, shape: { kind: 'polygon', points } } : none
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: geoPolygon.lower(body, context) }),
})
