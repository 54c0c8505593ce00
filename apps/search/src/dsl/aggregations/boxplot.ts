import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { decimal } from '../shapes/scalars.ts'
import { numberField, requireField } from './metric-cells.ts'
import { numberMetricSchema } from './number-metric.ts'

/** `boxplot`: least and greatest value, quartiles, and the outermost values within one and a half of their distance. */
export const boxplot = defineAggregation({
  name: 'boxplot',
  kind: 'metric',
  schema: numberMetricSchema.extend({ compression: decimal.optional(), execution_hint: z.string().optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, missing }, source) {
    const { sql: values, many } = numberField(source, requireField(path), 'boxplot', missing)
    const over = many ? sql`Array` : sql``
    const quartile = (level: number) => sql`quantileExactInclusiveOrNull${over}(${num(level)})(${values})`
    const all = many ? sql`groupUniqArrayArray(${values})` : sql`groupUniqArray(${values})`
    const fence = (level: number, other: number) =>
      sql`(${quartile(level)} + 1.5 * (${quartile(level)} - ${quartile(other)}))`
    return {
      cells: [
        sql`minOrNull${over}(${values})`,
        sql`maxOrNull${over}(${values})`,
        quartile(0.25),
        quartile(0.5),
        quartile(0.75),
        sql`arrayMin(arrayFilter(x -> x >= ${fence(0.25, 0.75)}, ${all}))`,
        sql`arrayMax(arrayFilter(x -> x <= ${fence(0.75, 0.25)}, ${all}))`,
      ],
      render(cells) {
        const names = ['min', 'max', 'q1', 'q2', 'q3', 'lower', 'upper']
        const empty = cellNumber(cells[0]) === null
        const nothing = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
        return Object.fromEntries(
          names.map((name, at) => [
            name,
            new Double(empty ? (nothing[at] ?? Number.NaN) : (cellNumber(cells[at]) ?? Number.NaN)),
          ]),
        )
      },
      orderCell: (property) => {
        const at = ['min', 'max', 'q1', 'q2', 'q3', 'lower', 'upper'].indexOf(property ?? '')
        return at < 0 ? undefined : at
      },
    }
  },
})
