import { z } from 'zod'
import { illegalArgument, memberError } from '../../refusals/refuse.ts'
import { num, sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { decimal, scalar, whole } from '../shapes/scalars.ts'
import { fieldKey, renderKey } from './bucket-key.ts'
import { checkAtLeast } from './check-numbers.ts'
import { filteredKey, keyFilter, withMissing } from './include-exclude.ts'
import { aggregatable, requireField } from './metric-cells.ts'

/** The highest `max_doc_count`. */
const countMax = 100

/** `rare_terms`: a bucket a value that few documents have, the rarest first. Exact, so `precision` changes nothing. */
export const rareTerms = defineAggregation({
  name: 'rare_terms',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    max_doc_count: whole.optional(),
    precision: decimal.optional(),
    include: keyFilter.optional(),
    exclude: keyFilter.optional(),
    missing: scalar.optional(),
    value_type: z.string().optional(),
    format: z.string().optional(),
  }),
  typedName({ field }, source) {
    const { type } = source.field(requireField(field))
    // As Elasticsearch names what no index has: not after rare terms.
    if (type === undefined) return 'sterms'
    return type === 'string' || type === 'text' || type === 'ip' ? 'srareterms' : 'lrareterms'
  },
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  check(parameters, name) {
    checkAtLeast('rare_terms', name, parameters, { max_doc_count: 1 })
    if ((parameters.max_doc_count ?? 1) > countMax) {
      const reason = `[max_doc_count] must be smallerthan ${countMax}in [${name}]`
      throw memberError('rare_terms', 'max_doc_count', illegalArgument(reason))
    }
  },
  plan(parameters, source, _prepared, name) {
    const { max_doc_count: most = 1, include, exclude, missing, format } = parameters
    const field = aggregatable(source.field(requireField(parameters.field)))
    if (field.type === 'double') throw illegalArgument('RareTerms aggregation does not support floating point fields.')
    const filled = withMissing(fieldKey(field), field, missing, source.nowMs)
    return {
      parts: [filteredKey(filled, field, { name, include, exclude }, source.nowMs)],
      chosen: ({ count }) => sql`${count} <= ${num(most)}`,
      order: ({ count, keys }) => [sql`${count} ASC`, ...keys.map((key) => sql`${key} ASC`)],
      render: (found) => ({
        buckets: found.map(({ key, count, body }) => ({
          ...renderKey(key[0], field, format),
          doc_count: count,
          ...body,
        })),
      }),
    }
  },
})
