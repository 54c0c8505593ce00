import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { sql } from '../../sql/sql.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { whole } from '../shapes/scalars.ts'
import { renderSingle } from './filter.ts'
import { aggregatable, requireField } from './metric-cells.ts'
import { refuseNegative, sampleSize } from './sampler.ts'

const hints = ['map', 'global_ordinals', 'bytes_hash']

/** `diversified_sampler`: the documents of a bucket that score best, but only so many of each value of a field. Documents without a value are those of one more. */
export const diversifiedSampler = defineAggregation({
  name: 'diversified_sampler',
  kind: 'bucket',
  schema: z.strictObject({
    field: z.string().optional(),
    shard_size: whole.optional(),
    max_docs_per_value: whole.optional(),
    execution_hint: z.string().optional(),
  }),
  uses: ({ field }) => ({ fields: [requireField(field)], score: true }),
  check({ shard_size: size, max_docs_per_value: most, execution_hint: hint }, name) {
    refuseNegative('shardSize', size, name)
    refuseNegative('maxDocsPerValue', most, name)
    if (hint !== undefined && !hints.includes(hint))
      throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [${hints.join(', ')}]`)
  },
  prepare({ field: path }, source) {
    const field = aggregatable(source.field(requireField(path)))
    return field.many ? [sql`max(length(${field.sql}))`] : []
  },
  plan({ field: path, shard_size: size = sampleSize, max_docs_per_value: most = 1 }, source, [values]) {
    const field = aggregatable(source.field(requireField(path)))
    if (Number(values ?? 0) > 1) throw illegalArgument('Sample diversifying key must be a single valued-field')
    const best = source.rank()
    // Of a field that is nowhere mapped there is no sample.
    const sample = field.type === undefined ? { size: 0, best } : { size, best, each: { key: field.sql, most } }
    return { parts: [], sample, order: () => [], render: renderSingle }
  },
})
