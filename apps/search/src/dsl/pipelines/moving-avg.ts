import { z } from 'zod'
import { parsingError } from '../../refusals/refuse.ts'
import { definePipeline } from './define-pipeline.ts'

/** `moving_avg`: gone since Elasticsearch 8; refused with the name of what replaces it. */
export const movingAvg = definePipeline({
  name: 'moving_avg',
  place: 'parent',
  sequential: true,
  typedName: 'simple_value',
  schema: z.unknown(),
  paths: () => [],
  check() {
    throw parsingError('Moving Average aggregation usage is not supported. Use the [moving_fn] aggregation instead.')
  },
  run: (_, buckets) => buckets,
})
