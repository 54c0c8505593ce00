import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { distinctCount } from '../../sql/distinct-count.ts'
import { type Sql, sql } from '../../sql/sql.ts'
import { literal } from '../../sql/values.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { exactValue, searchable } from '../shapes/field-value.ts'
import { scalar, whole } from '../shapes/scalars.ts'
import { aggregatable, requireField } from './metric-cells.ts'

/** `cardinality`: how many different values there are; `precision_threshold` changes nothing. */
export const cardinality = defineAggregation({
  name: 'cardinality',
  kind: 'metric',
  schema: z.strictObject({
    field: z.string().optional(),
    missing: scalar.optional(),
    precision_threshold: whole.optional(),
    execution_hint: z.string().optional(),
    rehash: z.boolean().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check({ precision_threshold: threshold = 0 }, name) {
    if (threshold < 0)
      throw illegalArgument(
        `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${name}]`,
      )
  },
  plan({ field: path, missing }, source) {
    const field = aggregatable(source.field(requireField(path)))
    const other =
      missing === undefined
        ? undefined
        : field.field
          ? literal(exactValue(missing, searchable(field.field)), field.type ?? 'string')
          : literal(String(missing), 'string')
    const values = field.many
      ? other
        ? sql`if(empty(${field.sql}), [${other}], ${field.sql})`
        : field.sql
      : other
        ? sql`ifNull(${field.sql}, ${other})`
        : field.sql
    return {
      cells: [distinctCount(field.many ? values : distinguished(values, field), field.many)],
      render: ([count]) => ({ value: Number(count ?? 0) }),
      orderCell: (property) => (property === undefined || property === 'value' ? 0 : undefined),
    }
  },
})

/** What values are told apart by. The hash of a text is taken beforehand, so that it is worked out once for each entry of a dictionary instead of once for each row. */
function distinguished(values: Sql, { type }: RowField): Sql {
  return type === 'string' || type === undefined ? sql`cityHash64(${values})` : values
}
