import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineAggregation } from '../define-aggregation.ts'
import { renderSingle } from './filter.ts'

/** `reverse_nested`: one bucket of the documents that the objects above it are in, each once. */
export const reverseNested = defineAggregation({
  name: 'reverse_nested',
  kind: 'bucket',
  schema: z.strictObject({ path: z.string().optional() }),
  uses: () => ({}),
  check({ path }) {
    if (path !== undefined)
      throw illegalArgument('[path] of [reverse_nested] is not supported: it always goes back to the document')
  },
  plan(_parameters, source, _prepared, name) {
    if (source.place)
      throw illegalArgument(`Reverse nested aggregation [${name}] can only be used inside a [nested] aggregation`)
    return { parts: [], rows: 'documents' as const, order: () => [], render: renderSingle }
  },
})
