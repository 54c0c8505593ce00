import { z } from 'zod'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { scalar } from '../shapes/scalars.ts'
import { requireField, valued } from './metric-cells.ts'

/** `value_count`: how many values there are, of any type. */
export const valueCount = defineAggregation({
  name: 'value_count',
  kind: 'metric',
  schema: z.strictObject({ field: z.string().optional(), missing: scalar.optional(), format: z.string().optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, missing }, source) {
    const field = valued(source.field(requireField(path)))
    const filled = missing !== undefined
    // Texts and addresses are kept once a document, numbers as often as they come.
    const once = field.type === 'string' || field.type === 'text' || field.type === 'ip'
    const held = sql`length(${once ? sql`arrayDistinct(${field.sql})` : field.sql})`
    const cell = field.many
      ? sql`sum(${filled ? sql`greatest(${held}, 1)` : held})`
      : filled
        ? sql`count()`
        : sql`count(${field.sql})`
    return {
      cells: [cell],
      render: ([count]) => ({ value: Number(count ?? 0) }),
      orderCell: (property) => (property === undefined || property === 'value' ? 0 : undefined),
    }
  },
})
