import { Double, printDouble } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { asString, cellNumber } from '../shapes/metric-values.ts'
import { decimal } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'

/** `median_absolute_deviation`: the median of the distances from the median; exact, so `compression` changes nothing. */
export const medianAbsoluteDeviation = defineAggregation({
  name: 'median_absolute_deviation',
  kind: 'metric',
  schema: numberMetricSchema.extend({ compression: decimal.optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ compression = 1000 }, name) {
    if (compression <= 0)
      throw illegalArgument(`[compression] must be greater than 0. Found [${printDouble(compression)}] in [${name}]`)
  },
  plan({ field: path, missing, format }, source) {
    const name = requireField(path)
    const values = numberField(source, name, 'median_absolute_deviation', missing)
    const all = values.many ? sql`groupArrayArray(${values.sql})` : sql`groupArray(${values.sql})`
    const median = sql`arrayReduce('quantileExactInclusive(0.5)', ${all})`
    const distances = sql`arrayMap(x -> abs(x - ${median}), ${all})`
    return {
      cells: [sql`if(empty(${all}), NULL, arrayReduce('quantileExactInclusive(0.5)', ${distances}))`],
      render([deviation]) {
        const found = cellNumber(deviation)
        const text = format === undefined ? undefined : asString(values.field, found, format)
        return {
          value: found === null ? null : new Double(found),
          ...(text === undefined ? {} : { value_as_string: text }),
        }
      },
      orderCell: (property) => (property === undefined || property === 'value' ? 0 : undefined),
    }
  },
})
