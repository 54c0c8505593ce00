import { z } from 'zod'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { scalar } from '../shapes/scalars.ts'
import { renderSingle } from './filter.ts'
import { requireField } from './metric-cells.ts'

/** `missing`: one bucket of the documents without a value in the field. */
export const missing = defineAggregation({
  name: 'missing',
  kind: 'bucket',
  schema: z.strictObject({ field: z.string().optional(), missing: scalar.optional() }),
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  plan({ field: path, missing: filled }, source) {
    const field = source.field(requireField(path))
    const absent = field.many ? sql`empty(${field.sql})` : sql`isNull(${field.sql})`
    return { parts: [], where: filled === undefined ? absent : sql`0`, order: () => [], render: renderSingle }
  },
})
