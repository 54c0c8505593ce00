import { z } from 'zod'
import { defineAggregation } from '../define-aggregation.ts'
import { decimal, whole } from '../shapes/scalars.ts'
import { renderSingle } from './filter.ts'

/** `random_sampler`: every document is in the sample, as with a `probability` of 1, for counting all of them is cheap here. */
export const randomSampler = defineAggregation({
  name: 'random_sampler',
  kind: 'bucket',
  schema: z.strictObject({
    probability: decimal.refine(
      (given) => given === 1 || (given > 0 && given <= 0.5),
      '[probability] must be greater than 0 and at most 0.5, or exactly 1',
    ),
    seed: whole.optional(),
    shard_seed: whole.optional(),
  }),
  uses: () => ({}),
  plan: ({ probability, seed = 0 }) => ({
    parts: [],
    order: () => [],
    render: (found, empty) => ({ seed, probability, ...renderSingle(found, empty) }),
  }),
})
