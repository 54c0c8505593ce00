import { none, type Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument, refusing, required } from '../../refusals/refuse.ts'
import { noScore, type Score } from '../../scores/score.ts'
import { distanceOf, pointOf } from '../../values/geo.ts'
import { defineQuery, type LowerContext } from '../define-query.ts'
import { fixedIntervalMs } from '../shapes/date-rounding.ts'
import { dateValue, isDate, searchable } from '../shapes/field-value.ts'
import { fieldOf } from '../shapes/reporting.ts'
import { clauseParameters } from '../shapes/scalars.ts'

const schema = z.strictObject({
  field: refusing(z.string(), () => illegalArgument('Required [field]')),
  origin: required(() => illegalArgument('Required [origin]')),
  pivot: refusing(z.string(), () => illegalArgument('Required [pivot]')),
  ...clauseParameters,
})
type Body = z.infer<typeof schema>

/** `distance_feature`: documents with the field, scored the more the nearer its date or point is to the origin: half at the pivot. */
export const distanceFeature = defineQuery({
  name: 'distance_feature',
  schema,
  lower(body, context): Predicate {
    const place = placeOf(body, context)
    return place ? { op: 'present', field: place.field } : none
  },
  score(body, context): Score {
    const place = placeOf(body, context)
    if (!place) return noScore
    const when: Predicate = { op: 'present', field: place.field }
    const value = { kind: 'decay', shape: 'pivot', offset: 0, decay: 0.5, mode: 'min', ...place } as const
    const of = [{ when, weight: 1, value }]
    const functions = { of, scoreMode: 'multiply', boostMode: 'multiply', boostMax: Number.MAX_VALUE } as const
    return { op: 'functions', functions, when, of: { op: 'constant', value: 1, when } }
  },
})

/** Field, origin and pivot in the field's own unit; undefined when it is not mapped. */
function placeOf({ field: path, origin, pivot }: Body, context: LowerContext) {
  const found = context.field(path)
  if (!found) return undefined
  const field = searchable(found)
  const shape = fieldOf(field)
  if (field.wireType === 'geo_point')
    return { field: shape, origin: 0, point: pointOf(origin), scale: distanceOf(pivot) }
  if (!isDate(field))
    throw illegalArgument(
      `Illegal data type of [${field.wireType}]![distance_feature] query can only be run on a date, date_nanos or geo_point field type!`,
    )
  const unit = field.valueType === 'date_nanos' ? 1_000_000 : 1
  const start = dateValue(origin, field, { nowMs: context.nowMs, roundUp: true })
  return { field: shape, origin: Number(start), point: undefined, scale: pivotMs(pivot) * unit }
}

/** A pivot in milliseconds; parts of one are written in `micros` or `nanos`. */
function pivotMs(pivot: string): number {
  const small = /^(\d+)(micros|nanos)$/u.exec(pivot)
  return small ? Number(small[1]) / (small[2] === 'micros' ? 1e3 : 1e6) : fixedIntervalMs(pivot)
}
