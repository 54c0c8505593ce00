import { z } from 'zod'
import { decimal, whole } from '../shapes/scalars.ts'
import { defineWholeBucket } from './single-bucket.ts'

/** `random_sampler`: every document is in the sample, as with a `probability` of 1. */
export const randomSampler = defineWholeBucket(
  'random_sampler',
  z.strictObject({
    probability: decimal.refine(
      (given) => given > 0 && given <= 1,
      '[probability] must be greater than 0 and at most 1',
    ),
    seed: whole.optional(),
    shard_seed: whole.optional(),
  }),
)
