import { isAppError } from '@logstack/errors'
import { type Bounds, none } from '@logstack/rules'
import { z } from 'zod'
import { dateFormat, timeZone } from '../../dates/date-format.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { rangePredicate } from '../shapes/range.ts'
import { clauseParameters, flag, scalar } from '../shapes/scalars.ts'

const bound = scalar.nullish()

const relations = ['intersects', 'contains', 'within'] as const

function checkedRelation(given: string): (typeof relations)[number] {
  const known = relations.find((relation) => relation === given.toLowerCase())
  if (known) return known
  const isDisjoint = given.toLowerCase() === 'disjoint'
  throw illegalArgument(
    isDisjoint ? `[range] query does not support relation [${given}]` : `${given} is not a valid relation`,
  )
}

function checkedZone(given: string): string {
  try {
    timeZone(given)
    return given
  } catch (thrown) {
    if (!isAppError(thrown)) throw thrown
    throw illegalArgument(`java.time.zone.ZoneRulesException: ${thrown.message}`, thrown)
  }
}

function checkedFormat(given: string): string {
  dateFormat(given)
  return given
}

/** `range`: one value of the field lies within the bounds; dates take date math, `format` and `time_zone`. */
export const range = defineQuery({
  name: 'range',
  schema: oneField(
    'range',
    z.strictObject({
      gt: bound,
      gte: bound,
      lt: bound,
      lte: bound,
      from: bound,
      to: bound,
      include_lower: flag.optional(),
      include_upper: flag.optional(),
      format: z.string().transform(checkedFormat).optional(),
      time_zone: z.string().transform(checkedZone).optional(),
      relation: z.string().transform(checkedRelation).optional(),
      ...clauseParameters,
    }),
    undefined,
  ),
  lower({ field, parameters }, context) {
    const resolved = context.field(field)
    if (!resolved) return none
    const { relation = 'intersects' } = parameters
    if (field === '_id') throw illegalArgument('Field [_id] of type [_id] does not support range queries')
    const { format, time_zone: zone } = parameters
    return rangePredicate(resolved, writtenBounds(parameters), { format, timeZone: zone }, context, {
      relation,
      refusesFarBounds: true,
    })
  },
})

type Given = Bounds[keyof Bounds] | null
interface Written {
  readonly gt?: Given
  readonly gte?: Given
  readonly lt?: Given
  readonly lte?: Given
  readonly from?: Given
  readonly to?: Given
  readonly include_lower?: boolean | undefined
  readonly include_upper?: boolean | undefined
}

/** The old way of writing a range, `from` and `to`, in terms of the new. */
function writtenBounds(given: Written): Bounds {
  const low = given.from ?? undefined
  const high = given.to ?? undefined
  const gte = given.gte ?? (given.include_lower === false ? undefined : low)
  const lte = given.lte ?? (given.include_upper === false ? undefined : high)
  const gt = given.gt ?? (given.include_lower === false ? low : undefined)
  const lt = given.lt ?? (given.include_upper === false ? high : undefined)
  return {
    ...(gt === undefined ? {} : { gt }),
    ...(gte === undefined ? {} : { gte }),
    ...(lt === undefined ? {} : { lt }),
    ...(lte === undefined ? {} : { lte }),
  }
}
