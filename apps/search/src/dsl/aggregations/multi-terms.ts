import { z } from 'zod'
import type { JsonObject } from '../../json/json-object.ts'
import { Double, printDouble } from '../../json/print-json.ts'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineAggregation, type RowField } from '../define-aggregation.ts'
import { flag, scalar, whole } from '../shapes/scalars.ts'
import { fieldKey, renderKey } from './bucket-key.ts'
import { bucketOrder, orderCriteria, orderSql } from './bucket-order.ts'
import { withEmptyKeys } from './empty-keys.ts'
import { withMissing } from './include-exclude.ts'
import { aggregatable } from './metric-cells.ts'
import { typedAs } from './value-type.ts'

/** `multi_terms`: a bucket a combination of values of several fields. */
export const multiTerms = defineAggregation({
  name: 'multi_terms',
  kind: 'bucket',
  schema: z.strictObject({
    terms: z
      .array(
        z.strictObject({
          field: z.string(),
          missing: scalar.optional(),
          format: z.string().optional(),
          value_type: z.string().optional(),
        }),
      )
      .min(2),
    size: whole.optional(),
    shard_size: whole.optional(),
    min_doc_count: whole.optional(),
    shard_min_doc_count: whole.optional(),
    order: bucketOrder.optional(),
    show_term_doc_count_error: flag.optional(),
    collect_mode: z.string().optional(),
  }),
  uses: ({ terms }) => ({ fields: terms.map(({ field }) => field) }),
  plan({ terms, size = 10, min_doc_count: minimumCount = 1, order }, source) {
    if (size <= 0) throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [multi_terms]`)
    const fields = terms.map((each) => typedAs(aggregatable(source.field(each.field)), each.value_type))
    const criteria = orderCriteria(order, { path: '_count', descending: true })
    const parts = terms.flatMap(({ missing }, at) => {
      const field = fields[at]
      return field ? [withMissing(fieldKey(field), field, missing, source.nowMs)] : []
    })
    return {
      parts,
      ...(minimumCount === 0 ? { background: 'every' as const } : { size }),
      minimumCount,
      wantsTotal: true,
      order: (columns) => orderSql(criteria, columns),
      render(given, empty, background) {
        const found = background ? withEmptyKeys(given, background, { criteria, parts }, empty, size) : given
        const counted = found.reduce((sum, bucket) => sum + bucket.count, 0)
        return {
          doc_count_error_upper_bound: 0,
          sum_other_doc_count: (found[0]?.total ?? 0) - counted,
          buckets: found.map((bucket) => {
            const keys = fields.map((field, at) => renderKey(bucket.key[at], field, terms[at]?.format))
            const key = keys.map((each, at) => keyOf(fields[at], each, bucket.key[at]))
            const text = keys.map((each) => String(each['key_as_string'] ?? textOf(each['key']))).join('|')
            return { key, key_as_string: text, doc_count: bucket.count, ...bucket.body }
          }),
        }
      },
    }
  },
})

/** Doubles have their point in the text, too. */
function textOf(key: unknown): unknown {
  return key instanceof Double ? printDouble(key.value) : key
}

/** Dates show as text and booleans as themselves, other than in `terms`. */
function keyOf(field: RowField | undefined, shown: JsonObject, raw: unknown): unknown {
  if (field?.type === 'boolean') return raw
  return field?.type?.startsWith('date') ? shown['key_as_string'] : shown['key']
}
