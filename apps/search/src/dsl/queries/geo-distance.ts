import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { defineQuery } from '../define-query.ts'
import type { Score } from '../score.ts'
import { distanceOf, fieldBeside, geoField, pointOf } from '../shapes/geo.ts'
import { describedBy } from '../shapes/one-field.ts'
import { parsingError, readStrictly } from '../shapes/refuse.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

const parameters = z.strictObject({
  distance: z.union([z.string(), z.number()]),
  unit: z.string().optional(),
  distance_type: z.enum(['arc', 'plane']).optional(),
  validation_method: z.enum(['STRICT', 'COERCE', 'IGNORE_MALFORMED']).optional(),
  ignore_unmapped: flag.optional(),
  ...clauseParameters,
})
const keys = new Set(Object.keys(parameters.shape))

/** `geo_distance`: points within a distance of one. */
export const geoDistance = defineQuery({
  name: 'geo_distance',
  schema: describedBy(
    z.unknown().transform((body) => {
      const { field, value, rest } = fieldBeside(body, keys, 'geo_distance')
      if (rest['distance'] === undefined) throw parsingError("geo_distance requires 'distance' to be specified")
      return { field, center: pointOf(value), ...readStrictly(parameters, rest, 'geo_distance', 'query') }
    }),
    parameters,
  ),
  lower({ field: path, center, distance, unit, ignore_unmapped: quiet = false }, context): Predicate {
    const metres = distanceOf(distance, unit)
    if (metres <= 0) throw parsingError('distance requires to be greater than zero')
    const field = geoField(path, 'geo_distance', quiet, context)
    if (!field) return none
    return { op: 'geo', field: { path: field.path, type: 'string' }, shape: { kind: 'circle', center, metres } }
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: geoDistance.lower(body, context) }),
})
