import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** `reverse_nested`: one bucket of the documents that the objects above it are in, or of the objects at a path around these, each once. */
export const reverseNested = defineAggregation({
  name: 'reverse_nested',
  kind: 'bucket',
  schema: z.strictObject({ path: z.string().optional() }),
  uses: () => ({}),
  plan({ path }, source, _prepared, name) {
    if (source.place)
      throw illegalArgument(`Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`)
    return {
      parts: [],
      rows: path === undefined ? ('documents' as const) : { around: path },
      order: () => [],
      render: renderSingle,
    }
  },
})
