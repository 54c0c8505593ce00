import { type Bounds, none } from '@logstack/rules'
import { z } from 'zod'
import { spanKindOf } from '../../indices/field-types/range-types.ts'
import { defineQuery } from '../define-query.ts'
import { oneField } from '../shapes/one-field.ts'
import { rangePredicate } from '../shapes/range.ts'
import { illegalArgument } from '../shapes/refuse.ts'
import { clauseParameters, flag, scalar } from '../shapes/scalars.ts'

const bound = scalar.nullish()

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
      format: z.string().optional(),
      time_zone: z.string().optional(),
      relation: z.string().optional(),
      ...clauseParameters,
    }),
    undefined,
  ),
  lower({ field, parameters }, context) {
    const resolved = context.field(field)
    const relation = parameters.relation?.toLowerCase() ?? 'intersects'
    if (relation !== 'intersects' && relation !== 'contains' && relation !== 'within')
      throw illegalArgument(`[range] query does not support relation [${parameters.relation}]`)
    if (!resolved) return none
    if (relation !== 'intersects' && !spanKindOf(resolved.wireType))
      throw illegalArgument(
        `Field [${field}] of type [${resolved.wireType}] does not support relation [${relation.toUpperCase()}]`,
      )
    const { format, time_zone: zone } = parameters
    return rangePredicate(resolved, writtenBounds(parameters), { format, timeZone: zone }, context, { relation })
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
