import { AppError, searchErrors } from '@logstack/errors'
import { type GeoPoint, none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, parsingError, queryShardError, readStrictly } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { distanceOf, readPoint } from '../../values/geo.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { fieldBeside, geoField } from '../shapes/geo.ts'
import { describedBy } from '../shapes/one-field.ts'
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

function checkOnEarth({ lat, lon }: GeoPoint, context: LowerContext): void {
  const wrong = Math.abs(lat) > 90 ? `latitude is invalid: ${lat}` : `longitude is invalid: ${lon}`
  if (Math.abs(lat) <= 90 && Math.abs(lon) <= 180) return
  const cause = new AppError(
    searchErrors.query_validation_exception,
    `Validation Failed: 1: [geo_distance] center point ${wrong};`,
  )
  throw queryShardError(context.reportedIndex, cause, "couldn't validate latitude/ longitude values")
}

/** `geo_distance`: points within a distance of one. */
export const geoDistance = defineQuery({
  name: 'geo_distance',
  schema: describedBy(
    z.unknown().transform((body) => {
      const { field, value, rest } = fieldBeside(body, keys, 'geo_distance')
      if (rest['distance'] === undefined) throw parsingError("geo_distance requires 'distance' to be specified")
      const read = readStrictly(parameters, rest, 'geo_distance', 'query')
      const metres = distanceOf(read.distance, read.unit)
      if (metres <= 0) throw illegalArgument('distance must be greater than zero')
      return { ...read, field, center: readPoint(value), metres }
    }),
    parameters,
  ),
  lower({ field: path, center, metres, ignore_unmapped: quiet = false }, context): Predicate {
    checkOnEarth(center, context)
    const field = geoField(path, 'geo_distance', quiet, context)
    if (!field) return none
    return { op: 'geo', field: { path: field.path, type: 'string' }, shape: { kind: 'circle', center, metres } }
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: geoDistance.lower(body, context) }),
})
