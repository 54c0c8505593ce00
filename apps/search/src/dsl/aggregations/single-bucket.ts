import type { z } from 'zod'
import { type Aggregation, defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** A bucket of all rows of its parent: what a sampler is where every document is looked at. */
export function defineWholeBucket<P>(
  name: string,
  schema: z.ZodType<P>,
  fields: (parameters: P) => readonly string[] = () => [],
): Aggregation<P> {
  return defineAggregation<P>({
    name,
    kind: 'bucket',
    schema,
    uses: (parameters) => ({ fields: fields(parameters) }),
    plan: () => ({ parts: [], order: () => [], render: renderSingle }),
  })
}
