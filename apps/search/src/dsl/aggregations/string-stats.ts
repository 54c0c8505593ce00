import { z } from 'zod'
import { Double } from '../../json/print-json.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { cellNumber } from '../shapes/metric-values.ts'
import { flag, scalar } from '../shapes/scalars.ts'
import { withMissing } from './include-exclude.ts'
import { aggregatable, requireField, unsupportedType } from './metric-cells.ts'

/** `string_stats`: count, lengths and entropy of the values of a keyword field. */
export const stringStats = defineAggregation({
  name: 'string_stats',
  kind: 'metric',
  schema: z.strictObject({
    field: z.string().optional(),
    missing: scalar.optional(),
    show_distribution: flag.optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, missing, show_distribution: distribution }, source) {
    const field = aggregatable(source.field(requireField(path)))
    if (field.type !== undefined && field.type !== 'string') throw unsupportedType(field, 'string_stats')
    const part = withMissing({ sql: field.sql, many: field.many, type: 'string' }, field, missing, source.nowMs)
    const values = part.many
      ? sql`arrayDistinct(${part.sql})`
      : sql`if(isNull(${part.sql}), [], [assumeNotNull(${part.sql})])`
    const lengths = sql`arrayMap(x -> toUInt64(lengthUTF8(x)), ${values})`
    const letters = sql`arrayFlatten(arrayMap(x -> ngrams(toString(x), 1), ${values}))`
    return {
      cells: [
        sql`sum(length(${values}))`,
        sql`minOrNullArray(${lengths})`,
        sql`maxOrNullArray(${lengths})`,
        sql`sumArray(${lengths})`,
        sql`sumMap(${letters}, arrayMap(x -> toUInt64(1), ${letters}))`,
      ],
      render([counted, shortest, longest, total, byLetter]) {
        const count = cellNumber(counted) ?? 0
        const [names, counts] = pairOf(byLetter)
        const all = counts.reduce((sum, each) => sum + each, 0)
        const shares = names.map((name, at): [string, number] => [name, (counts[at] ?? 0) / all])
        const entropy = shares.reduce((sum, [, share]) => sum - share * Math.log2(share), 0)
        const shown = [...shares].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        return {
          count,
          min_length: count === 0 ? null : cellNumber(shortest),
          max_length: count === 0 ? null : cellNumber(longest),
          avg_length: count === 0 ? null : new Double((cellNumber(total) ?? 0) / count),
          entropy: new Double(entropy),
          ...(distribution === true
            ? { distribution: Object.fromEntries(shown.map(([name, share]) => [name, new Double(share)])) }
            : {}),
        }
      },
      orderCell: (property) => {
        const at = ['count', 'min_length', 'max_length'].indexOf(property ?? '')
        return at < 0 ? undefined : at
      },
    }
  },
})

function pairOf(cell: unknown): [string[], number[]] {
  const [names, counts]: unknown[] = Array.isArray(cell) ? cell : []
  return [Array.isArray(names) ? names.map(String) : [], Array.isArray(counts) ? counts.map(Number) : []]
}
