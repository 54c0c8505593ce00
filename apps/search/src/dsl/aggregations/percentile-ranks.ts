import { z } from 'zod'
import { num, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { asString, cellNumber } from '../shapes/metric-values.ts'
import { decimal, flag } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'
import { checkDigest, renderPercentiles, unbuilt } from './percentiles.ts'
import { exactValuesMax, rankOf, sortedValues } from './sorted-values.ts'

/** `percentile_ranks`: how many of a hundred values lie below each given one; of more values than are kept, those that are no higher. */
export const percentileRanks = defineAggregation({
  name: 'percentile_ranks',
  kind: 'metric',
  schema: numberMetricSchema.extend({
    values: z.array(decimal),
    keyed: flag.optional(),
    tdigest: z.strictObject({ compression: decimal.optional(), execution_hint: z.string().optional() }).optional(),
    hdr: z.strictObject({ number_of_significant_value_digits: decimal.optional() }).optional(),
  }),
  typedName: ({ hdr }) => (hdr ? 'hdr_percentile_ranks' : 'tdigest_percentile_ranks'),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ values, tdigest, hdr }, name) {
    checkDigest('percentile_ranks', tdigest, hdr)
    if (values.length === 0) throw unbuilt('percentile_ranks', `[values] must not be an empty array: [${name}]`)
  },
  plan({ field: path, missing, format, values: written, keyed, hdr: given }, source) {
    const values = numberField(source, requireField(path), 'percentile_ranks', missing)
    const bounds = [...written].sort((a, b) => a - b)
    const total = values.many ? sql`sum(length(${values.sql}))` : sql`count(${values.sql})`
    const few = values.many ? sql`groupArrayArray` : sql`groupArray`
    const hdr = given !== undefined
    return {
      cells: [
        sql`${few}(${num(exactValuesMax + 1)})(${values.sql})`,
        ...bounds.map((bound) => {
          const within = values.many
            ? sql`sum(arrayCount(x -> x <= ${num(bound)}, ${values.sql}))`
            : sql`countIf(${values.sql} <= ${num(bound)})`
          return sql`100 * ${within} / nullIf(${total}, 0)`
        }),
      ],
      render([few, ...cells]) {
        // The sketch of `hdr` counts what is no higher.
        const sorted = hdr ? undefined : sortedValues(few)
        return renderPercentiles(
          bounds.map((bound, at) => {
            const value = sorted ? rankOf(sorted, bound) : cellNumber(cells[at])
            const text = format === undefined ? undefined : asString(values.field, value, format)
            return { percent: bound, value, text }
          }),
          keyed,
        )
      },
      orderCell(property) {
        const at = bounds.indexOf(Number(property))
        return at < 0 ? undefined : at + 1
      },
    }
  },
})
