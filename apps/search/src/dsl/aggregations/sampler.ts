import { z } from 'zod'
import { whole } from '../shapes/scalars.ts'
import { defineWholeBucket } from './single-bucket.ts'

/** `sampler`: every document is in the sample, for counting all of them is cheap here. */
export const sampler = defineWholeBucket('sampler', z.strictObject({ shard_size: whole.optional() }))
