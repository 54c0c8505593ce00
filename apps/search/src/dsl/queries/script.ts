import { z } from 'zod'
import type { Score } from '../../scores/score.ts'
import { defineQuery } from '../define-query.ts'
import { clauseParameters } from '../shapes/scalars.ts'

/** `script`: documents for which a script returns true. It runs over those that the rest of the query can match. */
export const script = defineQuery({
  name: 'script',
  schema: z.strictObject({ script: z.unknown(), ...clauseParameters }),
  lower({ script: given }, context) {
    context.spend('script')
    return { op: 'equals', field: context.computed.scripted(given, 'boolean'), values: [true] }
  },
  score: (body, context): Score => ({ op: 'constant', value: 1, when: script.lower(body, context) }),
})
