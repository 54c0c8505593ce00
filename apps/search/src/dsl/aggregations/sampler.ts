import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { whole } from '../shapes/scalars.ts'
import { renderSingle } from './filter.ts'

/** Documents of a sample, unless a request says otherwise. */
export const sampleSize = 100

/** `sampler`: the documents of a bucket that score best. All indices of a request are one shard, so `shard_size` is the size of the sample. */
export const sampler = defineAggregation({
  name: 'sampler',
  kind: 'bucket',
  schema: z.strictObject({ shard_size: whole.optional() }),
  uses: () => ({ score: true }),
  check: ({ shard_size: size }, name) => refuseNegative('shardSize', size, name),
  plan: ({ shard_size: size = sampleSize }, source) => ({
    parts: [],
    sample: { size, best: source.rank() },
    order: () => [],
    render: renderSingle,
  }),
})

/** Refuses a size below zero. */
export function refuseNegative(parameter: string, size: number | undefined, name: string): void {
  if (size !== undefined && size < 0)
    throw illegalArgument(`[${parameter}] must be greater than or equal to 0. Found [${size}] in [${name}]`)
}
