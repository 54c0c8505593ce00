import type { Predicate } from '@logstack/rules'
import { z } from 'zod'
import { illegalArgument } from '../../refusals/refuse.ts'
import { defineQuery } from '../define-query.ts'
import { moreLikeThisParameters, readMoreLikeThis } from '../more-like-this.ts'
import { describedBy } from '../shapes/one-field.ts'

/**
 * `more_like_this`: documents with the most telling words of texts and of other documents. Requests have such clauses replaced before they are lowered, as
 * documents must be read for them; where that does not happen (filters of aliases and roles) they are refused.
 */
export const moreLikeThis = defineQuery({
  name: 'more_like_this',
  schema: describedBy(z.unknown().transform(readMoreLikeThis), moreLikeThisParameters),
  lower(): Predicate {
    throw illegalArgument('[more_like_this] is not supported here')
  },
})
