import { and, type GeoPoint, type GeoShape, none, not, or, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { type Geometry, readGeometry } from '../../indices/geometry.ts'
import { illegalArgument, parsingError, readStrictly } from '../../refusals/refuse.ts'
import type { Score } from '../../scores/score.ts'
import { distanceOf } from '../../values/geo.ts'
import { defineQuery } from '../define-query.ts'
import { existsPredicate } from '../shapes/exists.ts'
import { fieldBeside, geoField } from '../shapes/geo.ts'
import { describedBy } from '../shapes/one-field.ts'
import { clauseParameters, flag } from '../shapes/scalars.ts'

const parameters = z.strictObject({ ignore_unmapped: flag.optional(), ...clauseParameters })
const keys = new Set(Object.keys(parameters.shape))
const asked = z.strictObject({
  shape: z.unknown().optional(),
  indexed_shape: z.unknown().optional(),
  relation: z.string().optional(),
})
const relations = ['intersects', 'within', 'disjoint']

type Position = readonly [lon: number, lat: number]

function pointAt([lon, lat]: Position): GeoPoint {
  return { lon, lat }
}

/** What a shape covers, as areas that hold points: rings after the first of a polygon are holes. */
function areasOf(
  { type, coordinates, radius, geometries }: Geometry,
  within: (area: GeoShape) => Predicate,
): Predicate {
  const box = ([left, top]: Position, [right, bottom]: Position) => within({ kind: 'box', top, left, bottom, right })
  const polygon = ([outer = [], ...holes]: readonly (readonly Position[])[]): Predicate => {
    const ring = (points: readonly Position[]) => within({ kind: 'polygon', points: points.map(pointAt) })
    return and([ring(outer), ...holes.map((hole) => not(ring(hole)))])
  }
  switch (type) {
    case 'point':
      return box(coordinates as Position, coordinates as Position)
    case 'multipoint':
      return or((coordinates as readonly Position[]).map((each) => box(each, each)))
    case 'envelope': {
      const [topLeft, bottomRight] = coordinates as readonly [Position, Position]
      return box(topLeft, bottomRight)
    }
    case 'circle':
      return within({ kind: 'circle', center: pointAt(coordinates as Position), metres: distanceOf(radius) })
    case 'polygon':
      return polygon(coordinates as readonly (readonly Position[])[])
    case 'multipolygon':
      return or((coordinates as readonly (readonly (readonly Position[])[])[]).map(polygon))
    case 'geometrycollection':
      return or((geometries ?? []).map((each) => areasOf(each, within)))
    default:
      throw illegalArgument(`[geo_shape] of type [${type}] is not supported on points: a line holds none`)
  }
}

/** `geo_shape`: points of a `geo_point` field that a shape holds, or that it does not. */
export const geoShape = defineQuery({
  name: 'geo_shape',
  schema: describedBy(
    z.unknown().transform((body) => {
      const { field, value, rest } = fieldBeside(body, keys, 'geo_shape')
      const {
        shape,
        indexed_shape: indexed,
        relation = 'intersects',
      } = readStrictly(asked, value, 'geo_shape', 'query')
      if (indexed !== undefined)
        throw illegalArgument('[indexed_shape] of [geo_shape] is not supported: give the [shape]')
      if (shape === undefined) throw parsingError('No shape defined')
      const geometry = readGeometry(shape)
      if (!geometry) throw parsingError('failed to parse geometry')
      if (!relations.includes(relation.toLowerCase()))
        throw illegalArgument(
          `[relation] [${relation}] of [geo_shape] is not supported on points, only [${relations.join(', ')}] are`,
        )
      return {
        field,
        geometry,
        relation: relation.toLowerCase(),
        ...readStrictly(parameters, rest, 'geo_shape', 'query'),
      }
    }),
    parameters,
  ),
  lower({ field: path, geometry, relation, ignore_unmapped: quiet = false }, context): Predicate {
    const field = geoField(path, 'geo_shape', quiet, context)
    if (!field) return none
    const held = areasOf(geometry, (shape) => ({ op: 'geo', field: { path: field.path, type: 'string' }, shape }))
    return relation === 'disjoint' ? and([existsPredicate(path, context), not(held)]) : held
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: geoShape.lower(body, context) }),
})
