import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { decimal } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'

/** Of a field that is not mapped every value is null, of which the engine makes no sum unless it is told of which type. */
const sum = (value: Sql): Sql => sql`sum(CAST(${value}, 'Nullable(Float64)'))`

const side = z.strictObject({ field: z.string().optional(), missing: decimal.optional() })

/** `weighted_avg`: the mean of a field's values, each counted with the weight of its document; null without any. */
export const weightedAvg = defineAggregation({
  name: 'weighted_avg',
  kind: 'metric',
  schema: z.strictObject({ value: side.optional(), weight: side.optional(), value_type: z.string().optional() }),
  uses: ({ value, weight }) => ({
    fields: [value, weight].flatMap((each) => (each ? [requireField(each.field)] : [])),
  }),
  plan({ value, weight }, source) {
    if (!value || !weight)
      throw illegalArgument(`Could not find field name [${value ? 'weight' : 'value'}] in multiValuesSource`)
    const values = numberField(source, requireField(value.field), 'weighted_avg', value.missing)
    const weights = numberField(source, requireField(weight.field), 'weighted_avg', weight.missing)
    const one = weights.many ? sql`if(empty(${weights.sql}), NULL, ${weights.sql}[1])` : weights.sql
    const sums = values.many ? sql`if(empty(${values.sql}), NULL, arraySum(${values.sql}))` : values.sql
    const count = values.many ? sql`length(${values.sql})` : sql`isNotNull(${values.sql})`
    return {
      cells: [
        sql`${sum(sql`${sums} * ${one}`)} / nullIf(${sum(sql`if(${count} > 0, ${count} * ${one}, NULL)`)}, 0)`,
        weights.many ? sql`max(length(${weights.sql}))` : sql`1`,
      ],
      render([average, most]) {
        if (Number(most ?? 0) > 1)
          throw illegalArgument(
            'Encountered more than one weight for a single document. Use a script to combine multiple weights-per-doc into a single value.',
          )
        const found = cellNumber(average)
        return { value: found === null ? null : new Double(found) }
      },
      orderCell: (property) => (property === undefined || property === 'value' ? 0 : undefined),
    }
  },
})
