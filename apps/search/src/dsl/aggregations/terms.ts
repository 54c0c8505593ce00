import { z } from 'zod'
import { type Aggregation, defineAggregation, type FoundBucket, type RowField } from '../define-aggregation.ts'
import { flag, scalar, whole } from '../shapes/scalars.ts'
import { fieldKey, renderKey } from './bucket-key.ts'
import { bucketOrder, orderCriteria, orderSql } from './bucket-order.ts'
import { checkAtLeast } from './check-numbers.ts'
import { withEmptyKeys } from './empty-keys.ts'
import { filteredKey, keyFilter, withMissing } from './include-exclude.ts'
import { aggregatable, requireField, unsupportedType } from './metric-cells.ts'
import { typedAs } from './value-type.ts'

const schema = z.strictObject({
  field: z.string().optional(),
  size: whole.optional(),
  shard_size: whole.optional(),
  min_doc_count: whole.optional(),
  shard_min_doc_count: whole.optional(),
  missing: scalar.optional(),
  include: keyFilter.optional(),
  exclude: keyFilter.optional(),
  order: bucketOrder.optional(),
  show_term_doc_count_error: flag.optional(),
  execution_hint: z.string().optional(),
  collect_mode: z.string().optional(),
  value_type: z.string().optional(),
  format: z.string().optional(),
})
type Terms = z.infer<typeof schema>

const typedNames: Readonly<Record<string, string>> = {
  long: 'lterms',
  date: 'lterms',
  date_nanos: 'lterms',
  boolean: 'lterms',
  double: 'dterms',
  unsigned: 'ulterms',
}

/** `terms`: a bucket a value, the `size` first of them by `order` (by count unless said otherwise). Counts are exact. */
export const terms: Aggregation<Terms> = defineAggregation<Terms>({
  name: 'terms',
  kind: 'bucket',
  schema,
  uses: ({ field }) => ({ fields: [requireField(field)] }),
  typedName(parameters, source) {
    const { type } = typedAs(source.field(requireField(parameters.field)), parameters.value_type)
    return typedNames[type ?? 'string'] ?? 'sterms'
  },
  check(parameters, name) {
    checkAtLeast('terms', name, parameters, { size: 1, shard_size: 1, min_doc_count: 0, shard_min_doc_count: 0 })
  },
  plan(parameters, source, _prepared, name) {
    const { size = 10, min_doc_count: minimumCount = 1, missing, include, exclude } = parameters
    const field = termsField(source.field(requireField(parameters.field)), parameters)
    const criteria = orderCriteria(parameters.order, { path: '_count', descending: true })
    const filled = withMissing(fieldKey(field), field, missing, source.nowMs)
    const parts = [filteredKey(filled, field, { name, include, exclude }, source.nowMs)]
    const order = { criteria, parts }
    return {
      parts,
      // Keys without documents can stand before others: what is cut off is known only with them.
      ...(minimumCount === 0 ? { background: 'every' as const } : { size }),
      minimumCount,
      wantsTotal: true,
      manyGroups: field.needles === true,
      order: (columns) => orderSql(criteria, columns),
      render: (found, empty, background) =>
        renderTerms(background ? withEmptyKeys(found, background, order, empty, size) : found, field, parameters),
    }
  },
})

/** The field, where its values are terms. */
function termsField(field: RowField, { value_type: valueType }: Terms): RowField {
  if (field.field?.wireType === 'geo_point') throw unsupportedType(field, 'terms')
  return typedAs(aggregatable(field), valueType)
}

function renderTerms(
  found: readonly FoundBucket[],
  field: RowField,
  { format, show_term_doc_count_error: showError }: Terms,
) {
  const counted = found.reduce((sum, bucket) => sum + bucket.count, 0)
  return {
    doc_count_error_upper_bound: 0,
    sum_other_doc_count: (found[0]?.total ?? 0) - counted,
    buckets: found.map((bucket) => ({
      ...renderKey(bucket.key[0], field, format),
      doc_count: bucket.count,
      ...(showError === true ? { doc_count_error_upper_bound: 0 } : {}),
      ...bucket.body,
    })),
  }
}
